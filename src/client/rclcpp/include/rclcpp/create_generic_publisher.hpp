// Creating a publisher of a type by its name.
#ifndef RCLCPP__CREATE_GENERIC_PUBLISHER_HPP_
#define RCLCPP__CREATE_GENERIC_PUBLISHER_HPP_

#include <memory>
#include <string>

#include "rclcpp/generic_publisher.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

/// \param topic_type "std_msgs/msg/String". \throws as create_publisher(), and std::runtime_error for a type that no installed
/// package has.
template <class AllocatorT = std::allocator<void>>
std::shared_ptr<GenericPublisher> create_generic_publisher(
    const node_interfaces::NodeTopicsInterface::SharedPtr & topics, const std::string & topic_name,
    const std::string & topic_type, const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  auto publisher = std::make_shared<GenericPublisher>(
      topics->open_publisher(detail::message_type_by_name(topic_type), topic_name, qos, options));
  topics->add_publisher(publisher, options.callback_group);
  return publisher;
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_GENERIC_PUBLISHER_HPP_
