// What the two sides of a contest of bags tell each other: on topics of domain 0, where no recorder of domain 1 sees them.
#pragma once

#include <optional>
#include <thread>

#include "common/core_endpoints.hpp"

namespace bench {

class BagLink {
 public:
  BagLink(const std::string & name, bool ping)
      : publisher_(make_publisher("/bench/" + name + (ping ? "/there" : "/back"), participant(), qos())),
        subscription_(make_subscription("/bench/" + name + (ping ? "/back" : "/there"), participant(), qos())) {}

  bool is_connected() const { return publisher_->matched_count() == 1 && subscription_->matched_count() == 1; }
  void tell(const Head & head = {}) { send(*publisher_, sizeof head, head); }
  std::optional<Head> look() {
    const auto sample = subscription_->take();
    return sample ? std::optional<Head>(head_of(sample)) : std::nullopt;
  }
  /// Waits for the next one.
  Head hear() {
    std::optional<Head> head;
    wait_patiently([&] { return (head = look()).has_value(); });
    return *head;
  }
  /// Looks every 0.2 ms.
  template <class Condition>
  static void wait_patiently(Condition condition) {
    const auto limit = Clock::now() + kPatience;
    while (!condition()) {
      if (Clock::now() > limit) {
        Patience::give_up();
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

 private:
  static tandem::Qos qos() {
    tandem::Qos qos;
    qos.history = tandem::History::kKeepAll;
    return qos;
  }

  std::unique_ptr<tandem::Publisher> publisher_;
  std::unique_ptr<tandem::Subscription> subscription_;
};

}  // namespace bench
