#include "tandem/bag/recorder.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "rclcpp/logging.hpp"
#include "record/bag_sink.hpp"
#include "record/crash_watch.hpp"
#include "record/message_cache.hpp"
#include "record/recorded_topic.hpp"
#include "record/recorder_node.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "tandem/definition.hpp"
#include "tandem/measure/clock.hpp"
#include "tandem/plugin.hpp"
#include "tandem/type_library.hpp"

namespace tandem::bag {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook = 2ms;       // between two looks at shared memory
constexpr std::chrono::milliseconds kGather = 50ms;    // before a batch that is not full goes to the disk
constexpr std::chrono::milliseconds kFlush = 1000ms;   // what is older outlives this process
constexpr std::chrono::milliseconds kReport = 1000ms;  // between two reports of losses
constexpr std::chrono::milliseconds kWatch = 20ms;     // between two looks whether processes live
constexpr std::chrono::milliseconds kDump = 60s;       // that writing what a cache holds may take
constexpr std::uint32_t kReferences = 8;               // messages of a topic that a black box leaves where they lie

/// Trigger topics are recorded as well.
Selection with_triggers(const RecorderOptions & options) {
  Selection selection = options.selection;
  selection.topics.insert(selection.topics.end(), options.trigger_topics.begin(), options.trigger_topics.end());
  return selection;
}

std::vector<Qos> offered_by(const std::vector<transport::EndpointInfo> & publishers) {
  std::vector<Qos> all;
  for (const auto & publisher : publishers) {
    all.push_back(publisher.qos);
  }
  return all;
}

/// Whether publishers of `wanted` are out of reach for a subscription of `current`.
bool is_weaker(const Qos & wanted, const Qos & current) {
  return wanted.reliability < current.reliability || wanted.durability < current.durability;
}

}  // namespace

class Recorder::Impl {
 public:
  Impl(const RecorderOptions & options, const std::shared_ptr<rclcpp::Context> & context)
      : options_(options),
        taking_(taking_of(transport::load())),
        filter_(with_triggers(options)),
        context_(context->transport()),
        bag_(options.writer),
        cache_(options.max_cache_size, options.snapshot_mode, options.black_box.count()),
        node_(options.node_name, context),
        is_paused_(options.start_paused) {
    bag_.set_split_listener(
        [this](const std::string & closed, const std::string & opened) { node_.tell_split(closed, opened); });
    if (options.use_sim_time) {
      subscribe_clock();
    }
    if (is_black_box() && taking_.is_shared_memory) {
      crash_watch_ = std::make_unique<CrashWatch>(context->get_domain_id(), options.watched_nodes);
    }
    if (!taking_.is_shared_memory) {
      wait_set_ = context_->create_wait_set();
    }
    discover();
    writing_ = std::thread([this] { write_all(); });
    taking_thread_ = std::thread([this] { take_all(); });
    discovering_ = std::thread([this] { discover_all(); });
    RCLCPP_INFO(node_.logger(), "Recording...");
  }

  ~Impl() { end(); }

  void serve(Recorder & self) { node_.serve(self); }

  bool is_recording() const { return bag_.is_writable(); }
  void set_paused(bool is_paused) { is_paused_.store(is_paused, std::memory_order_relaxed); }
  bool is_paused() const { return is_paused_.load(std::memory_order_relaxed); }

  void split() { bag_.split(); }

  bool take_snapshot() {
    if (!options_.snapshot_mode) {
      RCLCPP_ERROR(node_.logger(), "Snapshots are taken in snapshot mode only");
      return false;
    }
    const std::lock_guard dumping(dump_mutex_);
    const std::size_t count = dump();
    finish_dump();
    RCLCPP_INFO(node_.logger(), "Snapshot of %zu messages", count);
    return count != 0;
  }

  void stop() {
    end();
    bag_.close();
  }

  std::vector<Lost> lost() const {
    std::vector<Lost> all;
    const std::lock_guard lock(topics_mutex_);
    for (const auto & topic : topics_) {
      const Lost one{topic->name(), topic->lost_in_transport(), topic->lost_in_recorder()};
      if (one.in_transport + one.in_recorder != 0) {
        all.push_back(one);
      }
    }
    return all;
  }

