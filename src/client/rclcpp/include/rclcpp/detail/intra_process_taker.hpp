// What a subscription's callback makes of a message that is handed over within the process.
#ifndef RCLCPP__DETAIL__INTRA_PROCESS_TAKER_HPP_
#define RCLCPP__DETAIL__INTRA_PROCESS_TAKER_HPP_

#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "rclcpp/type_adapter.hpp"
#include "rclcpp/visibility_control.hpp"
#include "tandem/owned_message.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// An object of a TypeAdapter's custom type.
using OwnedCustom = std::unique_ptr<void, void (*)(void *)>;

/// What can be done with objects of a custom type; of static lifetime.
struct CustomType {
  const std::type_info * type;
  OwnedCustom (*copy)(const void * custom);  ///< null: it cannot be copied
  tandem::OwnedMessage (*to_message)(const void * custom);
};

struct IntraProcessTaker {
  bool owns = false;                    ///< it may write to the object: it gets one of its own
  const CustomType * custom = nullptr;  ///< that it takes, of a TypeAdapter; null: messages only
};

template <class Adapter>
const CustomType & custom_type() {
  using Custom = typename Adapter::custom_type;
  using Message = typename Adapter::ros_message_type;
  OwnedCustom (*copy)(const void *) = nullptr;
  if constexpr (std::is_copy_constructible_v<Custom>) {
    copy = [](const void * custom) {
      return OwnedCustom(new Custom(*static_cast<const Custom *>(custom)),
                         [](void * object) { delete static_cast<Custom *>(object); });
    };
  }
  static const CustomType type{&typeid(Custom), copy, [](const void * custom) {
                                 auto message = std::make_unique<Message>();
                                 Adapter::convert_to_ros_message(*static_cast<const Custom *>(custom), *message);
                                 return tandem::erase_type(std::move(message));
                               }};
  return type;
}

/// An object for one taker alone; the keeper of its sample.
template <class Owned>
struct Exclusive {
  Owned object;
};

/// Sample::own of a sample whose message is an object of the custom type that its taker takes. It returns null.
RCLCPP_PUBLIC tandem::OwnedMessage custom_sample(const tandem::transport::Sample & sample);

inline bool is_custom(const tandem::transport::Sample & sample) { return sample.own == &custom_sample; }

/// The object of a custom sample, for a taker that owns.
template <class Custom>
std::unique_ptr<Custom> release_custom(const tandem::transport::Sample & sample) {
  auto & exclusive = *static_cast<Exclusive<OwnedCustom> *>(const_cast<void *>(sample.keeper.get()));
  return std::unique_ptr<Custom>(static_cast<Custom *>(exclusive.object.release()));
}

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__INTRA_PROCESS_TAKER_HPP_
