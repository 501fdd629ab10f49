#include "transport/publish_failure.hpp"

#include "rclcpp/exceptions.hpp"

namespace rclcpp::detail {

using tandem::transport::PublishResult;

void throw_publish_failure(const std::string & what, PublishResult result) {
  const auto remedy = [result] {
    switch (result) {
      case PublishResult::kInvalidLoan:
        return "the loaned message is not valid: check is_valid() before, publish it once, on the publisher it is from";
      case PublishResult::kPoolExhausted:
        return "every message is on loan or kept by a subscriber: drop messages sooner, or enlarge the history depth";
      case PublishResult::kNoMemory:
        return "the shared memory is full: free space in its folder, or publish and keep fewer or smaller messages";
      case PublishResult::kTimeout:
        return "for max_blocking_time a reliable keep-all subscription was too far behind: let it take faster, or use "
               "keep-last; the transport's log names its process";
      case PublishResult::kClosed: return "the middleware is shut down";
      case PublishResult::kOk: break;
    }
    return "unknown error";
  };
  throw exceptions::RCLError(result == PublishResult::kTimeout ? RCL_RET_TIMEOUT : RCL_RET_ERROR,
                             what + ": " + remedy());
}

}  // namespace rclcpp::detail
