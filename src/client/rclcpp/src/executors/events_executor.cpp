// Callbacks put events into a queue; the thread that spins takes them out.
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executors/executor_core.hpp"
#include "rclcpp/event_handler.hpp"

namespace rclcpp::experimental::executors {
namespace {

using std::chrono::nanoseconds;

/// Stands where other executors have the wait-set that they sleep in: ends the wait for an event.
class QueueWaker : public tandem::transport::WaitSet {
 public:
  explicit QueueWaker(std::shared_ptr<EventsQueue> queue) : queue_(std::move(queue)) {}
  void attach(const std::shared_ptr<tandem::transport::Subscription> &) override {}
  void detach(const std::shared_ptr<tandem::transport::Subscription> &) override {}
  bool wait(nanoseconds) override { return false; }
  void wake() override {
    if (!is_pending_.exchange(true)) queue_->enqueue({nullptr, nullptr, 0, WAITABLE_EVENT, 1});
  }
  /// Before looking at what has changed.
  void seen() { is_pending_ = false; }

 private:
  const std::shared_ptr<EventsQueue> queue_;
  std::atomic<bool> is_pending_{false};
};

template <class T>
using Members = std::unordered_map<const void *, std::weak_ptr<T>>;

/// Makes `members` what `current` has.
template <class T, class Add, class Remove>
void update(Members<T> & members, const std::vector<std::shared_ptr<T>> & current, const Add & add,
            const Remove & remove) {
  Members<T> former = std::move(members);
  members.clear();
  for (const auto & member : current) {
    const auto found = former.find(member.get());
    const bool is_new = found == former.end() || found->second.lock() != member;
    if (found != former.end()) former.erase(found);
    members.emplace(member.get(), member);
    if (is_new) add(member);
  }
  for (const auto & [key, weak] : former) {
    if (const auto gone = weak.lock()) remove(gone);
  }
}

template <class T>
std::shared_ptr<T> find(const Members<T> & members, const void * key) {
  const auto found = members.find(key);
  return found == members.end() ? nullptr : found->second.lock();
}

ExecutorEventType type_of(const detail::Receiver & receiver) {
  if (dynamic_cast<const ClientBase *>(&receiver) != nullptr) return CLIENT_EVENT;
  return dynamic_cast<const ServiceBase *>(&receiver) != nullptr ? SERVICE_EVENT : SUBSCRIPTION_EVENT;
}

}  // namespace

/// What the executor serves.
struct EventsExecutor::Served {
  using Entities = detail::ExecutorCore::Entities;

  Served(std::shared_ptr<EventsQueue> events, TimersManager & timers_manager)
      : queue(std::move(events)), manager(timers_manager), waker(std::make_shared<QueueWaker>(queue)) {}

  void update(const Entities & current);
  void execute(const ExecutorEvent & event);
  void add(const std::shared_ptr<detail::Receiver> & receiver) const;
  void add(const std::shared_ptr<Waitable> & waitable) const;
  nanoseconds look_at_events();