  std::uint64_t message_count() const { return bag_.message_count(); }

 private:
  void end() {
    node_.end();
    if (!taking_thread_.joinable()) {
      return;
    }
    {
      const std::lock_guard lock(topics_mutex_);
      is_ending_ = true;
    }
    ending_.notify_all();
    discovering_.join();
    if (wait_set_) {
      wait_set_->wake();
    }
    taking_thread_.join();
    cache_.close();
    writing_.join();
    report_losses(lost());
  }

  bool is_black_box() const { return options_.black_box.count() != 0; }

  /// Lets the writing thread write what the cache holds. \return messages in it.
  std::size_t dump() {
    {
      std::unique_lock lock(topics_mutex_);
      hand_over_ = true;  // by the taking thread, whose batch it is
      handed_over_.wait_for(lock, 1s, [&] { return !hand_over_; });
    }
    const bool has_limit = is_black_box() && !options_.use_sim_time;
    oldest_.store(has_limit ? measure::wall_ns() - options_.black_box.count() : 0, std::memory_order_relaxed);
    if (cache_.take_overflow() && is_black_box()) {
      RCLCPP_WARN(node_.logger(),
                  "The time asked for did not fit into %llu bytes: what is older is gone. Raise "
                  "--max-cache-size, or record fewer topics",
                  static_cast<unsigned long long>(options_.max_cache_size));
    }
    const std::size_t count = cache_.release();
    cache_.wait_until_written(kDump);
    return count;
  }

  /// Each dump of a black box is a file that is complete, whatever happens later.
  void finish_dump() { is_black_box() ? bag_.finish_file() : bag_.flush(); }

  // ---- the discovery thread ----

  void discover_all() {
    const auto interval = is_black_box() ? std::min(options_.polling_interval, kWatch) : options_.polling_interval;
    auto next_report = steady_clock::now() + kReport;
    auto next_discovery = steady_clock::now() + options_.polling_interval;
    std::unique_lock lock(topics_mutex_);
    while (!ending_.wait_for(lock, interval, [this] { return is_ending_; })) {
      lock.unlock();
      if (const auto time = steady_clock::now(); !options_.no_discovery && time >= next_discovery) {
        next_discovery = time + options_.polling_interval;
        discover();
      }
      if (is_triggered_.exchange(false)) {
        take_snapshot();
      }
      if (crash_watch_) {
        look_for_the_dead();
      }
      if (const auto now = steady_clock::now(); now >= next_report) {
        next_report = now + kReport;
        report_losses(lost());
      }
      lock.lock();
    }
  }

  void discover() {
    for (const auto & [name, found] : tools::topics_of(context_->graph(), true)) {
      const auto known = by_name_.find(name);
      if (known != by_name_.end()) {
        follow(*known->second, found);
      } else if (is_wanted(name, found)) {
        add(name, found);
      }
    }
  }

  void look_for_the_dead() {
    for (const DeadProcess & dead : crash_watch_->look()) {
      RCLCPP_ERROR(node_.logger(), "%s has died", dead.text().c_str());
      const std::lock_guard dumping(dump_mutex_);
      const std::size_t count = dump();
      const std::size_t left = write_remains(dead);
      finish_dump();
      RCLCPP_INFO(node_.logger(), "Written: %zu messages, and %zu that the process left in shared memory", count, left);
    }
  }

  /// Messages of topics that are not recorded; of the others the subscriptions have got the last ones.
  std::size_t write_remains(const DeadProcess & dead) {
    std::size_t count = 0;
    const auto write = [&](const Message & message) {
      bag_.write(message);
      ++count;
    };
    try {
      dead.read(
          [&](const Topic & topic) {
            return by_name_.count(topic.name) != 0 ? -1 : std::int64_t{bag_.number_of(topic)};
          },
          write);
    } catch (const Error &) {  // of the bag, which tells it
    }
    return count;
  }

  bool is_wanted(const std::string & name, const tools::Topic & found) const {
    Topic topic;
    topic.name = name;
    topic.type = example_of(found).type_name;
    const bool has_publisher = options_.include_unpublished_topics || !found.publishers.empty();
    const bool has_reader = !options_.ignore_leaf_topics || !found.subscriptions.empty();
    return has_publisher && has_reader && filter_.accepts(topic) && refused_.count(name) == 0;
  }

