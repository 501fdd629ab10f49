// From a user's callback, in any of its forms, to a function of a received sample.
//
// The form is found by asking what the callback can be called with, in this order, each first without and then with
// a MessageInfo: of a TypeAdapter shared_ptr<const Custom> · unique_ptr<Custom> (which shared_ptr<Custom> is made of, too)
// · const Custom & (converted, unless the object itself was handed over) · shared_ptr<const T> (zero-copy) · shared_ptr<T>
// (its own, copied where it writes; of an _hbmem subscription the shared read-only message itself) · unique_ptr<T> (its
// own, copied where it writes) · const T & (zero-copy). Where none of them fits, each with SerializedMessage in place of T.
#ifndef RCLCPP__ANY_SUBSCRIPTION_CALLBACK_HPP_
#define RCLCPP__ANY_SUBSCRIPTION_CALLBACK_HPP_

#include <memory>
#include <type_traits>
#include <utility>

#include "rclcpp/detail/intra_process_taker.hpp"
#include "rclcpp/detail/sample.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/type_adapter.hpp"

namespace rclcpp {
namespace detail {

enum class MutablePointer { kOwn, kShared };

/// Whether the callback takes the message in one of the forms above.
template <class CallbackT, class MessageT>
constexpr bool takes_message() {
  using F = std::decay_t<CallbackT> &;
  using Const = std::shared_ptr<const MessageT>;
  using Mutable = std::shared_ptr<MessageT>;
  using Unique = std::unique_ptr<MessageT>;
  using Info = const MessageInfo &;
  return std::is_invocable_v<F, Const> || std::is_invocable_v<F, Const, Info> || std::is_invocable_v<F, Mutable> ||
         std::is_invocable_v<F, Mutable, Info> || std::is_invocable_v<F, Unique> ||
         std::is_invocable_v<F, Unique, Info> || std::is_invocable_v<F, const MessageT &> ||
         std::is_invocable_v<F, const MessageT &, Info>;
}

/// Whether it takes SerializedMessages, and neither the message nor, of a TypeAdapter, the custom type.
template <class CallbackT, class MessageT>
constexpr bool takes_serialized() {
  using Adapter = TypeAdapter<MessageT>;
  return takes_message<CallbackT, SerializedMessage>() && !takes_message<CallbackT, typename Adapter::custom_type>() &&
         !takes_message<CallbackT, typename Adapter::ros_message_type>();
}
template <class CallbackT, class MessageT>
constexpr DeliveredMessageKind delivered_kind() {
  return takes_serialized<CallbackT, MessageT>() ? DeliveredMessageKind::SERIALIZED_MESSAGE
                                                 : DeliveredMessageKind::ROS_MESSAGE;
}

template <class MessageT, MutablePointer kMutable>
std::shared_ptr<MessageT> share_mutable(const tandem::transport::Sample & sample) {
  if constexpr (kMutable == MutablePointer::kShared) {
    return std::const_pointer_cast<MessageT>(share<MessageT>(sample));
  } else {
    return own_shared<MessageT>(sample);
  }
}

/// The callback takes the message.
template <class MessageT, MutablePointer kMutable, class CallbackT>
SampleCallback message_callback(CallbackT && user_callback) {
  using F = std::decay_t<CallbackT> &;
  using Const = std::shared_ptr<const MessageT>;
  using Mutable = std::shared_ptr<MessageT>;
  using Unique = std::unique_ptr<MessageT>;
  using Info = const MessageInfo &;
  using Sample = tandem::transport::Sample;
  std::decay_t<CallbackT> f(std::forward<CallbackT>(user_callback));

  if constexpr (std::is_invocable_v<F, Const>) {
    return [f = std::move(f)](Sample & s) mutable { f(share<MessageT>(s)); };
  } else if constexpr (std::is_invocable_v<F, Const, Info>) {
    return [f = std::move(f)](Sample & s) mutable { f(share<MessageT>(s), message_info(s.info)); };
  } else if constexpr (std::is_invocable_v<F, Mutable>) {
    return [f = std::move(f)](Sample & s) mutable { f(share_mutable<MessageT, kMutable>(s)); };
  } else if constexpr (std::is_invocable_v<F, Mutable, Info>) {
    return [f = std::move(f)](Sample & s) mutable { f(share_mutable<MessageT, kMutable>(s), message_info(s.info)); };
  } else if constexpr (std::is_invocable_v<F, Unique>) {
    return [f = std::move(f)](Sample & s) mutable { f(own_unique<MessageT>(s)); };
  } else if constexpr (std::is_invocable_v<F, Unique, Info>) {
    return [f = std::move(f)](Sample & s) mutable { f(own_unique<MessageT>(s), message_info(s.info)); };
  } else if constexpr (std::is_invocable_v<F, const MessageT &>) {
    return [f = std::move(f)](Sample & s) mutable { f(view<MessageT>(s)); };
  } else {
    static_assert(std::is_invocable_v<F, const MessageT &, Info>,
                  "a subscription's callback takes the message, or an rclcpp::SerializedMessage, as const T &, "
                  "ConstSharedPtr, SharedPtr or UniquePtr, and may take a const rclcpp::MessageInfo & after it");
    return [f = std::move(f)](Sample & s) mutable { f(view<MessageT>(s), message_info(s.info)); };
  }
}

template <class Adapter>
std::unique_ptr<typename Adapter::custom_type> to_custom(const tandem::transport::Sample & sample) {
  if (is_custom(sample)) return release_custom<typename Adapter::custom_type>(sample);
  auto custom = std::make_unique<typename Adapter::custom_type>();
  Adapter::convert_to_custom(view<typename Adapter::ros_message_type>(sample), *custom);
  return custom;
}

template <class Adapter>
std::shared_ptr<const typename Adapter::custom_type> to_shared_custom(const tandem::transport::Sample & sample) {
  using Custom = typename Adapter::custom_type;
  return is_custom(sample) ? share<Custom>(sample) : std::shared_ptr<const Custom>(to_custom<Adapter>(sample));
}

/// How the callback takes the custom type.
enum class CustomForm { kNone, kShared, kUnique, kReference };

template <class CallbackT, class MessageT>
constexpr CustomForm custom_form() {
  using F = std::decay_t<CallbackT> &;
  using Custom = typename TypeAdapter<MessageT>::custom_type;
  using Const = std::shared_ptr<const Custom>;
  using Unique = std::unique_ptr<Custom>;
  using Info = const MessageInfo &;
  if constexpr (!TypeAdapter<MessageT>::is_specialized::value || takes_serialized<CallbackT, MessageT>()) {
    return CustomForm::kNone;
  } else if constexpr (std::is_invocable_v<F, Const> || std::is_invocable_v<F, Const, Info>) {
    return CustomForm::kShared;
  } else if constexpr (std::is_invocable_v<F, Unique> || std::is_invocable_v<F, Unique, Info>) {
    return CustomForm::kUnique;
  } else if constexpr (std::is_invocable_v<F, const Custom &> || std::is_invocable_v<F, const Custom &, Info>) {
    return CustomForm::kReference;
  } else {
    return CustomForm::kNone;
  }
}

/// What is to be handed over to the callback.
template <class CallbackT, class MessageT, MutablePointer kMutable>
IntraProcessTaker taker_of() {
  using F = std::decay_t<CallbackT> &;
  using Message = typename TypeAdapter<MessageT>::ros_message_type;
  using Const = std::shared_ptr<const Message>;
  using Mutable = std::shared_ptr<Message>;
  using Unique = std::unique_ptr<Message>;
  using Info = const MessageInfo &;
  constexpr CustomForm kForm = custom_form<CallbackT, MessageT>();
  if constexpr (kForm != CustomForm::kNone) {
    return {kForm == CustomForm::kUnique, &custom_type<TypeAdapter<MessageT>>()};
  } else if constexpr (takes_serialized<CallbackT, MessageT>() || std::is_invocable_v<F, Const> ||
                       std::is_invocable_v<F, Const, Info>) {
    return {};
  } else if constexpr (std::is_invocable_v<F, Mutable> || std::is_invocable_v<F, Mutable, Info>) {
    return {kMutable == MutablePointer::kOwn, nullptr};
  } else {
    return {std::is_invocable_v<F, Unique> || std::is_invocable_v<F, Unique, Info>, nullptr};
  }
}

/// Calls it with what it takes, and with a MessageInfo if it takes that, too.
template <class Taken, class F>
void call(F & f, Taken && taken, const tandem::transport::Sample & sample) {
  if constexpr (std::is_invocable_v<F &, Taken>) {
    f(std::forward<Taken>(taken));
  } else {
    f(std::forward<Taken>(taken), message_info(sample.info));
  }
}

/// The callback takes CDR. It is its own, whatever the kind of subscription.
template <class CallbackT>
SampleCallback serialized_callback(CallbackT && user_callback) {
  return message_callback<SerializedMessage, MutablePointer::kShared>(std::forward<CallbackT>(user_callback));
}

/// MessageT may be a TypeAdapter; then the callback takes the custom type or the message.
template <class MessageT, MutablePointer kMutable, class CallbackT>
SampleCallback sample_callback(CallbackT && user_callback) {
  using F = std::decay_t<CallbackT>;
  using Adapter = TypeAdapter<MessageT>;
  using Sample = tandem::transport::Sample;
  constexpr CustomForm kForm = custom_form<CallbackT, MessageT>();

  if constexpr (takes_serialized<CallbackT, MessageT>()) {
    return serialized_callback(std::forward<CallbackT>(user_callback));
  } else if constexpr (kForm == CustomForm::kShared) {
    return [f = F(std::forward<CallbackT>(user_callback))](Sample & s) mutable {
      call(f, to_shared_custom<Adapter>(s), s);
    };
  } else if constexpr (kForm == CustomForm::kUnique) {
    return [f = F(std::forward<CallbackT>(user_callback))](Sample & s) mutable { call(f, to_custom<Adapter>(s), s); };
  } else if constexpr (kForm == CustomForm::kReference) {
    return [f = F(std::forward<CallbackT>(user_callback))](Sample & s) mutable {
      call(f, *to_shared_custom<Adapter>(s), s);
    };
  } else {
    return message_callback<typename Adapter::ros_message_type, kMutable>(std::forward<CallbackT>(user_callback));
  }
}

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__ANY_SUBSCRIPTION_CALLBACK_HPP_
