// Whether a publisher and a subscription can communicate: what is asked for against what is offered, policy by policy.
#include <cstdio>
#include <string>

#include "rclcpp/qos.hpp"

namespace {

/// Of an enum whose "system default" and "unknown" may become anything.
template <class Policy>
const char * doubt(Policy policy, Policy system_default, Policy unknown) {
  if (policy == system_default) return "the system's default";
  return policy == unknown ? "unknown" : nullptr;
}

/// "Infinite" is how the graph tells what is unset.
bool is_unset(const rmw_time_t & time) {
  constexpr rmw_time_t kInfinite = RMW_DURATION_INFINITE;
  return (time.sec == 0 && time.nsec == 0) || (time.sec == kInfinite.sec && time.nsec == kInfinite.nsec);
}

bool is_less(const rmw_time_t & a, const rmw_time_t & b) {
  return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

/// What does not fit, errors and warnings apart.
class Check {
 public:
  Check(const rmw_qos_profile_t & publisher, const rmw_qos_profile_t & subscription)
      : publisher_(publisher), subscription_(subscription) {
    policy("reliability", &rmw_qos_profile_t::reliability,
           {RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT, "best effort", RMW_QOS_POLICY_RELIABILITY_RELIABLE, "reliable",
            RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT, RMW_QOS_POLICY_RELIABILITY_UNKNOWN});
    policy("durability", &rmw_qos_profile_t::durability,
           {RMW_QOS_POLICY_DURABILITY_VOLATILE, "volatile", RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
            "transient local", RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT, RMW_QOS_POLICY_DURABILITY_UNKNOWN});
    policy("liveliness", &rmw_qos_profile_t::liveliness,
           {RMW_QOS_POLICY_LIVELINESS_AUTOMATIC, "automatic", RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC,
            "manual by topic", RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT, RMW_QOS_POLICY_LIVELINESS_UNKNOWN});
    time("deadline", publisher.deadline, subscription.deadline);
    time("liveliness lease duration", publisher.liveliness_lease_duration, subscription.liveliness_lease_duration);
  }

  rmw_qos_compatibility_type_t result() const {
    if (!errors_.empty()) return RMW_QOS_COMPATIBILITY_ERROR;
    return warnings_.empty() ? RMW_QOS_COMPATIBILITY_OK : RMW_QOS_COMPATIBILITY_WARNING;
  }
  /// Warnings only if there is no error.
  const std::string & reason() const { return errors_.empty() ? warnings_ : errors_; }

 private:
  template <class Policy>
  struct Values {
    Policy low;
    const char * low_name;
    Policy high;
    const char * high_name;
    Policy system_default;
    Policy unknown;
  };

  /// Who asks for `high` is not content with `low`.
  template <class Policy>
  void policy(const std::string & name, Policy rmw_qos_profile_t::*member, const Values<Policy> & values) {
    const Policy offered = publisher_.*member;
    const Policy asked = subscription_.*member;
    const char * offered_doubt = doubt(offered, values.system_default, values.unknown);
    const char * asked_doubt = doubt(asked, values.system_default, values.unknown);
    if (offered == values.low && asked == values.high) {
      add(errors_, "ERROR", name, values.low_name, values.high_name);
    } else if ((offered_doubt || offered == values.low) && (asked_doubt || asked == values.high)) {
      add(warnings_, "WARNING", name, offered_doubt ? offered_doubt : values.low_name,
          asked_doubt ? asked_doubt : values.high_name);
    }
  }

  void time(const std::string & name, const rmw_time_t & offered, const rmw_time_t & asked) {
    if (is_unset(asked)) return;
    if (is_unset(offered)) {
      add(errors_, "ERROR", name, "without limit", "limited");
    } else if (is_less(asked, offered)) {
      add(errors_, "ERROR", name, "longer", "shorter");
    }
  }

  static void add(std::string & list, const char * kind, const std::string & name, const char * offered,
                  const char * asked) {
    list +=
        std::string(kind) + ": " + name + " of the publisher is " + offered + ", of the subscription " + asked + ";";
  }

  const rmw_qos_profile_t & publisher_;
  const rmw_qos_profile_t & subscription_;
  std::string errors_;
  std::string warnings_;
};

}  // namespace

rclcpp::QoSCheckCompatibleResult rclcpp::qos_check_compatible(const QoS & publisher_qos, const QoS & subscription_qos) {
  const Check check(publisher_qos.get_rmw_qos_profile(), subscription_qos.get_rmw_qos_profile());
  return {static_cast<QoSCompatibility>(check.result()), check.reason()};
}

extern "C" rmw_ret_t rmw_qos_profile_check_compatible(const rmw_qos_profile_t publisher_profile,
                                                      const rmw_qos_profile_t subscription_profile,
                                                      rmw_qos_compatibility_type_t * compatibility, char * reason,
                                                      size_t reason_size) {
  if (!compatibility || (!reason && reason_size != 0)) return RMW_RET_INVALID_ARGUMENT;
  const Check check(publisher_profile, subscription_profile);
  *compatibility = check.result();
  if (reason) std::snprintf(reason, reason_size, "%s", check.reason().c_str());
  return RMW_RET_OK;
}
