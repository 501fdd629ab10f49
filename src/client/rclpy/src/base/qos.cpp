#include "base/qos.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace tandem_py {
namespace {

struct Duration {
  std::int64_t nanoseconds;
};

Imported python_duration("rclpy.duration", "Duration");

constexpr std::uint64_t kSecond = 1000000000;

/// Saturates, as what is infinite does.
std::int64_t nanoseconds_of(const rmw_time_t & time) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (time.sec > kMost / kSecond) return static_cast<std::int64_t>(kMost);
  const std::uint64_t seconds = time.sec * kSecond;
  return static_cast<std::int64_t>(time.nsec > kMost - seconds ? kMost : seconds + time.nsec);
}

rmw_time_t time_of(std::int64_t nanoseconds) {
  const auto count = static_cast<std::uint64_t>(nanoseconds < 0 ? 0 : nanoseconds);
  return {count / kSecond, count % kSecond};
}

/// Of (history, depth, reliability, durability, lifespan, deadline, liveliness, lease, avoids ROS's names).
rmw_qos_profile_t make_profile(const py::args & policies) {
  if (policies.size() != 9) throw py::type_error("a profile has nine policies");
  const auto time = [&](std::size_t i) { return time_of(policies[i].cast<const Duration &>().nanoseconds); };
  rmw_qos_profile_t profile{};
  profile.history = static_cast<rmw_qos_history_policy_t>(policies[0].cast<int>());
  profile.depth = policies[1].cast<std::size_t>();
  profile.reliability = static_cast<rmw_qos_reliability_policy_t>(policies[2].cast<int>());
  profile.durability = static_cast<rmw_qos_durability_policy_t>(policies[3].cast<int>());
  profile.lifespan = time(4);
  profile.deadline = time(5);
  profile.liveliness = static_cast<rmw_qos_liveliness_policy_t>(policies[6].cast<int>());
  profile.liveliness_lease_duration = time(7);
  profile.avoid_ros_namespace_conventions = policies[8].cast<bool>();
  return profile;
}

const rmw_qos_profile_t & predefined(const std::string & name) {
  static const std::pair<const char *, const rmw_qos_profile_t &> kProfiles[] = {
      {"qos_profile_default", rmw_qos_profile_default},
      {"qos_profile_sensor_data", rmw_qos_profile_sensor_data},
      {"qos_profile_system_default", rmw_qos_profile_system_default},
      {"qos_profile_services_default", rmw_qos_profile_services_default},
      {"qos_profile_unknown", rmw_qos_profile_unknown},
      {"qos_profile_parameters", rmw_qos_profile_parameters},
      {"qos_profile_parameter_events", rmw_qos_profile_parameter_events},
      {"qos_profile_best_available", rmw_qos_profile_best_available}};
  for (const auto & [known, profile] : kProfiles) {
    if (name == known) return profile;
  }
  throw py::value_error("Requested unknown rmw_qos_profile: " + name);
}

/// That of the statuses of actions.
py::dict status_profile(const std::string & name) {
  if (name != "rcl_action_qos_profile_status_default") {
    throw py::value_error("Requested unknown rmw_qos_profile: " + name);
  }
  rmw_qos_profile_t profile = rmw_qos_profile_default;
  profile.depth = 1;
  profile.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return to_dict(profile);
}

}  // namespace

rclcpp::QoS qos_of(const py::object & profile, const rmw_qos_profile_t & otherwise) {
  const rmw_qos_profile_t & wanted = profile.is_none() ? otherwise : profile.cast<const rmw_qos_profile_t &>();
  return rclcpp::QoS(rclcpp::QoSInitialization(wanted.history, wanted.depth, false), wanted);
}

py::dict to_dict(const rmw_qos_profile_t & profile) {
  const auto duration = [](const rmw_time_t & time) {
    return py::object(python_duration.get()(py::arg("nanoseconds") = nanoseconds_of(time)));
  };
  py::dict dict;
  dict["depth"] = profile.depth;
  dict["history"] = static_cast<int>(profile.history);
  dict["reliability"] = static_cast<int>(profile.reliability);
  dict["durability"] = static_cast<int>(profile.durability);
  dict["lifespan"] = duration(profile.lifespan);
  dict["deadline"] = duration(profile.deadline);
  dict["liveliness"] = static_cast<int>(profile.liveliness);
  dict["liveliness_lease_duration"] = duration(profile.liveliness_lease_duration);
  dict["avoid_ros_namespace_conventions"] = profile.avoid_ros_namespace_conventions;
  return dict;
}

void add_qos(py::module_ & module) {
  py::class_<Duration>(module, "rcl_duration_t")
      .def(py::init([](std::int64_t nanoseconds) { return Duration{nanoseconds}; }))
      .def_readonly("nanoseconds", &Duration::nanoseconds);
  py::class_<rmw_qos_profile_t>(module, "rmw_qos_profile_t")
      .def(py::init(&make_profile))
      .def("to_dict", &to_dict)
      .def_static("predefined", [](const std::string & name) { return predefined(name); });
  module.attr("RMW_DURATION_INFINITE") = std::numeric_limits<std::int64_t>::max();
  module.attr("RMW_QOS_DEADLINE_BEST_AVAILABLE") = nanoseconds_of(rmw_qos_profile_best_available.deadline);
  module.attr("RMW_QOS_LIVELINESS_LEASE_DURATION_BEST_AVAILABLE") =
      nanoseconds_of(rmw_qos_profile_best_available.liveliness_lease_duration);
  module.def("rclpy_action_get_rmw_qos_profile", &status_profile);

  struct Compatibility {
    int compatibility;
    std::string reason;
  };
  py::class_<Compatibility>(module, "QoSCheckCompatibleResult")
      .def(py::init([] {
        return Compatibility{0, ""};
      }))
      .def_property_readonly(
          "compatibility",
          [module](const Compatibility & self) { return module.attr("QoSCompatibility")(self.compatibility); })
      .def_readonly("reason", &Compatibility::reason);
  module.def("rclpy_qos_check_compatible", [](const py::object & publisher, const py::object & subscription) {
    const auto result = rclcpp::qos_check_compatible(qos_of(publisher), qos_of(subscription));
    return Compatibility{static_cast<int>(result.compatibility), result.reason};
  });
}

}  // namespace tandem_py
