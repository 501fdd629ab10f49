// The writing end of a topic.
#ifndef RCLCPP__PUBLISHER_HPP_
#define RCLCPP__PUBLISHER_HPP_

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rclcpp/loaned_message.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/type_adapter.hpp"

namespace rclcpp {

/// Publishing is ignored once the context is shut down. It throws exceptions::RCLError when the message cannot be
/// published (pool exhausted, memory full, a reliable keep-all reader too slow), std::invalid_argument for null.
template <class MessageT, class AllocatorT = std::allocator<void>>
class Publisher : public PublisherBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Publisher)
  using ROSMessageType = typename TypeAdapter<MessageT>::ros_message_type;
  using PublishedType = typename TypeAdapter<MessageT>::custom_type;

  explicit Publisher(detail::PublisherSetup && setup) : PublisherBase(std::move(setup)) {}

  /// Memory to fill in place. \throws exceptions::RCLError when the pool or the memory is exhausted.
  LoanedMessage<ROSMessageType, AllocatorT> borrow_loaned_message() {
    return LoanedMessage<ROSMessageType, AllocatorT>(borrow_or_throw());
  }

  /// Moves: no copy when the transport can use the message where it is.
  void publish(std::unique_ptr<ROSMessageType> message) {
    if (!message) throw std::invalid_argument("publish() was given a null unique_ptr");
    publish_owned(tandem::erase_type(std::move(message)));
  }

  /// Copies once.
  void publish(const ROSMessageType & message) { publish_copy(&message); }

  /// No copy. \throws exceptions::RCLError for an invalid or foreign loan.
  void publish(LoanedMessage<ROSMessageType, AllocatorT> && loaned_message) {
    publish_loan(std::move(loaned_message.loan_));
  }

  /// Copies once, and frees the message as its deleter does.
  template <class DeleterT>
  void publish(std::unique_ptr<ROSMessageType, DeleterT> message) {
    if (!message) throw std::invalid_argument("publish() was given a null unique_ptr");
    publish_copy(message.get());
  }

  /// CDR of a message of the type, deserialized once. \throws exceptions::RCLError, too, for bytes that are none.
  void publish(const SerializedMessage & message) { publish_serialized(message.get_rcl_serialized_message()); }
  void publish(const rcl_serialized_message_t & message) { publish_serialized(message); }

  // Of a TypeAdapter: its custom type, converted into the message that is published. With intra-process delivery
  // subscriptions that take the custom type get the object itself.
  template <class T>
  std::enable_if_t<TypeAdapter<MessageT>::is_specialized::value && std::is_same_v<T, PublishedType>> publish(
      const T & custom) {
    if constexpr (std::is_copy_constructible_v<T>) {
      if (this->is_wanted(custom_type())) return this->publish_custom(custom_type().copy(&custom), custom_type());
    }
    auto message = std::make_unique<ROSMessageType>();
    TypeAdapter<MessageT>::convert_to_ros_message(custom, *message);
    publish(std::move(message));
  }
  template <class T>
  std::enable_if_t<TypeAdapter<MessageT>::is_specialized::value && std::is_same_v<T, PublishedType>> publish(
      std::unique_ptr<T> custom) {
    if (!custom) throw std::invalid_argument("publish() was given a null unique_ptr");
    if (!this->is_wanted(custom_type())) return publish(*custom);
    this->publish_custom(detail::OwnedCustom(custom.release(), [](void * object) { delete static_cast<T *>(object); }),
                         custom_type());
  }

 private:
  static const detail::CustomType & custom_type() { return detail::custom_type<TypeAdapter<MessageT>>(); }
};

}  // namespace rclcpp

#endif  // RCLCPP__PUBLISHER_HPP_
