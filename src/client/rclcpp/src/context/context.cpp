// Initialisation and shutdown.
#include "rclcpp/context.hpp"

#include <algorithm>
#include <cstdlib>

#include "context/arguments.hpp"
#include "logging/log_settings.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/plugin.hpp"
#include "tandem/security.hpp"
#include "topics/intra_process.hpp"
#include "transport/transport_error.hpp"
#include "waiting/listener.hpp"

namespace rclcpp {
namespace {

constexpr size_t kMaxDomain = 232;

void apply_log_arguments(const detail::Arguments & arguments) {
  if (arguments.default_level) detail::set_default_log_level(*arguments.default_level);
  for (const auto & [name, level] : arguments.logger_levels) get_logger(name).set_level(level);
  detail::set_console_logs(arguments.console_logs);
}

/// Leaves the domain when the process ends without shutdown(), before libraries are unloaded.
void release_at_exit() {
  static const int registered = std::atexit([] { contexts::get_global_default_context()->release_transport(); });
  (void)registered;
}

/// The contexts that were initialised.
class LivingContexts {
 public:
  void add(const std::weak_ptr<Context> & context) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto is_old = [&](const std::weak_ptr<Context> & other) {
      return other.expired() || (!other.owner_before(context) && !context.owner_before(other));
    };
    contexts_.erase(std::remove_if(contexts_.begin(), contexts_.end(), is_old), contexts_.end());
    contexts_.push_back(context);
  }
  std::vector<Context::SharedPtr> valid() {
    std::vector<Context::SharedPtr> all;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const auto & weak : contexts_) all.push_back(weak.lock());
    }
    const auto is_not_valid = [](const Context::SharedPtr & context) { return !context || !context->is_valid(); };
    all.erase(std::remove_if(all.begin(), all.end(), is_not_valid), all.end());
    return all;
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Context>> contexts_;
};

/// Never destroyed: the default context outlives static objects.
LivingContexts & living_contexts() {
  static auto * instance = new LivingContexts;
  return *instance;
}

}  // namespace

std::vector<Context::SharedPtr> get_contexts() { return living_contexts().valid(); }

size_t InitOptions::get_domain_id() const {
  if (domain_id_) {
    if (*domain_id_ <= kMaxDomain) return *domain_id_;
    throw exceptions::RCLError(RCL_RET_INVALID_ARGUMENT,
                               "the domain id " + std::to_string(*domain_id_) + " is not a number from 0 to 232");
  }
  const char * text = std::getenv("ROS_DOMAIN_ID");
  if (!text || !*text) return 0;
  char * end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value > kMaxDomain) {
    throw exceptions::RCLError(
        RCL_RET_INVALID_ARGUMENT,
        std::string("ROS_DOMAIN_ID is '") + text + "', which is not a number from 0 to 232; correct or unset it");
  }
  return value;
}

Context::Context() : intra_process_(std::make_shared<detail::IntraProcess>()) {}

Context::~Context() {
  if (is_valid()) shutdown("context destructor was called while still not shutdown");
}

void Context::init(int argc, char const * const * argv, const InitOptions & init_options) {
  const std::lock_guard<std::recursive_mutex> shutdown_lock(shutdown_mutex_);
  const std::lock_guard<std::mutex> lock(init_mutex_);
  if (is_valid()) throw ContextAlreadyInitialized();
  if (argc > 0 && argv == nullptr) throw exceptions::RCLInvalidArgument("argc is positive, but argv is null");
  auto arguments = std::make_shared<detail::Arguments>(detail::parse_arguments({argv, argv + argc}));
  domain_id_ = init_options.get_domain_id();
  detail::transport_call([] { tandem::transport::load(); });
  if (init_options.auto_initialize_logging()) apply_log_arguments(*arguments);
  init_options_ = init_options;
  arguments_ = std::move(arguments);
  transport_.reset();
  listener_.reset();
  shutdown_reason_.clear();
  release_at_exit();
  shut_down_.store(false);
  valid_.store(true, std::memory_order_release);
  living_contexts().add(weak_from_this());
}

InitOptions Context::get_init_options() {
  const std::lock_guard<std::mutex> lock(init_mutex_);
  return init_options_;
}

std::string Context::shutdown_reason() const {
  const std::lock_guard<std::mutex> lock(init_mutex_);
  return shutdown_reason_;
}

bool Context::shutdown(const std::string & reason) {
  const std::lock_guard<std::recursive_mutex> shutdown_lock(shutdown_mutex_);
  if (!is_valid() || is_shutting_down_) return false;
  struct Under {  // way; a callback may throw
    bool & flag;
    explicit Under(bool & f) : flag(f) { flag = true; }
    ~Under() { flag = false; }
  } under(is_shutting_down_);
  call_all(pre_shutdown_);
  std::shared_ptr<tandem::transport::Context> transport;  // nodes have references of their own
  {
    const std::lock_guard<std::mutex> lock(init_mutex_);
    shutdown_reason_ = reason;
    transport = std::move(transport_);
    shut_down_.store(true);
    valid_.store(false, std::memory_order_release);
  }
  interrupt_all_sleep_for();
  call_all(on_shutdown_);
  return true;
}

