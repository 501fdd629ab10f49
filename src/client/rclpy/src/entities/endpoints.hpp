// Publishers, subscriptions and their events.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "node/node.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/subscription_base.hpp"
#include "tandem_py/message.hpp"

namespace tandem_py {

template <class Kind>
using EventHandlers = std::unordered_map<Kind, std::shared_ptr<rclcpp::EventHandlerBase>>;

/// The class of messages of a Python class. \throws py::type_error.
MessageClass & message_class_of(const py::object & python);

class PublisherHandle : public Destroyable {
 public:
  PublisherHandle(std::shared_ptr<NodeHandle> node, const py::object & type, const std::string & topic,
                  const py::object & qos);

  /// Writes the message where subscriptions read it.
  void publish(const py::object & message);
  void publish_raw(const py::bytes & bytes);
  const EventHandlers<rcl_publisher_event_type_t> & events() const;
  rclcpp::PublisherBase & publisher() const;
  const std::shared_ptr<NodeHandle> & node() const { return node_; }

 private:
  class Publisher;
  void destroy() override;

  const std::shared_ptr<NodeHandle> node_;
  MessageClass & class_;
  std::shared_ptr<Publisher> publisher_;
};

class SubscriptionHandle : public ServedHandle {
 public:
  SubscriptionHandle(std::shared_ptr<NodeHandle> node, const py::object & type, const std::string & topic,
                     const py::object & qos, const py::object & content_filter);

  void serve(NodeHandle & node, const std::shared_ptr<rclcpp::CallbackGroup> & group) override;
  py::object take(const std::shared_ptr<void> & data) override;
  void watch(const std::function<void()> & wake) override;
  bool is_ready() override { return subscription().has_data(); }

  /// The next message and what is known of it; None when there is none.
  py::object take_message(const py::object & type, bool raw);
  const EventHandlers<rcl_subscription_event_type_t> & events() const;
  rclcpp::SubscriptionBase & subscription() const;
  const std::shared_ptr<NodeHandle> & node() const { return node_; }

  // What take() gives: bytes in place of a message; a pair with what is known of it.
  bool is_raw = false;
  bool has_info = false;

 private:
  class Subscription;
  void destroy() override;
  /// Null when there is none.
  py::object next(MessageClass & message_class, bool raw, bool with_info);

  const std::shared_ptr<NodeHandle> node_;
  MessageClass & class_;
  std::shared_ptr<Subscription> subscription_;
};

void add_endpoints(py::module_ & module);
void add_events(py::module_ & module);

}  // namespace tandem_py
