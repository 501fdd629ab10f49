#include "node/served.hpp"

namespace tandem_py {

py::object ServedHandle::owner() const {
  if (!owner_) return {};
  PyObject * const object = PyWeakref_GetObject(owner_.ptr());
  return object == Py_None ? py::object() : py::reinterpret_borrow<py::object>(object);
}

void ReadyQueue::push(const std::shared_ptr<Slot> & slot) {
  if (slot->is_queued.exchange(true)) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    slots_.push_back(slot);
  }
  condition_.trigger();
}

bool ReadyQueue::is_ready(const rcl_wait_set_t &) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !slots_.empty();
}

std::shared_ptr<void> ReadyQueue::take_data() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (slots_.empty()) return nullptr;
  auto slot = std::move(slots_.front());
  slots_.pop_front();
  slot->is_queued = false;  // before its handle is looked at: what happens from now on is told again
  return slot;
}

}  // namespace tandem_py
