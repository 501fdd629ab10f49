// Publishing and subscribing with a type of one's own in place of the message, converted on the way.
//
//   template <> struct rclcpp::TypeAdapter<Mine, pkg::msg::Theirs> {
//     using is_specialized = std::true_type;
//     using custom_type = Mine;
//     using ros_message_type = pkg::msg::Theirs;
//     static void convert_to_ros_message(const Mine & source, pkg::msg::Theirs & destination);
//     static void convert_to_custom(const pkg::msg::Theirs & source, Mine & destination);
//   };
//   node.create_publisher<rclcpp::TypeAdapter<Mine, pkg::msg::Theirs>>(...)
#ifndef RCLCPP__TYPE_ADAPTER_HPP_
#define RCLCPP__TYPE_ADAPTER_HPP_

#include <type_traits>

namespace rclcpp {

template <class CustomT, class RosMessageT = void, class Enable = void>
struct TypeAdapter {
  using is_specialized = std::false_type;
  using custom_type = CustomT;
  using ros_message_type = CustomT;
};

template <class T>
struct is_type_adapter : std::false_type {};
template <class... Ts>
struct is_type_adapter<TypeAdapter<Ts...>> : std::true_type {};

/// An adapter may stand wherever a message type does.
template <class T>
struct TypeAdapter<T, void, std::enable_if_t<is_type_adapter<T>::value>> : T {};

/// Which adapter a type of one's own means when it stands alone: see the macro below.
template <class CustomT>
struct ImplicitTypeAdapter {
  using is_specialized = std::false_type;
};
template <class T>
struct TypeAdapter<T, void, std::enable_if_t<ImplicitTypeAdapter<T>::is_specialized::value>> : ImplicitTypeAdapter<T> {
};

/// adapt_type<Mine>::as<pkg::msg::Theirs>
template <class CustomT>
struct adapt_type {
  template <class RosMessageT>
  using as =
      std::enable_if_t<TypeAdapter<CustomT, RosMessageT>::is_specialized::value, TypeAdapter<CustomT, RosMessageT>>;
};

}  // namespace rclcpp

#define RCLCPP_USING_CUSTOM_TYPE_AS_ROS_MESSAGE_TYPE(CustomT, RosMessageT)                          \
  template <>                                                                                       \
  struct rclcpp::ImplicitTypeAdapter<CustomT> : public rclcpp::TypeAdapter<CustomT, RosMessageT> {  \
    static_assert(is_specialized::value, "there is no TypeAdapter for this type and this message"); \
  }

#endif  // RCLCPP__TYPE_ADAPTER_HPP_
