// Which messages a subscription wants, by what is in them.
#ifndef RCLCPP__SUBSCRIPTION_CONTENT_FILTER_OPTIONS_HPP_
#define RCLCPP__SUBSCRIPTION_CONTENT_FILTER_OPTIONS_HPP_

#include <string>
#include <vector>

namespace rclcpp {

/// See SubscriptionBase::set_content_filter(). Without an expression there is none.
struct ContentFilterOptions {
  std::string filter_expression;
  std::vector<std::string> expression_parameters;
};

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_CONTENT_FILTER_OPTIONS_HPP_
