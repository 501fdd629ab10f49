// How waiting for a future ended.
#ifndef RCLCPP__FUTURE_RETURN_CODE_HPP_
#define RCLCPP__FUTURE_RETURN_CODE_HPP_

#include <ostream>
#include <string>

#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

enum class FutureReturnCode { SUCCESS, INTERRUPTED, TIMEOUT };

RCLCPP_PUBLIC std::string to_string(const FutureReturnCode & code);
RCLCPP_PUBLIC std::ostream & operator<<(std::ostream & os, const FutureReturnCode & code);

namespace executor {
using FutureReturnCode = rclcpp::FutureReturnCode;
}

}  // namespace rclcpp

#endif  // RCLCPP__FUTURE_RETURN_CODE_HPP_
