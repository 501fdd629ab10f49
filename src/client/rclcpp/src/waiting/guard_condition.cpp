// Guard conditions, and what waitables do unless they are derived.
#include "rclcpp/guard_condition.hpp"

#include <stdexcept>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/waitable.hpp"
#include "waiting/wakeup.hpp"

rcl_ret_t rcl_wait_set_add_guard_condition(rcl_wait_set_t * wait_set, const rcl_guard_condition_t * guard_condition,
                                           std::size_t * index) {
  if (!wait_set || !guard_condition) return RCL_RET_INVALID_ARGUMENT;
  if (index) *index = wait_set->guard_conditions.size();
  wait_set->guard_conditions.push_back(guard_condition);
  wait_set->size_of_guard_conditions = wait_set->guard_conditions.size();
  guard_condition->owner->set_wakeup(wait_set->wakeup);
  return RCL_RET_OK;
}

namespace rclcpp {

GuardCondition::GuardCondition(const Context::SharedPtr & context) {
  if (!context) throw std::invalid_argument("the context of a guard condition is null");
  if (!context->is_valid()) {
    throw exceptions::RCLInvalidArgument("the context of a guard condition is not valid; call rclcpp::init() before");
  }
}

GuardCondition::~GuardCondition() = default;

void GuardCondition::trigger() {
  triggered_.store(true);
  on_trigger_.happened();
  std::unique_lock<std::mutex> lock(mutex_);
  const auto wakeup = wakeup_.lock();
  lock.unlock();
  if (wakeup) wakeup->wake();
}

void GuardCondition::set_on_trigger_callback(std::function<void(size_t)> callback) {
  on_trigger_.set(std::move(callback));
}

void GuardCondition::add_to_wait_set(rcl_wait_set_t & wait_set) {
  rcl_wait_set_add_guard_condition(&wait_set, &handle_, nullptr);
}

/// The lock orders it with trigger(): either that one wakes the new waiter, or the waiter sees the trigger.
void GuardCondition::set_wakeup(const std::weak_ptr<detail::Wakeup> & wakeup) {
  const std::lock_guard<std::mutex> lock(mutex_);
  wakeup_ = wakeup;
}

// ---- waitables -----------------------------------------------------------------------------------------------------

namespace {
[[noreturn]] void refuse(const char * what) {
  throw exceptions::UnimplementedError(std::string("a waitable was used that does not override ") + what);
}
}  // namespace

void Waitable::add_to_wait_set(rcl_wait_set_t & wait_set) { add_to_wait_set(&wait_set); }
void Waitable::add_to_wait_set(rcl_wait_set_t *) { refuse("add_to_wait_set()"); }
bool Waitable::is_ready(const rcl_wait_set_t & wait_set) { return is_ready(const_cast<rcl_wait_set_t *>(&wait_set)); }
bool Waitable::is_ready(rcl_wait_set_t *) { refuse("is_ready()"); }

void Waitable::execute(const std::shared_ptr<void> & data) {
  std::shared_ptr<void> copy = data;
  execute(copy);
}
void Waitable::execute(std::shared_ptr<void> &) { refuse("execute()"); }

std::shared_ptr<void> Waitable::take_data_by_entity_id(size_t) { refuse("take_data_by_entity_id()"); }
void Waitable::set_on_ready_callback(std::function<void(size_t, int)>) { refuse("set_on_ready_callback()"); }
void Waitable::clear_on_ready_callback() { refuse("clear_on_ready_callback()"); }

}  // namespace rclcpp
