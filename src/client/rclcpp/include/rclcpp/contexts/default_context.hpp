// The context that rclcpp::init() initialises and that everything uses unless told otherwise.
#ifndef RCLCPP__CONTEXTS__DEFAULT_CONTEXT_HPP_
#define RCLCPP__CONTEXTS__DEFAULT_CONTEXT_HPP_

#include "rclcpp/context.hpp"

namespace rclcpp {
namespace contexts {

class DefaultContext : public Context {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(DefaultContext)
};

/// Lives until the process ends.
RCLCPP_PUBLIC DefaultContext::SharedPtr get_global_default_context();

}  // namespace contexts
}  // namespace rclcpp

#endif  // RCLCPP__CONTEXTS__DEFAULT_CONTEXT_HPP_
