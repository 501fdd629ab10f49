// Creating a publisher on anything that can (a node, a pointer to one).
#ifndef RCLCPP__CREATE_PUBLISHER_HPP_
#define RCLCPP__CREATE_PUBLISHER_HPP_

#include <memory>
#include <string>

#include "rclcpp/detail/dereference.hpp"
#include "rclcpp/publisher.hpp"

namespace rclcpp {

template <class MessageT, class AllocatorT = std::allocator<void>, class PublisherT = Publisher<MessageT, AllocatorT>,
          class NodeT>
std::shared_ptr<PublisherT> create_publisher(
    NodeT && node, const std::string & topic_name, const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return detail::dereference(node).template create_publisher<MessageT, AllocatorT, PublisherT>(topic_name, qos,
                                                                                               options);
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_PUBLISHER_HPP_
