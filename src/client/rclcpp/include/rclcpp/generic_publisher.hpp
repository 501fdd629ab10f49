// A publisher of a type that is known at run time only.
#ifndef RCLCPP__GENERIC_PUBLISHER_HPP_
#define RCLCPP__GENERIC_PUBLISHER_HPP_

#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// Its subscriptions get messages as from any publisher. Thread-safe.
class GenericPublisher : public PublisherBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericPublisher)

  explicit GenericPublisher(detail::PublisherSetup && setup) : PublisherBase(std::move(setup)) {}

  /// CDR of a message of the type, deserialized once. \throws exceptions::RCLError as Publisher::publish(), and for bytes that
  /// are none.
  void publish(const SerializedMessage & message) { publish_serialized(message.get_rcl_serialized_message()); }
  /// The same, since a message that can be lent is.
  void publish_as_loaned_msg(const SerializedMessage & message) { publish(message); }
};

}  // namespace rclcpp

#endif  // RCLCPP__GENERIC_PUBLISHER_HPP_
