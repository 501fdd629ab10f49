// A node behind a reference, a raw pointer or a shared pointer.
#ifndef RCLCPP__DETAIL__DEREFERENCE_HPP_
#define RCLCPP__DETAIL__DEREFERENCE_HPP_

#include <memory>

namespace rclcpp {
namespace detail {

template <class NodeT>
NodeT & dereference(NodeT & node) {
  return node;
}
template <class NodeT>
NodeT & dereference(NodeT * node) {
  return *node;
}
template <class NodeT>
NodeT & dereference(const std::shared_ptr<NodeT> & node) {
  return *node;
}
template <class NodeT>
NodeT & dereference(std::shared_ptr<NodeT> & node) {
  return *node;
}

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__DETAIL__DEREFERENCE_HPP_
