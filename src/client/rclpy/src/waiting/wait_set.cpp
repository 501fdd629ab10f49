// Waiting by hand, as waitables and wait_for_message() do.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "base/parts.hpp"
#include "node/context.hpp"
#include "node/served.hpp"

namespace tandem_py {
namespace {

constexpr const char * kKinds[] = {"subscription", "guard_condition", "timer", "client", "service", "event"};
constexpr std::size_t kTimers = 2;
/// How often timers and the context are looked at.
constexpr std::chrono::milliseconds kInterval{10};

std::size_t index_of(const std::string & kind) {
  const auto * const found = std::find(std::begin(kKinds), std::end(kKinds), kind);
  if (found == std::end(kKinds)) throw std::runtime_error("'" + kind + "' is not a known entity");
  return static_cast<std::size_t>(found - std::begin(kKinds));
}

/// A flag that handles set when they become ready.
struct Bell {
  std::mutex mutex;
  std::condition_variable rung;
  bool is_rung = false;

  void ring() {
    const std::lock_guard<std::mutex> lock(mutex);
    is_rung = true;
    rung.notify_all();
  }
};

class WaitSetHandle : public Destroyable {
 public:
  explicit WaitSetHandle(std::shared_ptr<ContextHandle> context) : context_(std::move(context)) {}

  std::size_t add(std::size_t kind, std::shared_ptr<ServedHandle> handle) {
    entries_[kind].push_back({std::move(handle), false});
    return entries_[kind].size() - 1;
  }
  void clear() {
    for (auto & entries : entries_) entries.clear();
  }
  /// Looks now, and remembers what it has seen: a trigger is seen once.
  bool is_ready(const std::string & kind, std::size_t index) {
    auto & entries = entries_[index_of(kind)];
    if (index >= entries.size()) throw py::index_error("there is no " + kind + " of this index");
    return look(entries[index]);
  }
  py::list ready_entities(const std::string & kind) {
    py::list pointers;
    for (auto & entry : entries_[index_of(kind)]) {
      if (look(entry)) pointers.append(entry.handle->pointer());
    }
    return pointers;
  }
  std::vector<std::shared_ptr<ServedHandle>> all() const {
    std::vector<std::shared_ptr<ServedHandle>> handles;
    for (const auto & entries : entries_) {
      for (const auto & entry : entries) handles.push_back(entry.handle);
    }
    return handles;
  }
  bool has_timers() const { return !entries_[kTimers].empty(); }

  /// Until something is ready, `timeout` (ns, negative: without end) or shutdown. Errors: py::error_already_set.
  void wait(std::int64_t timeout) {
    const auto bell = std::make_shared<Bell>();
    for (const auto & handle : all()) handle->watch([bell] { bell->ring(); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(timeout);
    while (!look_at_all() && context_->context()->is_valid()) {
      if (timeout >= 0 && std::chrono::steady_clock::now() >= end) break;
      {
        const WithoutGil without_gil;
        std::unique_lock<std::mutex> lock(bell->mutex);
        auto until = std::chrono::steady_clock::now() + kInterval;
        if (timeout >= 0) until = std::min(until, end);
        bell->rung.wait_until(lock, until, [&] { return bell->is_rung; });
        bell->is_rung = false;
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    const auto nobody = [] {};
    for (const auto & handle : all()) handle->watch(nobody);
  }

 private:
  struct Entry {
    std::shared_ptr<ServedHandle> handle;
    bool was_ready;
  };

  static bool look(Entry & entry) { return entry.was_ready = entry.was_ready || entry.handle->is_ready(); }
  bool look_at_all() {
    bool is_any = false;
    for (auto & entries : entries_) {
      for (auto & entry : entries) is_any = look(entry) || is_any;
    }
    return is_any;
  }
  void destroy() override { clear(); }

  const std::shared_ptr<ContextHandle> context_;
  std::vector<Entry> entries_[std::size(kKinds)];
};

}  // namespace

void add_wait_set(py::module_ & module) {
  py::class_<WaitSetHandle, Destroyable, std::shared_ptr<WaitSetHandle>> wait_set(module, "WaitSet");
  // The numbers of entities are not needed.
  wait_set.def(py::init([](int, int, int, int, int, int, std::shared_ptr<ContextHandle> context) {
    return std::make_shared<WaitSetHandle>(std::move(context));
  }));
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
    wait_set.def(("add_" + std::string(kKinds[kind])).c_str(),
                 [kind](WaitSetHandle & self, std::shared_ptr<ServedHandle> handle) {
                   return self.add(kind, std::move(handle));
                 });
  }
  wait_set.def("clear_entities", &WaitSetHandle::clear)
      .def("is_ready", &WaitSetHandle::is_ready)
      .def("get_ready_entities", &WaitSetHandle::ready_entities)
      .def("wait", &WaitSetHandle::wait)
      .def("entities", &WaitSetHandle::all)
      .def("has_timers", &WaitSetHandle::has_timers);
}

}  // namespace tandem_py