  std::uint32_t references() const { return is_black_box() && taking_.is_shared_memory ? kReferences : 0; }

  Qos qos_for(const std::string & name, const tools::Topic & found, const MessageType & type) const {
    const auto asked = options_.qos_overrides.find(name);
    return asked != options_.qos_overrides.end() ? asked->second : recording_qos(found, type, taking_);
  }

  void add(const std::string & name, const tools::Topic & found) {
    try {
      const MessageType & type = recording_type(found, taking_);
      auto topic = std::make_shared<RecordedTopic>(name, add_to_bag(name, found, type), type, references());
      topic->subscribe(*context_, node_.name(), qos_for(name, found, type));
      if (wait_set_) {
        wait_set_->attach(topic->subscription());
      }
      by_name_.emplace(name, topic);
      const std::lock_guard lock(topics_mutex_);
      topics_.push_back(topic);
      RCLCPP_INFO(node_.logger(), "Subscribed to topic '%s'", name.c_str());
    } catch (const std::exception & error) {
      refused_.insert(name);
      RCLCPP_WARN(node_.logger(), "%s", error.what());
    }
  }

  std::uint32_t add_to_bag(const std::string & name, const tools::Topic & found, const MessageType & type) {
    Topic topic;
    topic.name = name;
    topic.type = example_of(found).type_name;
    topic.type_hash = example_of(found).type_hash;
    const auto installed = find_message_type(topic.type);
    if (installed) {
      topic.definition_encoding = "ros2msg";
      topic.definition = definition_of(**installed);
    } else {
      RCLCPP_WARN(node_.logger(), "The definition of %s is not in the bag: %s", type.name, installed.error().c_str());
    }
    topic.offered_qos = offered_by(found.publishers);
    return bag_.number_of(topic);
  }

  /// Publishers may have come whom the subscription does not reach.
  void follow(RecordedTopic & topic, const tools::Topic & found) {
    if (std::size_t & known = publishers_[topic.name()]; known != found.publishers.size()) {
      known = found.publishers.size();
      bag_.add_offered_qos(topic.number(), offered_by(found.publishers));
    }
    const Qos wanted = qos_for(topic.name(), found, topic.type());
    if (found.publishers.empty() || !is_weaker(wanted, topic.qos())) {
      return;
    }
    const std::lock_guard lock(topics_mutex_);
    topic.subscribe(*context_, node_.name(), wanted);
    if (wait_set_) {
      wait_set_->attach(topic.subscription());
    }
  }

  void report_losses(const std::vector<Lost> & all) {
    std::vector<Lost> more;
    for (const Lost & one : all) {
      const std::uint64_t total = one.in_transport + one.in_recorder;
      if (std::uint64_t & told = told_[one.topic]; told != total) {
        RCLCPP_WARN(node_.logger(), "%llu messages of '%s' are lost (%llu of them for want of room in the cache)",
                    static_cast<unsigned long long>(total), one.topic.c_str(),
                    static_cast<unsigned long long>(one.in_recorder));
        told = total;
        more.push_back(one);
      }
    }
    if (!more.empty()) {
      node_.tell_losses(more);
    }
  }

  // ---- the taking thread ----

  void subscribe_clock() {
    transport::TopicOptions options;
    options.node = node_.name();
    options.topic = "/clock";
    options.qos.reliability = Reliability::kBestEffort;
    options.qos.depth = 1;
    clock_ = context_->create_subscription(message_type<rosgraph_msgs::msg::Clock>(), options);
  }

  bool is_trigger(const RecordedTopic & topic) const {
    const auto & all = options_.trigger_topics;
    return !all.empty() && std::find(all.begin(), all.end(), topic.name()) != all.end();
  }

  void read_clock(RecordedTopic::Stamp & stamp) {
    while (clock_) {
      const transport::Sample sample = clock_->take();
      if (!sample) {
        return;
      }
      const auto & time = static_cast<const rosgraph_msgs::msg::Clock *>(sample.message)->clock;
      stamp.clock = std::int64_t{time.sec} * 1000000000 + time.nanosec;
    }
  }