std::shared_ptr<tandem::transport::Context> Context::transport() {
  const std::lock_guard<std::mutex> lock(init_mutex_);
  if (!is_valid()) {
    throw exceptions::RCLError(RCL_RET_ERROR,
                               "failed to create a node: the context is not valid; call rclcpp::init() before, and "
                               "make no nodes after shutdown");
  }
  if (!transport_) {
    transport_ = detail::transport_call([&] {
      return tandem::transport::create_context(tandem::transport::load(), static_cast<std::uint32_t>(domain_id_),
                                               arguments_->enclave);
    });
  }
  return transport_;
}

void Context::release_transport() {
  const std::lock_guard<std::mutex> lock(init_mutex_);
  transport_.reset();
}

std::shared_ptr<detail::Listener> Context::listener() {
  const std::lock_guard<std::mutex> lock(init_mutex_);
  if (!is_valid() || !transport_) return nullptr;
  auto listener = listener_.lock();
  if (!listener) {
    listener =
        std::make_shared<detail::Listener>(detail::transport_call([&] { return transport_->create_wait_set(); }));
    listener_ = listener;
  }
  return listener;
}

std::shared_ptr<const detail::Arguments> Context::arguments() const {
  const std::lock_guard<std::mutex> lock(init_mutex_);
  return arguments_;
}

Context::OnShutdownCallback Context::on_shutdown(OnShutdownCallback callback) {
  add_on_shutdown_callback(callback);
  return callback;
}

OnShutdownCallbackHandle Context::add_on_shutdown_callback(OnShutdownCallback callback) {
  return add(on_shutdown_, std::move(callback));
}

bool Context::remove_on_shutdown_callback(const OnShutdownCallbackHandle & handle) {
  return remove(on_shutdown_, handle);
}

PreShutdownCallbackHandle Context::add_pre_shutdown_callback(OnShutdownCallback callback) {
  return add(pre_shutdown_, std::move(callback));
}

bool Context::remove_pre_shutdown_callback(const PreShutdownCallbackHandle & handle) {
  return remove(pre_shutdown_, handle);
}

std::vector<Context::OnShutdownCallback> Context::get_on_shutdown_callbacks() const { return copies(on_shutdown_); }

std::vector<Context::PreShutdownCallback> Context::get_pre_shutdown_callbacks() const { return copies(pre_shutdown_); }

std::vector<Context::OnShutdownCallback> Context::copies(const Callbacks & callbacks) const {
  const std::lock_guard<std::mutex> lock(callbacks_mutex_);
  std::vector<OnShutdownCallback> all;
  for (const auto & callback : callbacks) all.push_back(*callback);
  return all;
}

OnShutdownCallbackHandle Context::add(Callbacks & callbacks, OnShutdownCallback && callback) {
  auto entry = std::make_shared<OnShutdownCallback>(std::move(callback));
  const std::lock_guard<std::mutex> lock(callbacks_mutex_);
  callbacks.push_back(entry);
  OnShutdownCallbackHandle handle;
  handle.callback = entry;
  return handle;
}

bool Context::remove(Callbacks & callbacks, const OnShutdownCallbackHandle & handle) {
  const auto entry = handle.callback.lock();
  const std::lock_guard<std::mutex> lock(callbacks_mutex_);
  const auto found = std::find(callbacks.begin(), callbacks.end(), entry);
  if (!entry || found == callbacks.end()) return false;
  callbacks.erase(found);
  return true;
}

void Context::call_all(const Callbacks & callbacks) {
  Callbacks copy;  // they may add and remove some
  {
    const std::lock_guard<std::mutex> lock(callbacks_mutex_);
    copy = callbacks;
  }
  for (const auto & callback : copy) (*callback)();
}

bool Context::sleep_for(const std::chrono::nanoseconds & duration) {
  // Longer than a year is "for ever", and would overflow the clock.
  const auto rest = std::min<std::chrono::nanoseconds>(duration, std::chrono::hours(24 * 365));
  const auto end = std::chrono::steady_clock::now() + rest;
  std::unique_lock<std::mutex> lock(sleep_mutex_);
  const std::uint64_t before = interruptions_;
  return !sleepers_.wait_until(lock, end, [&] { return interruptions_ != before || shut_down_.load(); });
}

void Context::interrupt_all_sleep_for() {
  {
    const std::lock_guard<std::mutex> lock(sleep_mutex_);
    ++interruptions_;
  }
  sleepers_.notify_all();
}

contexts::DefaultContext::SharedPtr contexts::get_global_default_context() {
  // Never destroyed: nodes that are static objects need it until the very end.
  static auto * context = new DefaultContext::SharedPtr(std::make_shared<DefaultContext>());
  return *context;
}

}  // namespace rclcpp
