// What an executor serves when there is data.
#include "rclcpp/detail/receiver.hpp"

#include <utility>

#include "rclcpp/callback_group.hpp"

namespace rclcpp::detail {

Receiver::Receiver(std::shared_ptr<tandem::transport::Subscription> transport, std::weak_ptr<CallbackGroup> group)
    : transport_(std::move(transport)), group_(std::move(group)) {}

Receiver::~Receiver() {
  if (const auto group = group_.lock()) group->notify_entities_changed();
}

bool Receiver::take_sample(tandem::transport::Sample & sample) {
  sample = transport_->take();
  return static_cast<bool>(sample);
}

}  // namespace rclcpp::detail
