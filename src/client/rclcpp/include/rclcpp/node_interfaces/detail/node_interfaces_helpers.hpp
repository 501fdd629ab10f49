// How each interface of nodes is found in something like a node. An interface's header names it once, by the macro
// below; get_node_topics_interface(node_like) and the member of NodeInterfaces of that name follow from it.
#ifndef RCLCPP__NODE_INTERFACES__DETAIL__NODE_INTERFACES_HELPERS_HPP_
#define RCLCPP__NODE_INTERFACES__DETAIL__NODE_INTERFACES_HELPERS_HPP_

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace rclcpp {
namespace detail {

/// Specialised for each interface: from(node_like), and the member of NodeInterfaces.
template <class InterfaceT>
struct InterfaceAccess;

template <class InterfaceT, class NodeT, class = void>
struct HasInterface : std::false_type {};
template <class InterfaceT, class NodeT>
struct HasInterface<InterfaceT, NodeT,
                    std::void_t<decltype(InterfaceAccess<InterfaceT>::from(std::declval<NodeT &>()))>>
    : std::true_type {};

template <class T, class = void>
struct IsPointerLike : std::false_type {};
template <class T>
struct IsPointerLike<T, std::void_t<decltype(*std::declval<T &>())>> : std::true_type {};

/// Null when what is like a node has no such interface.
/// \param node_like a node, a pointer of any kind to one, or a shared pointer to an interface itself.
/// \throws std::invalid_argument for a null pointer.
template <class InterfaceT, class NodeT>
std::shared_ptr<InterfaceT> get_interface_if_any(NodeT & node_like) {
  if constexpr (HasInterface<InterfaceT, NodeT>::value) {
    return InterfaceAccess<InterfaceT>::from(node_like);
  } else if constexpr (IsPointerLike<NodeT>::value) {
    if (!node_like) throw std::invalid_argument("node cannot be nullptr");
    if constexpr (std::is_same_v<std::remove_const_t<NodeT>, std::shared_ptr<InterfaceT>>) {
      return node_like;
    } else {
      return get_interface_if_any<InterfaceT>(*node_like);
    }
  } else {
    return nullptr;
  }
}

template <class InterfaceT, class NodeT>
constexpr bool has_interface() {
  if constexpr (HasInterface<InterfaceT, NodeT>::value) {
    return true;
  } else if constexpr (IsPointerLike<NodeT>::value) {
    return std::is_same_v<std::remove_const_t<NodeT>, std::shared_ptr<InterfaceT>> ||
           HasInterface<InterfaceT, std::remove_reference_t<decltype(*std::declval<NodeT &>())>>::value;
  } else {
    return false;
  }
}

/// The same for who must have it.
template <class InterfaceT, class NodeT>
std::shared_ptr<InterfaceT> get_interface(NodeT & node_like) {
  static_assert(has_interface<InterfaceT, NodeT>(), "this is no node, pointer to a node or interface of one");
  return get_interface_if_any<InterfaceT>(node_like);
}

}  // namespace detail
}  // namespace rclcpp

/// Names an interface; to be used outside of all namespaces. Interfaces of one's own may be named so, too.
#define RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(InterfaceType, InterfaceName)                   \
  namespace rclcpp {                                                                          \
  namespace detail {                                                                          \
  template <>                                                                                 \
  struct InterfaceAccess<InterfaceType> {                                                     \
    template <class NodeT>                                                                    \
    static auto from(NodeT & node) -> decltype(node.get_node_##InterfaceName##_interface()) { \
      return node.get_node_##InterfaceName##_interface();                                     \
    }                                                                                         \
    template <class InterfacesT>                                                              \
    struct Member {                                                                           \
      std::shared_ptr<InterfaceType> get_node_##InterfaceName##_interface() {                 \
        return static_cast<InterfacesT *>(this)->template get<InterfaceType>();               \
      }                                                                                       \
    };                                                                                        \
  };                                                                                          \
  } /* namespace detail */                                                                    \
  namespace node_interfaces {                                                                 \
  template <class NodeT>                                                                      \
  std::shared_ptr<InterfaceType> get_node_##InterfaceName##_interface(NodeT && node_like) {   \
    return detail::get_interface<InterfaceType>(node_like);                                   \
  }                                                                                           \
  } /* namespace node_interfaces */                                                           \
  } /* namespace rclcpp */

#endif  // RCLCPP__NODE_INTERFACES__DETAIL__NODE_INTERFACES_HELPERS_HPP_
