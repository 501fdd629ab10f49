// The one thread of a context that waits for receivers with callbacks for new messages.
#pragma once

#include <memory>
#include <thread>

#include "tandem/transport.hpp"
#include "waiting/intake.hpp"

namespace rclcpp::detail {

/// Lives as long as a receiver has it; without such receivers there is no thread. Thread-safe.
class Listener {
 public:
  explicit Listener(std::shared_ptr<tandem::transport::WaitSet> wait_set);
  /// In the thread itself when a callback has dropped the last receiver.
  ~Listener();

  void add(const std::shared_ptr<Intake> & intake);
  void remove(const Intake & intake);
  /// Waits for it again, after it was full or somebody else has attached it.
  void attach(const std::shared_ptr<tandem::transport::Subscription> & transport);

 private:
  struct State;

  const std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace rclcpp::detail
