// What an executor serves when there is data.
#include "rclcpp/detail/receiver.hpp"

#include <stdexcept>
#include <utility>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/content_filter.hpp"
#include "waiting/listener.hpp"
#include "waiting/local_queue.hpp"
#include "waiting/wakeup.hpp"

namespace rclcpp::detail {
namespace {

/// Messages of a keep-all topic that wait in its Intake; the others wait at their publishers.
constexpr std::size_t kKeepAllCapacity = 100;

CountedCallback::Function logged(std::function<void(size_t)> && callback, const std::string & who) {
  return [callback = std::move(callback), who](size_t count) {
    try {
      callback(count);
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_logger("rclcpp"), "%s: the callback for what is new threw an exception: %s", who.c_str(),
                   error.what());
    } catch (...) {
      RCLCPP_ERROR(get_logger("rclcpp"), "%s: the callback for what is new threw something unknown", who.c_str());
    }
  };
}

}  // namespace

Receiver::Receiver(ReceiverParts && parts)
    : transport_(std::move(parts.transport)),
      group_(std::move(parts.group)),
      context_(std::move(parts.context)),
      type_(parts.type),
      name_(std::move(parts.name)),
      depth_(parts.depth),
      drops_oldest_(parts.drops_oldest),
      local_(std::move(parts.local)) {}

Receiver::~Receiver() {
  if (local_) local_->set_on_new(nullptr);
  if (intake_owner_) {
    intake_owner_->close();
    listener_->remove(*intake_owner_);
  }
  if (const auto group = group_.lock()) group->notify_entities_changed();
}

bool Receiver::take_from_transport(tandem::transport::Sample & sample) {
  do {
    sample = transport_->take();
  } while (sample && !is_wanted(sample.message, sample.info));
  return static_cast<bool>(sample);
}

/// False for what was handed over as well, and for what the filter leaves out.
bool Receiver::is_wanted(const void * message, const tandem::transport::MessageInfo & info) const {
  return !(local_ && local_->is_handed_over_by(info.publisher)) && (!is_filtered() || passes(message));
}

bool Receiver::take_from_local(tandem::transport::Sample & sample) {
  while (local_ && local_->take(sample)) {
    tandem::OwnedMessage made;
    if (!is_filtered() || passes(local_->message_of(sample, made))) return true;
  }
  return false;
}

void Receiver::set_filter(std::shared_ptr<const tandem::ContentFilter> filter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  filter_ = std::move(filter);
  is_filtered_ = filter_ != nullptr;
}

bool Receiver::passes(const void * message) const {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto filter = filter_;
  lock.unlock();
  return !filter || filter->matches(message);
}

bool Receiver::take_sample(tandem::transport::Sample & sample) {
  if (take_from_local(sample)) return true;
  Intake * const intake = intake_.load(std::memory_order_acquire);
  if (!intake) return take_from_transport(sample);
  bool has_room = false;
  if (!intake->take(sample, has_room)) return false;
  if (has_room) listen_again();
  return true;
}

bool Receiver::take_message(void * message, tandem::transport::MessageInfo & info) {
  if (!is_listened() && (!local_ || local_->size() == 0)) {
    while (transport_->take_into(message, info)) {
      if (is_wanted(message, info)) return true;
    }
    return false;
  }
  tandem::transport::Sample sample;
  if (!take_sample(sample)) return false;
  tandem::OwnedMessage made;
  type_->assign(message, local_ ? local_->message_of(sample, made) : sample.message);
  info = sample.info;
  return true;
}

bool Receiver::is_listened() const { return intake_.load(std::memory_order_acquire) != nullptr; }

bool Receiver::has_data() const {
  if (local_ && local_->size() != 0) return true;
  const Intake * const intake = intake_.load(std::memory_order_acquire);
  return intake ? intake->size() != 0 : transport_->has_data();
}

void Receiver::set_waiter(const std::shared_ptr<Wakeup> & waiter) {
  if (local_) local_->set_waiter(waiter);
  const std::lock_guard<std::mutex> lock(mutex_);
  waiter_ = waiter;
}

void Receiver::wake_waiters() {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto waiter = waiter_.lock();
  lock.unlock();
  if (waiter) waiter->wake();
  if (const auto group = group_.lock()) group->notify_data();
}

void Receiver::listen_again() { listener_->attach(transport_); }

size_t Receiver::queued() const {
  const Intake * const intake = intake_.load(std::memory_order_acquire);
  return (intake ? intake->size() : 0) + (local_ ? local_->size() : 0);
}

void Receiver::set_on_new(std::function<void(size_t)> callback) {
  set_on_new_from_local(callback);
  set_on_new_from_transport(std::move(callback));
}

void Receiver::set_on_new_from_local(std::function<void(size_t)> callback) {
  if (local_) local_->set_on_new(callback ? logged(std::move(callback), name_) : CountedCallback::Function());
}

void Receiver::set_on_new_from_transport(std::function<void(size_t)> callback) {
  if (callback) {
    const auto intake = listen();
    if (!intake) return;
    intake->set_callback(logged(std::move(callback), name_));
    intake->fill();
  } else if (Intake * const intake = intake_.load(std::memory_order_acquire)) {
    intake->set_callback(nullptr);
  }
}

void Receiver::set_on_new_or_refuse(const char * what, std::function<void(size_t)> callback) {
  if (!callback) {
    throw std::invalid_argument(name_ + ": the callback for a new " + what + " is null; clear_on_new_" + what +
                                "_callback() takes it away");
  }
  set_on_new_from_transport(std::move(callback));
}

/// Who waits for it already is told once it is listened to, and before the Listener attaches it. If he attaches it after that
/// all the same, he sees what he was told, and gives it back.
/// \return null after shutdown, when nothing new comes.
std::shared_ptr<Intake> Receiver::listen() {
  std::shared_ptr<Intake> intake;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (intake_owner_) return intake_owner_;
    listener_ = context_->listener();
    if (!listener_) return nullptr;
    intake = std::make_shared<Intake>(
        Intake::Source{transport_, [this](tandem::transport::Sample & sample) { return take_from_transport(sample); },
                       [this] { wake_waiters(); }},
        depth_ == 0 ? kKeepAllCapacity : depth_, depth_ == 0 || !drops_oldest_);
    intake_owner_ = intake;
    intake_.store(intake.get(), std::memory_order_release);
  }
  if (const auto group = group_.lock()) group->notify_entities_changed();
  wake_waiters();
  listener_->add(intake);
  return intake;
}

}  // namespace rclcpp::detail
