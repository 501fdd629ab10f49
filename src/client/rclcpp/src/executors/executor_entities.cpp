// Which nodes, groups, receivers, timers and waitables an executor serves.
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "executors/executor_core.hpp"
#include "rclcpp/subscription_base.hpp"

namespace rclcpp::detail {
namespace {

template <class T>
bool same(const std::weak_ptr<T> & a, const std::weak_ptr<T> & b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

template <class T>
bool contains(const std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & one) {
  return std::any_of(all.begin(), all.end(), [&](const auto & weak) { return same(weak, std::weak_ptr<T>(one)); });
}

template <class T>
bool erase(std::vector<std::weak_ptr<T>> & all, const std::shared_ptr<T> & one) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto & weak) { return same(weak, std::weak_ptr<T>(one)); });
  if (found == all.end()) return false;
  all.erase(found);
  return true;
}

/// The entry of the same member among the former ones, or nullptr. Members mostly keep their order, hence the hint.
template <class Entry>
Entry * find_former(std::vector<Entry> & former, std::size_t & hint, const Entry & entry) {
  for (std::size_t i = 0; i < former.size(); ++i) {
    auto & candidate = former[(hint + i) % former.size()];
    if (!same(candidate.member, entry.member)) continue;
    hint += i + 1;
    return &candidate;
  }
  return nullptr;
}

void let_go(const CallbackGroup::WeakPtr & weak) {
  const auto group = weak.lock();
  if (!group) return;
  group->set_wakeup({});
  group->get_associated_with_executor_atomic().store(false);
}

}  // namespace

ExecutorCore::ExecutorCore(Context::SharedPtr context) : context_(std::move(context)) {}

ExecutorCore::~ExecutorCore() {
  for (const auto & weak : nodes_) {
    const auto node = weak.lock();
    if (!node) continue;
    node->set_wakeup({});
    node->get_associated_with_executor_atomic().store(false);
  }
  for (const auto & group : own_groups_) let_go(group);
  nodes_.clear();
  own_groups_.clear();
  std::vector<std::shared_ptr<void>> garbage;
  collect(garbage);
}

void ExecutorCore::add_node(const NodeBase::SharedPtr & node) {
  if (node->get_associated_with_executor_atomic().exchange(true)) {
    throw std::runtime_error(std::string("Node '") + node->get_fully_qualified_name() +
                             "' has already been added to an executor.");
  }
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    node->set_wakeup(wakeup_);
    nodes_.push_back(node);
  }
  wakeup_->entities_changed();
}

void ExecutorCore::remove_node(const NodeBase::SharedPtr & node) {
  std::vector<std::shared_ptr<void>> garbage;  // dies after the lock
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (!erase(nodes_, node)) {
      throw std::runtime_error(std::string("Node '") + node->get_fully_qualified_name() +
                               "' needs to be associated with this executor.");
    }
    node->set_wakeup({});
    collect(garbage);  // now, so that another executor may have it when this returns
    node->get_associated_with_executor_atomic().store(false);
  }
  wakeup_->entities_changed();
}

void ExecutorCore::add_group(const CallbackGroup::SharedPtr & group, const NodeBase::SharedPtr & node) {
  if (group->get_associated_with_executor_atomic().exchange(true)) {
    throw std::runtime_error("Callback group has already been added to an executor.");
  }
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    own_groups_.push_back(group);
    const auto is_gone = [](const NodeBase::WeakPtr & weak) { return weak.expired(); };
    group_nodes_.erase(std::remove_if(group_nodes_.begin(), group_nodes_.end(), is_gone), group_nodes_.end());
    if (node && !contains(group_nodes_, node)) group_nodes_.push_back(node);
  }
  wakeup_->entities_changed();
}

void ExecutorCore::remove_group(const CallbackGroup::SharedPtr & group) {
  std::vector<std::shared_ptr<void>> garbage;  // dies after the lock
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    if (!erase(own_groups_, group)) {
      throw std::runtime_error("Callback group needs to be associated with this executor, by add_callback_group().");
    }
    collect(garbage);
    let_go(group);
  }
  wakeup_->entities_changed();
}

std::vector<CallbackGroup::WeakPtr> ExecutorCore::groups() {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  const auto all = collect_groups();
  return {all.begin(), all.end()};
}

std::vector<CallbackGroup::WeakPtr> ExecutorCore::own_groups() {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  return own_groups_;
}

