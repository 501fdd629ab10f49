// A node: the named place of publishers, subscriptions and timers.
#ifndef RCLCPP__NODE_HPP_
#define RCLCPP__NODE_HPP_

#include <memory>
#include <string>

#include "rclcpp/detail/node_parts.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_options.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Thread-safe. Its calls: detail/node_parts.hpp.
class RCLCPP_PUBLIC Node : public detail::NodeParts, public std::enable_shared_from_this<Node> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Node)

  /// \throws exceptions::InvalidNodeNameError, InvalidNamespaceError, RCLError, UnknownROSArgsError.
  explicit Node(const std::string & node_name, const NodeOptions & options = NodeOptions());
  Node(const std::string & node_name, const std::string & namespace_, const NodeOptions & options = NodeOptions());
  virtual ~Node();

  /// A node that shares everything with this one, whose relative topic names begin with `sub_namespace`.
  /// \throws exceptions::NameValidationError when it is empty or begins with "/".
  Node::SharedPtr create_sub_node(const std::string & sub_namespace);
  const std::string & get_sub_namespace() const { return sub_namespace(); }
  /// "/namespace/sub_namespace".
  const std::string & get_effective_namespace() const { return effective_namespace_; }

 protected:
  Node(const Node & other, const std::string & sub_namespace);

 private:
  const std::string effective_namespace_;
};

}  // namespace rclcpp

#endif  // RCLCPP__NODE_HPP_
