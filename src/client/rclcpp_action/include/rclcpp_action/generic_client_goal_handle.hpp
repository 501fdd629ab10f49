// A goal of a client of actions whose type is known at run time only.
#ifndef RCLCPP_ACTION__GENERIC_CLIENT_GOAL_HANDLE_HPP_
#define RCLCPP_ACTION__GENERIC_CLIENT_GOAL_HANDLE_HPP_

#include <functional>
#include <memory>
#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp_action/client_goal_handle.hpp"

namespace rclcpp_action {
namespace detail {

struct GenericWrappedResult {
  GoalUUID goal_id;
  rclcpp_action::ResultCode code;
  const void * result;                    ///< a message of the action's result, in the response
  std::shared_ptr<void> result_response;  ///< of the service get_result; keeps the result

  static GenericWrappedResult wrap(const GoalUUID & id, rclcpp_action::ResultCode code, const Received & result) {
    return {id, code, result.part, std::const_pointer_cast<void>(result.message)};
  }
};

}  // namespace detail

/// As ClientGoalHandle, with messages behind pointers without a type.
class GenericClientGoalHandle : public detail::ResultHandle<detail::GenericWrappedResult> {
  using Base = detail::ResultHandle<detail::GenericWrappedResult>;

 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(GenericClientGoalHandle)

  using ResultCode = rclcpp_action::ResultCode;
  using WrappedResult = detail::GenericWrappedResult;
  /// The feedback is valid until the callback returns.
  using FeedbackCallback = std::function<void(GenericClientGoalHandle::SharedPtr, const void *)>;
  using Base::ResultCallback;

 private:
  friend class detail::TypedClient<GenericClientGoalHandle>;

  GenericClientGoalHandle(const GoalInfo & info, FeedbackCallback feedback_callback, ResultCallback result_callback)
      : Base(info, erased(std::move(feedback_callback)), std::move(result_callback)) {}

  static FeedbackFunction erased(FeedbackCallback && callback) {
    if (!callback) return nullptr;
    return [callback = std::move(callback)](const std::shared_ptr<detail::ClientGoalHandleBase> & self,
                                            const detail::Received & feedback) {
      callback(std::static_pointer_cast<GenericClientGoalHandle>(self), feedback.part);
    };
  }
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__GENERIC_CLIENT_GOAL_HANDLE_HPP_
