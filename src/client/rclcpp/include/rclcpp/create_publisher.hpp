// Creating a publisher on anything that is like a node.
#ifndef RCLCPP__CREATE_PUBLISHER_HPP_
#define RCLCPP__CREATE_PUBLISHER_HPP_

#include <memory>
#include <string>

#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/type_adapter.hpp"

namespace rclcpp {
namespace detail {

/// \param parameters null: of a node without.
template <class MessageT, class AllocatorT, class PublisherT>
std::shared_ptr<PublisherT> create_publisher(node_interfaces::NodeParametersInterface * parameters,
                                             node_interfaces::NodeTopicsInterface & topics,
                                             const std::string & topic_name, const QoS & qos,
                                             const PublisherOptionsWithAllocator<AllocatorT> & options) {
  const auto & overriding = options.qos_overriding_options;
  const QoS actual_qos =
      overriding.get_policy_kinds().empty()
          ? qos
          : overridden_qos(parameters, overriding, topics.resolve_topic_name(topic_name), qos, "publisher");
  auto publisher = std::make_shared<PublisherT>(topics.open_publisher(
      tandem::message_type<typename TypeAdapter<MessageT>::ros_message_type>(), topic_name, actual_qos, options));
  topics.add_publisher(publisher, options.callback_group);
  return publisher;
}

}  // namespace detail

/// \param node a node, a pointer to one, or a shared pointer to a NodeTopicsInterface. The name is relative to the
/// namespace of the node, also for a sub-node. \throws as Node::create_publisher().
template <class MessageT, class AllocatorT = std::allocator<void>, class PublisherT = Publisher<MessageT, AllocatorT>,
          class NodeT>
std::shared_ptr<PublisherT> create_publisher(
    NodeT && node, const std::string & topic_name, const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  const auto parameters = detail::get_interface_if_any<node_interfaces::NodeParametersInterface>(node);
  return detail::create_publisher<MessageT, AllocatorT, PublisherT>(
      parameters.get(), *node_interfaces::get_node_topics_interface(node), topic_name, qos, options);
}

template <class MessageT, class AllocatorT = std::allocator<void>, class PublisherT = Publisher<MessageT, AllocatorT>>
std::shared_ptr<PublisherT> create_publisher(
    const node_interfaces::NodeParametersInterface::SharedPtr & node_parameters,
    const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics, const std::string & topic_name,
    const QoS & qos,
    const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return detail::create_publisher<MessageT, AllocatorT, PublisherT>(node_parameters.get(), *node_topics, topic_name,
                                                                    qos, options);
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_PUBLISHER_HPP_
