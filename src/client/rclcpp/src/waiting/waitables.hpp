// Asking waitables, as who waits does before it sleeps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "rcl/wait.h"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp::detail {

/// Takes the triggers of the guard conditions: null stands in the list for those that were not triggered. One that
/// several waitables have added stands there several times.
inline void take_triggers(rcl_wait_set_t & wait_set) {
  auto & listed = wait_set.guard_conditions;
  const auto all = listed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto first = static_cast<std::size_t>(std::find(all.begin(), all.end(), all[i]) - all.begin());
    if (first == i ? !all[i]->owner->take_trigger() : listed[first] == nullptr) listed[i] = nullptr;
  }
}

/// \param wait_set may hold guard conditions already. \return whether each waitable is ready. User code runs: no lock
/// that it may need is held.
inline std::vector<bool> ask(const std::vector<std::shared_ptr<Waitable>> & waitables, rcl_wait_set_t & wait_set) {
  for (const auto & waitable : waitables) waitable->add_to_wait_set(wait_set);
  take_triggers(wait_set);
  std::vector<bool> ready;
  for (const auto & waitable : waitables) ready.push_back(waitable->is_ready(wait_set));
  return ready;
}

}  // namespace rclcpp::detail