std::vector<CallbackGroup::WeakPtr> ExecutorCore::node_groups() {
  const std::lock_guard<std::mutex> lock(state_mutex_);
  collect_groups();
  return node_groups_;
}

ExecutorCore::NodeBase::SharedPtr ExecutorCore::node_of(const CallbackGroup::SharedPtr & group) {
  std::vector<NodeBase::WeakPtr> nodes;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    nodes = nodes_;
    nodes.insert(nodes.end(), group_nodes_.begin(), group_nodes_.end());
  }
  for (const auto & weak : nodes) {
    auto node = weak.lock();
    if (node && node->callback_group_in_node(group)) return node;
  }
  return nullptr;
}

/// The groups that were added, and those of nodes that nobody else has.
std::vector<CallbackGroup::SharedPtr> ExecutorCore::collect_groups() {
  std::vector<CallbackGroup::SharedPtr> result;
  for (const auto & weak : own_groups_) {
    if (auto group = weak.lock()) result.push_back(std::move(group));
  }
  std::vector<CallbackGroup::WeakPtr> of_nodes;
  for (const auto & weak : nodes_) {
    const auto node = weak.lock();
    if (!node) continue;
    node->for_each_callback_group([&](const CallbackGroup::SharedPtr & group) {
      if (!group->automatically_add_to_executor_with_node() || contains(own_groups_, group)) return;
      if (!contains(node_groups_, group) && group->get_associated_with_executor_atomic().exchange(true)) return;
      of_nodes.push_back(group);
      result.push_back(group);
    });
  }
  for (const auto & weak : node_groups_) {
    const auto group = weak.lock();
    if (group && !contains(of_nodes, group)) let_go(group);
  }
  node_groups_ = std::move(of_nodes);
  return result;
}

ExecutorCore::Entities ExecutorCore::entities() {
  const auto append = [](auto & all, auto && some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  };
  Entities result;
  const std::lock_guard<std::mutex> lock(state_mutex_);
  for (const auto & group : collect_groups()) {
    group->set_wakeup(wakeup_);  // before looking: what is added later tells
    append(result.receivers, group->receivers());
    append(result.timers, group->timers());
    append(result.waitables, group->waitables());
  }
  return result;
}

void ExecutorCore::collect(std::vector<std::shared_ptr<void>> & garbage) {
  auto former_receivers = std::move(receivers_);
  auto former_timers = std::move(timers_);
  auto former_waitables = std::move(waitables_);
  receivers_.clear();
  timers_.clear();
  waitables_.clear();
  by_transport_.clear();
  parked_.clear();  // who is not attached will be
  any_asked_ = false;
  std::size_t receiver_hint = 0;
  std::size_t timer_hint = 0;
  std::size_t waitable_hint = 0;
  for (const auto & group : collect_groups()) {
    group->set_wakeup(wakeup_);  // before looking: what is added later tells
    for (auto & receiver : group->receivers()) {
      const auto * const entry_transport = receiver->transport().get();
      ReceiverEntry entry{receiver, receiver->transport(), group};
      if (auto * former = find_former(former_receivers, receiver_hint, entry)) {
        entry = std::move(*former);
        former->attached = false;
      }
      entry.is_subscription = dynamic_cast<const SubscriptionBase *>(receiver.get()) != nullptr;
      entry.listened = receiver->is_listened();
      entry.local = receiver->local();
      any_asked_ = any_asked_ || entry.listened || entry.local;
      if (entry.listened && std::exchange(entry.attached, false)) receiver->listen_again();
      by_transport_.emplace(entry_transport, receivers_.size());
      receivers_.push_back(std::move(entry));
      garbage.push_back(std::move(receiver));
    }
    for (auto & timer : group->timers()) {
      TimerEntry entry{timer, group};
      if (auto * former = find_former(former_timers, timer_hint, entry)) entry = std::move(*former);
      timers_.push_back(std::move(entry));
      garbage.push_back(std::move(timer));
    }
    for (auto & waitable : group->waitables()) {
      WaitableEntry entry{waitable, group};
      if (auto * former = find_former(former_waitables, waitable_hint, entry)) entry = std::move(*former);
      waitables_.push_back(std::move(entry));
      garbage.push_back(std::move(waitable));
    }
  }
  for (const auto & entry : former_receivers) {
    const auto transport = entry.attached ? entry.transport.lock() : nullptr;
    if (transport) wait_set_->detach(transport);
  }
  attach_pending_ = true;
  timers_pending_ = true;
}

}  // namespace rclcpp::detail
