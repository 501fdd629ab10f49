// What rclcpp::init() sets up: arguments, domain, middleware; and what shutdown() ends.
#ifndef RCLCPP__CONTEXT_HPP_
#define RCLCPP__CONTEXT_HPP_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "rclcpp/init_options.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace tandem::transport {
class Context;
}

namespace rclcpp {

namespace detail {
struct Arguments;
class IntraProcess;
class Listener;
}  // namespace detail

class ContextAlreadyInitialized : public std::runtime_error {
 public:
  ContextAlreadyInitialized() : std::runtime_error("context is already initialized") {}
};

class OnShutdownCallbackHandle {
 public:
  using OnShutdownCallbackType = std::function<void()>;

 private:
  friend class Context;
  std::weak_ptr<OnShutdownCallbackType> callback;
};
using PreShutdownCallbackHandle = OnShutdownCallbackHandle;

/// Thread-safe. Nodes, publishers and subscriptions share ownership.
class RCLCPP_PUBLIC Context : public std::enable_shared_from_this<Context> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Context)
  using OnShutdownCallback = std::function<void()>;
  using PreShutdownCallback = OnShutdownCallback;

  Context();
  virtual ~Context();

  /// \throws ContextAlreadyInitialized; UnknownROSArgsError, RCLInvalidROSArgsError for bad --ros-args; RCLError for a bad
  /// ROS_DOMAIN_ID or RMW_IMPLEMENTATION.
  virtual void init(int argc, char const * const * argv, const InitOptions & init_options = InitOptions());
  bool is_valid() const { return valid_.load(std::memory_order_acquire); }
  const InitOptions & get_init_options() const { return init_options_; }
  InitOptions get_init_options();
  size_t get_domain_id() const { return domain_id_; }
  std::string shutdown_reason() const;

  /// Calls the pre-shutdown callbacks, ends spins, sleeps and waits, then calls the on-shutdown callbacks. Other threads
  /// may use the context meanwhile; those that call shutdown() or init() wait for the end of it.
  /// \return false when it was not valid, and from within its callbacks.
  virtual bool shutdown(const std::string & reason);

  virtual OnShutdownCallback on_shutdown(OnShutdownCallback callback);
  virtual OnShutdownCallbackHandle add_on_shutdown_callback(OnShutdownCallback callback);
  virtual bool remove_on_shutdown_callback(const OnShutdownCallbackHandle & handle);
  virtual PreShutdownCallbackHandle add_pre_shutdown_callback(OnShutdownCallback callback);
  virtual bool remove_pre_shutdown_callback(const PreShutdownCallbackHandle & handle);
  std::vector<OnShutdownCallback> get_on_shutdown_callbacks() const;
  std::vector<PreShutdownCallback> get_pre_shutdown_callbacks() const;

  /// \return false when interrupted by shutdown() or interrupt_all_sleep_for(); at once after shutdown().
  bool sleep_for(const std::chrono::nanoseconds & duration);
  void interrupt_all_sleep_for();

  /// The presence in the domain, made at the first call. \throws exceptions::RCLError. For the library's own use.
  std::shared_ptr<tandem::transport::Context> transport();
  /// Drops this object's reference to the transport, so that the process leaves the domain when its last node ends.
  void release_transport();
  std::shared_ptr<const detail::Arguments> arguments() const;
  /// Made for the first who has it. \return null after shutdown. \throws exceptions::RCLError.
  std::shared_ptr<detail::Listener> listener();
  const std::shared_ptr<detail::IntraProcess> & intra_process() const { return intra_process_; }

 private:
  using Callbacks = std::vector<std::shared_ptr<OnShutdownCallback>>;
  OnShutdownCallbackHandle add(Callbacks & callbacks, OnShutdownCallback && callback);
  bool remove(Callbacks & callbacks, const OnShutdownCallbackHandle & handle);
  void call_all(const Callbacks & callbacks);
  std::vector<OnShutdownCallback> copies(const Callbacks & callbacks) const;

  std::atomic<bool> valid_{false};
  std::atomic<bool> shut_down_{false};   // unlike a context that was never initialised
  std::recursive_mutex shutdown_mutex_;  // held while callbacks run; taken before init_mutex_
  bool is_shutting_down_ = false;        // under shutdown_mutex_
  mutable std::mutex init_mutex_;        // never held while callbacks run
  InitOptions init_options_;
  size_t domain_id_ = 0;
  std::string shutdown_reason_;
  std::shared_ptr<const detail::Arguments> arguments_;
  std::shared_ptr<tandem::transport::Context> transport_;
  std::weak_ptr<detail::Listener> listener_;
  const std::shared_ptr<detail::IntraProcess> intra_process_;

  mutable std::mutex callbacks_mutex_;
  Callbacks on_shutdown_;
  Callbacks pre_shutdown_;

  std::mutex sleep_mutex_;
  std::condition_variable sleepers_;
  std::uint64_t interruptions_ = 0;
};

/// Those that are initialised and not shut down. Thread-safe.
RCLCPP_PUBLIC std::vector<Context::SharedPtr> get_contexts();

}  // namespace rclcpp

#endif  // RCLCPP__CONTEXT_HPP_