  void take_all() {
    prctl(PR_SET_TIMERSLACK, 1);
    RecordedTopic::Stamp stamp{taking_.is_shared_memory, options_.use_sim_time, 0};
    auto gathered = steady_clock::now();
    for (bool is_last = false; !is_last;) {
      read_clock(stamp);
      {
        const std::lock_guard lock(topics_mutex_);
        is_last = is_ending_;
        const bool is_kept = !is_paused() && is_recording() && (!stamp.uses_clock || stamp.clock != 0);
        for (const auto & topic : topics_) {
          if (topic->take(is_kept ? &cache_ : nullptr, stamp) && is_trigger(*topic)) {
            is_triggered_ = true;
          }
        }
        const auto now = steady_clock::now();
        if (is_last || hand_over_ || (!options_.snapshot_mode && now - gathered >= kGather)) {
          gathered = now;
          for (const auto & topic : topics_) {
            topic->store_references(cache_);
          }
          cache_.hand_over();
          hand_over_ = false;
          handed_over_.notify_all();
        }
      }
      if (wait_set_) {
        wait_set_->wait(cache_.filling() == 0 ? 1000ms : kGather);
      } else {
        std::this_thread::sleep_for(kLook);
      }
    }
  }

  // ---- the writing thread ----

  void write_all() {
    auto flushed = steady_clock::now();
    bool is_flushed = true;
    while (true) {
      std::unique_ptr<Batch> batch = cache_.wait(kFlush);
      if (!batch && cache_.is_closed()) {
        return;
      }
      if (batch) {
        bag_.write(*batch, oldest_.load(std::memory_order_relaxed));
        cache_.recycle(std::move(batch));
        is_flushed = false;
      }
      if (const auto time = steady_clock::now(); !is_flushed && time - flushed >= kFlush) {
        bag_.flush();
        flushed = time;
        is_flushed = true;
      }
    }
  }

  const RecorderOptions options_;
  const Taking taking_;
  const TopicFilter filter_;
  const std::shared_ptr<transport::Context> context_;

  BagSink bag_;
  std::atomic<std::int64_t> oldest_ = 0;  // log time of the oldest message that is written
  MessageCache cache_;
  RecorderNode node_;
  std::mutex dump_mutex_;  // taken before all others

  // Of the discovery thread.
  std::map<std::string, std::shared_ptr<RecordedTopic>> by_name_;
  std::set<std::string> refused_;
  std::unique_ptr<CrashWatch> crash_watch_;        // null unless a black box
  std::map<std::string, std::size_t> publishers_;  // how many each topic had
  std::map<std::string, std::uint64_t> told_;      // losses by topic

  mutable std::mutex topics_mutex_;
  std::condition_variable ending_;
  std::condition_variable handed_over_;
  std::vector<std::shared_ptr<RecordedTopic>> topics_;  // under topics_mutex_, as what follows
  bool is_ending_ = false;
  bool hand_over_ = false;

  std::shared_ptr<transport::Subscription> clock_;
  std::shared_ptr<transport::WaitSet> wait_set_;  // null in shared memory
  std::atomic<bool> is_paused_;
  std::atomic<bool> is_triggered_ = false;
  std::thread discovering_;
  std::thread taking_thread_;
  std::thread writing_;
};

Recorder::Recorder(const RecorderOptions & options, const std::shared_ptr<rclcpp::Context> & context)
    : impl_(std::make_unique<Impl>(options, context)) {
  impl_->serve(*this);
}
Recorder::~Recorder() = default;

bool Recorder::is_recording() const { return impl_->is_recording(); }
void Recorder::pause() { impl_->set_paused(true); }
void Recorder::resume() { impl_->set_paused(false); }
bool Recorder::is_paused() const { return impl_->is_paused(); }
void Recorder::split() { impl_->split(); }
bool Recorder::take_snapshot() { return impl_->take_snapshot(); }
void Recorder::stop() { impl_->stop(); }
std::vector<Lost> Recorder::lost() const { return impl_->lost(); }
std::uint64_t Recorder::message_count() const { return impl_->message_count(); }

}  // namespace tandem::bag
