// Lists of callbacks. A callback is called as long as somebody keeps its handle; the last one added is called first.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <stdexcept>
#include <utility>

namespace rclcpp::detail {

/// Calls function(callback) for each callback whose handle is kept, until it returns false. Forgets the others.
template <class Handle, class Function>
void for_each_callback(std::list<std::weak_ptr<Handle>> & handles, Function && function) {
  for (auto it = handles.begin(); it != handles.end();) {
    const auto handle = it->lock();
    if (!handle) {
      it = handles.erase(it);
    } else if (function(handle->callback)) {
      ++it;
    } else {
      return;
    }
  }
}

template <class Handle, class Callback>
std::shared_ptr<Handle> add_callback(std::list<std::weak_ptr<Handle>> & handles, Callback && callback) {
  auto handle = std::make_shared<Handle>();
  handle->callback = std::forward<Callback>(callback);
  handles.push_front(handle);
  return handle;
}

/// \throws std::runtime_error when there is no such callback.
template <class Handle>
void remove_callback(std::list<std::weak_ptr<Handle>> & handles, const Handle * handle) {
  const auto found =
      std::find_if(handles.begin(), handles.end(), [handle](const auto & weak) { return weak.lock().get() == handle; });
  if (!handle || found == handles.end()) {
    throw std::runtime_error("the callback of parameters to remove does not exist");
  }
  handles.erase(found);
}

}  // namespace rclcpp::detail
