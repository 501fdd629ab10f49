// A container that gives each of its nodes an executor and a thread of its own.
#ifndef RCLCPP_COMPONENTS__COMPONENT_MANAGER_ISOLATED_HPP_
#define RCLCPP_COMPONENTS__COMPONENT_MANAGER_ISOLATED_HPP_

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <unordered_map>

#include "rclcpp_components/component_manager.hpp"

namespace rclcpp_components {

/// Unloading a node waits for the callback that it is in.
template <typename ExecutorT = rclcpp::executors::SingleThreadedExecutor>
class ComponentManagerIsolated : public rclcpp_components::ComponentManager {
  using rclcpp_components::ComponentManager::ComponentManager;

  struct Spinning {
    std::shared_ptr<rclcpp::Executor> executor;
    std::atomic<bool> is_over{false};
    std::thread thread;
  };

 public:
  ~ComponentManagerIsolated() override {
    for (auto & [id, spinning] : spinning_) end(spinning);
    spinning_.clear();
    node_wrappers_.clear();
  }

 protected:
  void add_node_to_executor(uint64_t node_id) override {
    Spinning & spinning = spinning_[node_id];
    spinning.executor = std::make_shared<ExecutorT>();
    spinning.executor->add_node(node_wrappers_[node_id].get_node_base_interface());
    spinning.thread = std::thread([&spinning] {
      spinning.executor->spin();
      spinning.is_over = true;
    });
  }

  void remove_node_from_executor(uint64_t node_id) override {
    const auto found = spinning_.find(node_id);
    if (found == spinning_.end()) return;
    end(found->second);
    spinning_.erase(found);
  }

 private:
  /// cancel() ends a spin that has begun, so this waits for that, which the thread does first of all.
  static void end(Spinning & spinning) {
    while (!spinning.executor->is_spinning() && !spinning.is_over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    spinning.executor->cancel();
    spinning.thread.join();
  }

  std::unordered_map<uint64_t, Spinning> spinning_;
};

}  // namespace rclcpp_components

#endif  // RCLCPP_COMPONENTS__COMPONENT_MANAGER_ISOLATED_HPP_
