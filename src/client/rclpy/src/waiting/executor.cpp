// Waiting and choosing for Python's executors.
//
// rclcpp's executor waits without the GIL and chooses in turns. Python calls the callback of what it has chosen, and then releases
// it: until then no other callback of a mutually exclusive group is chosen, also while a coroutine waits for something.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/parts.hpp"
#include "node/context.hpp"
#include "node/node.hpp"
#include "rclcpp/executor.hpp"
#include "rclcpp/utilities.hpp"

namespace tandem_py {
namespace {

/// How long the first thread waits at once where no handler of signals ends the wait: Python looks for Ctrl-C in between.
constexpr std::chrono::milliseconds kSignalInterval{250};

class WaitingExecutor : public rclcpp::Executor {
 public:
  explicit WaitingExecutor(const rclcpp::ExecutorOptions & options) : Executor(options) {}
  void spin() override {}
  using Executor::execute_any_executable;
  using Executor::get_next_executable;
  using Executor::get_next_ready_executable;

  /// Ends the present or the next wait.
  void wake() {
    woken_ = true;
    cancel();
  }
  bool take_woken() { return woken_.exchange(false); }

 private:
  std::atomic<bool> woken_{false};
};

/// The executors that wait. The end of the interpreter ends their waits first: a thread that comes back to it later is ended
/// within C++, which aborts the process.
class Waits {
 public:
  /// Begun and ended with the GIL. \throws InvalidHandle at the interpreter's end: then nobody may wait.
  class Wait {
   public:
    Wait(Waits & all, WaitingExecutor & executor) : all_(all), executor_(executor) {
      const std::lock_guard<std::mutex> lock(all_.mutex_);
      if (all_.is_over_) throw InvalidHandle("the interpreter ends");
      all_.executors_.push_back(&executor_);
    }
    ~Wait() {
      const std::lock_guard<std::mutex> lock(all_.mutex_);
      all_.executors_.erase(std::find(all_.executors_.begin(), all_.executors_.end(), &executor_));
      all_.ended_.notify_all();
    }
    Wait(const Wait &) = delete;
    Wait & operator=(const Wait &) = delete;

   private:
    Waits & all_;
    WaitingExecutor & executor_;
  };

  /// Ends all waits, and those that would begin. Without the GIL.
  void end_all() {
    std::unique_lock<std::mutex> lock(mutex_);
    is_over_ = true;
    while (!executors_.empty()) {
      for (auto * const executor : executors_) executor->wake();
      ended_.wait_for(lock, std::chrono::milliseconds(10));
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<WaitingExecutor *> executors_;
  bool is_over_ = false;
};

/// Never destroyed.
Waits & waits() {
  static auto * instance = new Waits;
  return *instance;
}

/// Something that was chosen; its group is busy as long as this lives.
struct Chosen {
  std::shared_ptr<WaitingExecutor> executor;
  std::unique_ptr<rclcpp::AnyExecutable> executable;
};

std::shared_ptr<Slot> slot_of_chosen(const rclcpp::AnyExecutable & executable) {
  if (executable.subscription) return slot_of(executable.subscription.get());
  if (executable.timer) return slot_of(executable.timer.get());
  if (executable.client) return slot_of(executable.client.get());
  if (executable.service) return slot_of(executable.service.get());
  return std::static_pointer_cast<Slot>(executable.data);  // of a waitable
}

class ExecutorHandle : public Destroyable {
 public:
  explicit ExecutorHandle(const std::shared_ptr<ContextHandle> & context) : context_(context) {
    rclcpp::ExecutorOptions options;
    options.context = context->context();
    executor_ = std::make_shared<WaitingExecutor>(options);
  }

  void add_node(const NodeHandle & node) {
    const WithoutGil without_gil;
    required(executor_).add_node(node.shared_base());
  }
  void remove_node(const NodeHandle & node) {
    const WithoutGil without_gil;
    required(executor_).remove_node(node.shared_base());
  }

  /// (object, what it is called for, what is to be released), or None after `timeout` (ns, negative: without end), wake() or
  /// shutdown, and when what was ready has gone.
  py::object next(std::int64_t timeout) {
    Chosen chosen{executor_, std::make_unique<rclcpp::AnyExecutable>()};
    if (!wait(*chosen.executable, std::chrono::nanoseconds(timeout))) return py::none();
    const auto slot = slot_of_chosen(*chosen.executable);
    if (!slot) {  // of the node's own, in C++
      const WithoutGil without_gil;
      chosen.executor->execute_any_executable(*chosen.executable);
      return py::none();
    }
    if (slot->handle == nullptr) return py::none();
    const auto handle = slot->handle->weak_from_this().lock();  // null: another thread is in its destructor
    py::object owner = slot->handle->owner();
    if (!handle || !owner || handle->is_destroyed()) return py::none();
    py::object data = slot->handle->take(chosen.executable->data);
    if (!data) return py::none();
    return py::make_tuple(std::move(owner), std::move(data), std::move(chosen));
  }

  void wake() {
    if (const auto executor = executor_) executor->wake();
  }
  std::function<void()> waker() const {
    return [executor = std::weak_ptr<WaitingExecutor>(executor_)] {
      if (const auto alive = executor.lock()) alive->wake();
    };
  }

 private:
  void destroy() override { drop(executor_); }

  /// Errors: py::error_already_set, KeyboardInterrupt and the like.
  bool wait(rclcpp::AnyExecutable & executable, std::chrono::nanoseconds timeout) {
    const auto executor = executor_;
    required(executor);
    const Waits::Wait wait(waits(), *executor);
    {
      const WithoutGil without_gil;
      if (executor->get_next_ready_executable(executable)) return true;  // also if somebody has woken it
    }
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (timeout.count() != 0) {
      const bool is_long = timeout.count() < 0 || timeout > kSignalInterval;
      const bool in_parts = is_long && gettid() == getpid() && !rclcpp::signal_handlers_installed();
      const auto part = in_parts ? kSignalInterval : timeout;
      const auto begin = std::chrono::steady_clock::now();
      bool is_found = false;
      {
        const WithoutGil without_gil;
        is_found = executor->get_next_executable(executable, part);
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const auto now = std::chrono::steady_clock::now();
      if (executor->take_woken() || is_found || part == timeout || now < begin + part) return is_found;
      if (timeout.count() >= 0) timeout = std::max(end - now, std::chrono::nanoseconds::zero());
    }
    return false;
  }

  const std::shared_ptr<ContextHandle> context_;
  std::shared_ptr<WaitingExecutor> executor_;
};

}  // namespace

void add_executor(py::module_ & module) {
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    const WithoutGil without_gil;
    waits().end_all();
  }));
  py::class_<Chosen>(module, "Chosen").def("release", [](Chosen & self) { self.executable.reset(); });
  py::class_<ExecutorHandle, Destroyable, std::shared_ptr<ExecutorHandle>>(module, "Executor")
      .def(py::init<const std::shared_ptr<ContextHandle> &>())
      .def("add_node", &ExecutorHandle::add_node)
      .def("remove_node", &ExecutorHandle::remove_node)
      .def("next", &ExecutorHandle::next)
      .def("wake", &ExecutorHandle::wake)
      .def("watch", [](const ExecutorHandle & self, ServedHandle & handle) { handle.watch(self.waker()); });
}

}  // namespace tandem_py
