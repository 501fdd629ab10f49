// A publisher that publishes only while it is activated.
#ifndef RCLCPP_LIFECYCLE__LIFECYCLE_PUBLISHER_HPP_
#define RCLCPP_LIFECYCLE__LIFECYCLE_PUBLISHER_HPP_

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

#include "rclcpp/logging.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp_lifecycle/managed_entity.hpp"

namespace rclcpp_lifecycle {

/// While it is not activated, publish() drops the message and says so in the log: once, until it was activated again.
/// A loaned message that is dropped stays with its owner. Thread-safe.
template <class MessageT, class Alloc = std::allocator<void>>
class LifecyclePublisher : public SimpleManagedEntity, public rclcpp::Publisher<MessageT, Alloc> {
  using Base = rclcpp::Publisher<MessageT, Alloc>;

 public:
  RCLCPP_SMART_PTR_DEFINITIONS(LifecyclePublisher)
  using ROSMessageType = typename Base::ROSMessageType;
  using PublishedType = typename Base::PublishedType;
  using MessageUniquePtr = std::unique_ptr<ROSMessageType>;

  explicit LifecyclePublisher(rclcpp::detail::PublisherSetup && setup)
      : Base(std::move(setup)), logger_(rclcpp::get_logger("LifecyclePublisher")) {}

  // As those of rclcpp::Publisher.

  virtual void publish(std::unique_ptr<ROSMessageType> message) { publish_if_activated(std::move(message)); }
  virtual void publish(const ROSMessageType & message) { publish_if_activated(message); }
  virtual void publish(rclcpp::LoanedMessage<ROSMessageType, Alloc> && loaned_message) {
    publish_if_activated(std::move(loaned_message));
  }
  template <class DeleterT>
  void publish(std::unique_ptr<ROSMessageType, DeleterT> message) {
    publish_if_activated(std::move(message));
  }
  void publish(const rclcpp::SerializedMessage & message) { publish_if_activated(message); }
  void publish(const rcl_serialized_message_t & message) { publish_if_activated(message); }
  template <class T>
  std::enable_if_t<rclcpp::TypeAdapter<MessageT>::is_specialized::value && std::is_same_v<T, PublishedType>> publish(
      const T & custom) {
    publish_if_activated(custom);
  }
  template <class T>
  std::enable_if_t<rclcpp::TypeAdapter<MessageT>::is_specialized::value && std::is_same_v<T, PublishedType>> publish(
      std::unique_ptr<T> custom) {
    publish_if_activated(std::move(custom));
  }

  void on_activate() override {
    SimpleManagedEntity::on_activate();
    should_log_ = true;
  }

 private:
  template <class T>
  void publish_if_activated(T && message) {
    if (is_activated()) {
      Base::publish(std::forward<T>(message));
    } else if (should_log_.exchange(false)) {
      RCLCPP_WARN(logger_, "messages on the topic '%s' are dropped: its publisher is not activated",
                  this->get_topic_name());
    }
  }

  std::atomic<bool> should_log_{true};
  rclcpp::Logger logger_;
};

}  // namespace rclcpp_lifecycle

#endif  // RCLCPP_LIFECYCLE__LIFECYCLE_PUBLISHER_HPP_