  const std::shared_ptr<EventsQueue> queue;
  TimersManager & manager;
  const std::shared_ptr<QueueWaker> waker;
  std::mutex mutex;  // guards what follows
  Members<detail::Receiver> receivers;
  Members<TimerBase> timers;
  Members<Waitable> waitables;
  std::vector<std::weak_ptr<EventHandlerBase>> events;  // those of them that time alone may make ready
};

void EventsExecutor::Served::add(const std::shared_ptr<detail::Receiver> & receiver) const {
  const void * const key = receiver.get();
  const auto callback = [queue = queue, key, type = type_of(*receiver)](size_t count) {
    queue->enqueue({key, nullptr, 0, type, count});
  };
  const size_t left = receiver->queued();  // another executor was told of them
  receiver->set_on_new(callback);
  if (left != 0) callback(left);
}

void EventsExecutor::Served::add(const std::shared_ptr<Waitable> & waitable) const {
  waitable->set_on_ready_callback([queue = queue, key = waitable.get()](size_t count, int id) {
    queue->enqueue({key, nullptr, id, WAITABLE_EVENT, count});
  });
}

void EventsExecutor::Served::update(const Entities & current) {
  const std::lock_guard<std::mutex> lock(mutex);  // until all are there, no event of theirs is looked up
  rclcpp::experimental::executors::update(
      receivers, current.receivers, [this](const auto & receiver) { add(receiver); },
      [](const auto & receiver) { receiver->set_on_new(nullptr); });
  rclcpp::experimental::executors::update(
      timers, current.timers, [this](const auto & timer) { manager.add_timer(timer); },
      [this](const auto & timer) { manager.remove_timer(timer); });
  rclcpp::experimental::executors::update(
      waitables, current.waitables, [this](const auto & waitable) { add(waitable); },
      [](const auto & waitable) { waitable->clear_on_ready_callback(); });
  events.clear();
  for (const auto & waitable : current.waitables) {
    if (auto event = std::dynamic_pointer_cast<EventHandlerBase>(waitable)) events.push_back(event);
  }
}

/// Those that are ready come into the queue. \return how long it takes at least until time makes another ready.
nanoseconds EventsExecutor::Served::look_at_events() {
  std::unique_lock<std::mutex> lock(mutex);
  if (events.empty()) return nanoseconds::max();
  const auto all = events;
  lock.unlock();
  std::int64_t due = std::numeric_limits<std::int64_t>::max();
  for (const auto & weak : all) {
    if (const auto event = weak.lock()) due = std::min(due, event->status_changed());
  }
  return nanoseconds(due) - std::chrono::steady_clock::now().time_since_epoch();
}

void EventsExecutor::Served::execute(const ExecutorEvent & event) {
  if (event.entity_key == nullptr) return;
  if (event.type == TIMER_EVENT) {  // of a queue that is fed by others
    manager.execute_ready_timer(static_cast<const TimerBase *>(event.entity_key), event.data);
    return;
  }
  std::unique_lock<std::mutex> lock(mutex);
  const auto waitable = event.type == WAITABLE_EVENT ? find(waitables, event.entity_key) : nullptr;
  const auto receiver = event.type == WAITABLE_EVENT ? nullptr : find(receivers, event.entity_key);
  lock.unlock();
  for (size_t i = 0; receiver && i < event.num_events; ++i) {
    tandem::transport::Sample sample;
    if (receiver->take_sample(sample)) receiver->execute(sample);
  }
  for (size_t i = 0; waitable && i < event.num_events; ++i) {
    const auto data = waitable->take_data_by_entity_id(static_cast<size_t>(event.waitable_data));
    waitable->execute(data);
  }
}

// ---- spinning ------------------------------------------------------------------------------------------------------

EventsExecutor::EventsExecutor(EventsQueue::UniquePtr events_queue, bool execute_timers_separate_thread,
                               const ExecutorOptions & options)
    : Executor(options),
      queue_(std::move(events_queue)),
      has_timers_thread_(execute_timers_separate_thread),
      timers_(options.context),
      served_(std::make_unique<Served>(queue_, timers_)) {
  if (!queue_) throw std::invalid_argument("an events executor was made without a queue");
  core_->wakeup()->set_told();
  core_->wakeup()->set_wait_set(served_->waker);
}

EventsExecutor::~EventsExecutor() { served_->update({}); }

void EventsExecutor::remove_node(node_interfaces::NodeBaseInterface::SharedPtr node, bool notify) {
  Executor::remove_node(std::move(node), notify);
  refresh();
}

void EventsExecutor::remove_node(std::shared_ptr<Node> node, bool notify) {
  remove_node(node->get_node_base_interface(), notify);
}

void EventsExecutor::remove_callback_group(CallbackGroup::SharedPtr group, bool notify) {
  Executor::remove_callback_group(std::move(group), notify);
  refresh();
}

/// Serves what has been added since the last call, and no more what has been removed.
void EventsExecutor::refresh() {
  served_->waker->seen();
  const auto & wakeup = core_->wakeup();
  if (wakeup->take_timers_changed()) timers_.look_again();
  if (wakeup->take_entities_changed()) served_->update(core_->entities());
}

/// For at most `timeout`, and until a timer or an event is due.
bool EventsExecutor::wait_for_event(ExecutorEvent & event, nanoseconds timeout) {
  if (!has_timers_thread_) {
    if (const auto head = timers_.get_head_timeout()) timeout = std::min(timeout, *head);
  }
  timeout = std::min(timeout, served_->look_at_events());
  return queue_->dequeue(event, std::max(timeout, nanoseconds::zero()));
}

void EventsExecutor::spin() {
  const SpinGuard guard(spinning, "spin");
  struct TimersThread {
    TimersManager * manager;
    explicit TimersThread(TimersManager * timers) : manager(timers) {
      if (manager != nullptr) manager->start();
    }
    ~TimersThread() {
      if (manager != nullptr) manager->stop();
    }
  } thread(has_timers_thread_ ? &timers_ : nullptr);
  while (keep_spinning()) {
    refresh();
    if (!has_timers_thread_) timers_.execute_head_timer();
    if (!keep_spinning()) return;
    ExecutorEvent event;
    if (wait_for_event(event, nanoseconds::max())) served_->execute(event);
  }
}

void EventsExecutor::spin_once_impl(nanoseconds timeout) {
  const auto begin = std::chrono::steady_clock::now();
  while (keep_spinning()) {
    refresh();
    if (timers_.execute_head_timer()) return;
    const nanoseconds waited = std::chrono::steady_clock::now() - begin;
    const nanoseconds rest = timeout < nanoseconds::zero() ? nanoseconds::max() : timeout - waited;
    ExecutorEvent event;
    if (!wait_for_event(event, rest)) {
      if (rest <= nanoseconds::zero()) return;
    } else if (event.entity_key != nullptr) {
      served_->execute(event);
      return;
    }
  }
}

void EventsExecutor::run_some(nanoseconds max_duration, bool exhaustive) {
  const SpinGuard guard(spinning, exhaustive ? "spin_all" : "spin_some");
  const auto begin = std::chrono::steady_clock::now();
  refresh();
  served_->look_at_events();
  size_t events = queue_->size();
  size_t timers = timers_.get_number_ready_timers();
  while (keep_spinning()) {
    if (exhaustive) refresh();
    ExecutorEvent event;
    if ((exhaustive || events != 0) && queue_->dequeue(event, nanoseconds::zero())) {
      if (events != 0) --events;
      served_->execute(event);
    } else if ((exhaustive || timers != 0) && timers_.execute_head_timer()) {
      if (timers != 0) --timers;
    } else {
      return;
    }
    if (max_duration.count() > 0 && std::chrono::steady_clock::now() - begin >= max_duration) return;
  }
}

void EventsExecutor::spin_some(nanoseconds max_duration) { run_some(max_duration, false); }

void EventsExecutor::spin_all(nanoseconds max_duration) {
  if (max_duration <= nanoseconds::zero()) throw std::invalid_argument("max_duration must be positive");
  run_some(max_duration, true);
}

}  // namespace rclcpp::experimental::executors
