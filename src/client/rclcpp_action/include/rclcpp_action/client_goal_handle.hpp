// A goal, as the client that has sent it sees it.
#ifndef RCLCPP_ACTION__CLIENT_GOAL_HANDLE_HPP_
#define RCLCPP_ACTION__CLIENT_GOAL_HANDLE_HPP_

#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <utility>

#include "action_msgs/msg/goal_status.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp_action/exceptions.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"

namespace rclcpp_action {

/// How a goal has ended.
enum class ResultCode : int8_t {
  UNKNOWN = action_msgs::msg::GoalStatus::STATUS_UNKNOWN,  ///< the server does not know the goal (any more)
  SUCCEEDED = action_msgs::msg::GoalStatus::STATUS_SUCCEEDED,
  CANCELED = action_msgs::msg::GoalStatus::STATUS_CANCELED,
  ABORTED = action_msgs::msg::GoalStatus::STATUS_ABORTED
};

namespace detail {

class ClientState;

/// A message of feedback or a result response, and what is meant in it. The first keeps the second.
struct Received {
  std::shared_ptr<const void> message;
  const void * part;
};

/// What goal handles of every type have in common. Thread-safe.
class RCLCPP_ACTION_PUBLIC ClientGoalHandleBase {
 public:
  RCLCPP_DISABLE_COPY(ClientGoalHandleBase)
  virtual ~ClientGoalHandleBase();

  const GoalUUID & get_goal_id() const { return info_.goal_id.uuid; }
  /// When the server accepted it, as the server says; servers of rclcpp_action of ROS 2 say 0.
  rclcpp::Time get_goal_stamp() const { return info_.stamp; }
  /// A constant of action_msgs/msg/GoalStatus, as the server last told; UNKNOWN once the client is gone.
  int8_t get_status();
  bool is_feedback_aware();
  /// Whether its result was asked for.
  bool is_result_aware();

 protected:
  using FeedbackFunction = std::function<void(const std::shared_ptr<ClientGoalHandleBase> &, const Received &)>;

  ClientGoalHandleBase(const GoalInfo & info, FeedbackFunction feedback_callback);

  /// Ends it, once: \return false when it has ended already.
  bool end(std::int8_t status);
  /// \return what it was before.
  bool exchange_result_aware(bool is_aware);

  std::recursive_mutex callback_mutex_;  ///< while a callback of the user runs; before mutex_
  std::mutex mutex_;                     ///< what is not constant; nothing is called with it

 private:
  friend class ClientState;

  virtual void set_result(std::int8_t status, const Received & result) = 0;
  /// There will be no result. Calls no callback.
  virtual void invalidate(const exceptions::UnawareGoalHandleError & error) = 0;
  virtual void drop_result_callback() = 0;
  void set_status(std::int8_t status);
  void call_feedback(const std::shared_ptr<ClientGoalHandleBase> & self, const Received & feedback);
  /// When it returns, no callback of the goal runs in another thread, and none is called any more.
  void stop_callbacks();

  const GoalInfo info_;
  FeedbackFunction feedback_callback_;  // guarded by mutex_, as what follows
  std::int8_t status_ = GoalStatus::STATUS_ACCEPTED;
  bool is_result_aware_ = false;
  bool has_ended_ = false;
};

/// The result and who is told of it. \tparam WrappedResultT is made of a code, an id and a Received result by its wrap().
template <class WrappedResultT>
class ResultHandle : public ClientGoalHandleBase {
 public:
  using ResultCallback = std::function<void(const WrappedResultT & result)>;

 protected:
  ResultHandle(const GoalInfo & info, FeedbackFunction feedback_callback, ResultCallback result_callback)
      : ClientGoalHandleBase(info, std::move(feedback_callback)), result_callback_(std::move(result_callback)) {}

  /// \throws the reason when there will be none.
  std::shared_future<WrappedResultT> result() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    return future_;
  }
  /// \return the one before.
  ResultCallback exchange_result_callback(ResultCallback callback) {
    const std::lock_guard<std::mutex> lock(mutex_);
    result_callback_.swap(callback);
    return callback;
  }

 private:
  void set_result(std::int8_t status, const Received & result) override {
    const std::lock_guard<std::recursive_mutex> calling(callback_mutex_);
    if (!end(status)) return;
    const WrappedResultT wrapped = WrappedResultT::wrap(get_goal_id(), static_cast<ResultCode>(status), result);
    promise_.set_value(wrapped);
    if (const ResultCallback callback = exchange_result_callback(nullptr)) callback(wrapped);
  }
  void invalidate(const exceptions::UnawareGoalHandleError & error) override {
    if (!end(GoalStatus::STATUS_UNKNOWN)) return;
    exchange_result_aware(false);
    const auto pointer = std::make_exception_ptr(error);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      error_ = pointer;
    }
    promise_.set_exception(pointer);
  }
  void drop_result_callback() override { exchange_result_callback(nullptr); }

  std::promise<WrappedResultT> promise_;
  const std::shared_future<WrappedResultT> future_ = promise_.get_future();
  ResultCallback result_callback_;  // guarded by mutex_
  std::exception_ptr error_;        // guarded by mutex_
};

/// What the result of a goal is told as.
template <class ResultT>
struct WrappedResult {
  GoalUUID goal_id;
  ResultCode code;
  std::shared_ptr<ResultT> result;

  static WrappedResult wrap(const GoalUUID & id, ResultCode code, const Received & result) {
    const auto message = std::const_pointer_cast<void>(result.message);  // a copy of its own
    return {id, code, std::shared_ptr<ResultT>(message, static_cast<ResultT *>(const_cast<void *>(result.part)))};
  }
};

template <class HandleT>
class TypedClient;

}  // namespace detail

/// A goal that a server has accepted. Clients make it; async_send_goal() and callbacks hand it out. Thread-safe.
template <class ActionT>
class ClientGoalHandle : public detail::ResultHandle<detail::WrappedResult<typename ActionT::Result>> {
  using Base = detail::ResultHandle<detail::WrappedResult<typename ActionT::Result>>;

 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ClientGoalHandle)

  using Feedback = typename ActionT::Feedback;
  using Result = typename ActionT::Result;
  using WrappedResult = detail::WrappedResult<Result>;
  /// The feedback is read-only: it lies where the server wrote it. It may be kept.
  using FeedbackCallback =
      std::function<void(typename ClientGoalHandle<ActionT>::SharedPtr, const std::shared_ptr<const Feedback>)>;
  using typename Base::ResultCallback;

 private:
  friend class detail::TypedClient<ClientGoalHandle>;

  ClientGoalHandle(const GoalInfo & info, FeedbackCallback feedback_callback, ResultCallback result_callback)
      : Base(info, erased(std::move(feedback_callback)), std::move(result_callback)) {}

  static typename Base::FeedbackFunction erased(FeedbackCallback && callback) {
    if (!callback) return nullptr;
    return [callback = std::move(callback)](const std::shared_ptr<detail::ClientGoalHandleBase> & self,
                                            const detail::Received & feedback) {
      callback(std::static_pointer_cast<ClientGoalHandle>(self),
               std::shared_ptr<const Feedback>(feedback.message, static_cast<const Feedback *>(feedback.part)));
    };
  }
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__CLIENT_GOAL_HANDLE_HPP_
