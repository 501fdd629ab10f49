// A node's names and groups.
#include "rclcpp/node_interfaces/node_base_interface.hpp"

#include <algorithm>

#include "context/arguments.hpp"
#include "node/used_types.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/node_options.hpp"
#include "transport/transport_error.hpp"
#include "waiting/wakeup.hpp"

namespace rclcpp::node_interfaces {
namespace {

std::string absolute(const std::string & name_space) {
  if (name_space.empty()) return "/";
  return name_space[0] == '/' ? name_space : "/" + name_space;
}

}  // namespace

NodeBaseInterface::NodeBaseInterface(const std::string & name, const std::string & name_space,
                                     const NodeOptions & options)
    : context_(options.context()),
      use_intra_process_(options.use_intra_process_comms()),
      enable_topic_statistics_(options.enable_topic_statistics()),
      used_types_(std::make_shared<detail::UsedTypes>()) {
  local_arguments_ = std::make_shared<detail::Arguments>(detail::parse_arguments(options.arguments()));
  if (options.use_global_arguments()) global_arguments_ = context_->arguments();
  detail::require_node_name(name);
  detail::require_namespace(absolute(name_space));
  name_.name = detail::remap_node_name(local_arguments_.get(), global_arguments_.get(), name).value_or(name);
  name_.name_space =
      detail::remap_namespace(local_arguments_.get(), global_arguments_.get(), name).value_or(absolute(name_space));
  fully_qualified_name_ = detail::NodePath{name_.name_space, name_.name}.full();
  transport_ = context_->transport();
  presence_ = detail::transport_call([&] { return transport_->create_node(name_); });
  default_group_ = create_callback_group(CallbackGroupType::MutuallyExclusive);
}

NodeBaseInterface::~NodeBaseInterface() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto wakeup = wakeup_.lock()) wakeup->entities_changed();
}

CallbackGroup::SharedPtr NodeBaseInterface::create_callback_group(CallbackGroupType type, bool automatically_add) {
  auto group = std::make_shared<CallbackGroup>(type, automatically_add);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto dead = [](const CallbackGroup::WeakPtr & weak) { return weak.expired(); };
    groups_.erase(std::remove_if(groups_.begin(), groups_.end(), dead), groups_.end());
    groups_.push_back(group);
    if (const auto wakeup = wakeup_.lock()) wakeup->entities_changed();
  }
  trigger_notify_guard_condition();
  return group;
}

bool NodeBaseInterface::callback_group_in_node(const CallbackGroup::SharedPtr & group) const {
  bool found = false;
  for_each_callback_group([&](const CallbackGroup::SharedPtr & other) { found = found || other == group; });
  return found;
}

void NodeBaseInterface::for_each_callback_group(const std::function<void(CallbackGroup::SharedPtr)> & function) const {
  std::vector<CallbackGroup::WeakPtr> copy;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    copy = groups_;
  }
  for (const auto & weak : copy) {
    if (auto group = weak.lock()) function(std::move(group));
  }
}

std::string NodeBaseInterface::resolve_topic_or_service_name(const std::string & name, bool is_service,
                                                             bool only_expand) const {
  const detail::NodePath path{name_.name_space, name_.name};
  const std::string expanded = detail::expand_name(name, path, is_service);
  if (only_expand) return expanded;
  return detail::remap_name(local_arguments_.get(), global_arguments_.get(), expanded, path, is_service);
}

CallbackGroup::SharedPtr NodeBaseInterface::group_or_default(CallbackGroup::SharedPtr group, const char * what) const {
  if (!group) return default_group_;
  if (!callback_group_in_node(group)) throw exceptions::MissingGroupNodeException(what);
  return group;
}

GuardCondition::SharedPtr NodeBaseInterface::get_shared_notify_guard_condition() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!notify_) notify_ = std::make_shared<GuardCondition>(context_);
  return notify_;
}

void NodeBaseInterface::trigger_notify_guard_condition() {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto notify = notify_;
  lock.unlock();
  if (notify) notify->trigger();
}

void NodeBaseInterface::set_wakeup(std::weak_ptr<detail::Wakeup> wakeup) {
  const std::lock_guard<std::mutex> lock(mutex_);
  wakeup_ = std::move(wakeup);
}

}  // namespace rclcpp::node_interfaces
