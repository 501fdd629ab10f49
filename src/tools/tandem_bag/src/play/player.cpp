#include "tandem/bag/player.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "node/taking.hpp"
#include "play/play_clock.hpp"
#include "play/played_topic.hpp"
#include "play/player_node.hpp"
#include "play/read_ahead.hpp"
#include "rclcpp/logging.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "tandem/plugin.hpp"

namespace tandem::bag {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// A part of the bag, in ns since the epoch.
struct Part {
  std::int64_t start;
  std::int64_t end;  ///< the last message is not later
};

Part part_of(const Metadata & bag, nanoseconds start_offset, nanoseconds duration, std::int64_t until) {
  const std::int64_t start = bag.start_time + std::max<std::int64_t>(start_offset.count(), 0);
  if (duration.count() < 0 && until < 0) {
    return {start, kNoLimit};
  }
  return {start, std::max(duration.count() < 0 ? start : start + duration.count(), until)};
}

Selection selection_of(const PlayerOptions & options) {
  Selection selection = options.selection;
  if (selection.is_empty()) {
    selection.all_topics = selection.all_services = true;
  }
  selection.include_hidden_topics = true;
  if (options.clock_frequency > 0) {
    selection.exclude_topics.push_back("/clock");  // there is one already
  }
  return selection;
}

}  // namespace

class Player::Impl {
 public:
  Impl(const PlayerOptions & options, const std::shared_ptr<rclcpp::Context> & context)
      : options_(options),
        reader_(options.bag),
        ahead_(reader_, options.read_ahead),
        context_(context->transport()),
        node_(options.node_name, context) {
    clock_.set_rate(options.rate);
    clock_.set_paused(options.start_paused);
    clock_.jump(reader_.metadata().start_time);
    make_topics();
    if (options.clock_frequency > 0 || options.clock_topics_all || !options.clock_topics.empty()) {
      clock_publisher_ = node_.node().create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
    }
  }

  ~Impl() {
    node_.end();
    stop();
    join();
  }

  void serve(Player & self) { node_.serve(self); }

  bool play(nanoseconds start_offset, nanoseconds duration, std::int64_t until) {
    const std::lock_guard starting(starting_mutex_);
    if (is_playing()) {
      return false;
    }
    join();
    {
      const std::lock_guard lock(mutex_);
      is_playing_ = true;
      is_stopping_ = false;
      error_.clear();
    }
    const Part part = part_of(reader_.metadata(), start_offset, duration, until);
    thread_ = std::thread([this, part] { run(part); });
    if (options_.clock_frequency > 0) {
      clock_thread_ = std::thread([this] { publish_clock(); });
    }
    return true;
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    changed_.notify_all();
  }

  bool is_playing() const {
    const std::lock_guard lock(mutex_);
    return is_playing_;
  }

  bool wait(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, timeout, [&] { return !is_playing_; })) {
      return false;
    }
    if (!error_.empty()) {
      throw Error(error_);
    }
    return true;
  }

  void set_paused(bool is_paused) {
    {
      const std::lock_guard lock(mutex_);
      clock_.set_paused(is_paused);
      burst_until_ = burst_done_;
    }
    changed_.notify_all();
  }

  bool is_paused() const {
    const std::lock_guard lock(mutex_);
    return clock_.is_paused();
  }

  double rate() const {
    const std::lock_guard lock(mutex_);
    return clock_.rate();
  }

  bool set_rate(double rate) {
    if (!(rate > 0) || rate > 1e9) {
      return false;
    }
    {
      const std::lock_guard lock(mutex_);
      clock_.set_rate(rate);
    }
    changed_.notify_all();
    return true;
  }

  std::uint64_t burst(std::uint64_t count) {
    std::unique_lock lock(mutex_);
    if (!clock_.is_paused() || !is_playing_) {
      return 0;
    }
    const std::uint64_t before = burst_done_;
    const std::uint64_t wanted = count == 0 ? std::numeric_limits<std::uint64_t>::max() : before + count;
    burst_until_ = wanted;
    changed_.notify_all();
    changed_.wait(lock, [&] { return burst_done_ >= wanted || !is_playing_ || burst_until_ != wanted; });
    return burst_done_ - before;
  }

  bool seek(std::int64_t time) {
    {
      const std::lock_guard lock(mutex_);
      if (!is_playing_ || time > reader_.metadata().end_time()) {
        return false;
      }
      go_to(std::max(time, reader_.metadata().start_time));
    }
    changed_.notify_all();
    return true;
  }

  std::int64_t now() const {
    const std::lock_guard lock(mutex_);
    return clock_.now();
  }

 private:
  void make_topics() {
    const TopicFilter filter(selection_of(options_));
    const Taking taking = taking_of(transport::load());
    const Stage stage{*context_, node_.name(), taking.is_dds};
    const std::vector<Topic> & all = reader_.metadata().topics;
    topics_.resize(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const std::string service = service_of_event_topic(all[i]);
      if (!filter.accepts(all[i]) || all[i].message_count == 0) {
        continue;
      }
      try {
        const bool are_requests = options_.publish_service_requests && !service.empty();
        topics_[i] =
            are_requests ? play_requests(all[i], service, options_, stage) : play_messages(all[i], options_, stage);
        played_.push_back(i);
      } catch (const std::exception & error) {
        RCLCPP_WARN(node_.logger(), "%s", error.what());
      }
    }
    if (played_.empty()) {
      throw Error(fmt::format("there is nothing to play in {}", options_.bag.string()));
    }
  }

  void join() {
    for (std::thread * const thread : {&thread_, &clock_thread_}) {
      if (thread->joinable()) {
        thread->join();
      }
    }
  }

  /// With the lock held. The time goes on when the first message is ready: it takes a while to read.
  void go_to(std::int64_t time) {
    clock_.hold(time);
    ahead_.seek(time, played_);
    ++seeks_;
  }

  // ---- the playing thread ----

  void run(Part part) {
    prctl(PR_SET_TIMERSLACK, 1);
    std::string error;
    try {
      do {
        play_once(part);
      } while (options_.loop && !is_stopping());
      if (options_.wait_for_all_acked.count() >= 0 && !is_stopping()) {
        wait_for_all_acked();
      }
    } catch (const Error & e) {
      error = e.what();
    }
    {
      const std::lock_guard lock(mutex_);
      error_ = error;
      is_playing_ = false;
      burst_until_ = burst_done_;
    }
    changed_.notify_all();
  }

  bool is_stopping() const {
    const std::lock_guard lock(mutex_);
    return is_stopping_;
  }

  void play_once(const Part & part) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, options_.delay, [&] { return is_stopping_; });
      go_to(part.start);
      file_.clear();
    }
    while (true) {
      ReadAhead::Entry entry = ahead_.next();
      if (entry.is_end || entry.message.log_time > part.end) {
        if (is_at_end(entry.seeks, part)) {
          return;
        }
        continue;
      }
      PlayedTopic & topic = *topics_[entry.message.topic];
      if (prepare(topic, entry.message) && !publish_when_due(topic, entry) && is_stopping()) {
        return;
      }
      ahead_.recycle(std::move(entry));
    }
  }

  /// Waits until the part's time is over, as far as the bag goes. \return false if somebody has sought.
  bool is_at_end(std::uint64_t seeks, const Part & part) {
    std::unique_lock lock(mutex_);
    const std::int64_t end = std::min(part.end, reader_.metadata().end_time());
    if (seeks == seeks_) {
      clock_.release();
    }
    while (!is_stopping_ && seeks == seeks_ && !clock_.is_paused() && clock_.now() < end) {
      changed_.wait_until(lock, clock_.when(end));
    }
    return seeks == seeks_;
  }

  bool prepare(PlayedTopic & topic, const Message & message) {
    try {
      return topic.prepare(message);
    } catch (const Error & error) {
      RCLCPP_WARN(node_.logger(), "%s", error.what());
      return false;
    }
  }

  /// \return false if it was not published: stopped, or somebody has sought.
  bool publish_when_due(PlayedTopic & topic, const ReadAhead::Entry & entry) {
    const std::int64_t time = entry.message.log_time;
    {
      std::unique_lock lock(mutex_);
      if (entry.seeks == seeks_) {
        clock_.release();
      }
      while (!is_stopping_ && entry.seeks == seeks_ && burst_until_ <= burst_done_) {
        if (clock_.is_paused()) {
          changed_.wait(lock);
        } else if (const auto when = clock_.when(time); when > PlayClock::Steady::now()) {
          changed_.wait_until(lock, when);
        } else {
          break;
        }
      }
      if (is_stopping_ || entry.seeks != seeks_) {
        return false;
      }
      if (burst_until_ > burst_done_) {
        clock_.jump(time);
      }
    }
    tell_clock(entry.message);
    topic.publish();
    tell_file(entry.file);
    const std::lock_guard lock(mutex_);
    if (burst_until_ > burst_done_) {
      ++burst_done_;
      changed_.notify_all();
    }
    return true;
  }

  void tell_file(const std::string & file) {
    if (file != file_) {
      if (!file_.empty()) {
        node_.tell_split((options_.bag / file_).string(), (options_.bag / file).string());
      }
      file_ = file;
    }
  }

  void wait_for_all_acked() {
    const nanoseconds timeout =
        options_.wait_for_all_acked.count() == 0 ? nanoseconds(-1) : nanoseconds(options_.wait_for_all_acked);
    for (const std::uint32_t topic : played_) {
      topics_[topic]->wait_for_all_acked(timeout);
    }
  }

  // ---- /clock ----

  void tell_clock(const Message & message) {
    const std::string & name = reader_.metadata().topics[message.topic].name;
    const auto & wanted = options_.clock_topics;
    if (options_.clock_topics_all || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      publish_time(message.log_time);
    }
  }

  void publish_time(std::int64_t time) {
    rosgraph_msgs::msg::Clock clock;
    clock.clock.sec = static_cast<std::int32_t>(time / 1000000000);
    clock.clock.nanosec = static_cast<std::uint32_t>(time % 1000000000);
    clock_publisher_->publish(clock);
  }

  void publish_clock() {
    const auto period =
        std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(1 / options_.clock_frequency));
    auto next = PlayClock::Steady::now();
    std::unique_lock lock(mutex_);
    while (is_playing_) {
      const std::int64_t time = clock_.now();
      lock.unlock();
      publish_time(time);
      next = std::max(next + period, PlayClock::Steady::now());
      lock.lock();
      changed_.wait_until(lock, next, [&] { return !is_playing_; });
    }
  }

  const PlayerOptions options_;
  Reader reader_;
  ReadAhead ahead_;
  const std::shared_ptr<transport::Context> context_;
  PlayerNode node_;
  std::vector<std::unique_ptr<PlayedTopic>> topics_;  // by the bag's; null: not played
  std::vector<std::uint32_t> played_;
  std::shared_ptr<rclcpp::Publisher<rosgraph_msgs::msg::Clock>> clock_publisher_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  PlayClock clock_;  // under mutex_, as what follows
  bool is_playing_ = false;
  bool is_stopping_ = false;
  std::uint64_t seeks_ = 0;        // as ahead_ counts them
  std::uint64_t burst_done_ = 0;   // messages published while paused
  std::uint64_t burst_until_ = 0;  // as many are to be
  std::string error_;

  std::string file_;  // of the playing thread: that the last message was from
  std::mutex starting_mutex_;
  std::thread thread_;
  std::thread clock_thread_;
};

Player::Player(const PlayerOptions & options, const std::shared_ptr<rclcpp::Context> & context)
    : impl_(std::make_unique<Impl>(options, context)), options_(options) {
  impl_->serve(*this);
}
Player::~Player() = default;

bool Player::play() { return impl_->play(options_.start_offset, options_.duration, options_.until); }
bool Player::play(nanoseconds start_offset, nanoseconds duration, std::int64_t until) {
  return impl_->play(start_offset, duration, until);
}
void Player::stop() { impl_->stop(); }
bool Player::is_playing() const { return impl_->is_playing(); }
bool Player::wait(std::chrono::milliseconds timeout) { return impl_->wait(timeout); }
void Player::pause() { impl_->set_paused(true); }
void Player::resume() { impl_->set_paused(false); }
bool Player::is_paused() const { return impl_->is_paused(); }
double Player::rate() const { return impl_->rate(); }
bool Player::set_rate(double rate) { return impl_->set_rate(rate); }
std::uint64_t Player::burst(std::uint64_t count) { return impl_->burst(count); }
bool Player::seek(std::int64_t time) { return impl_->seek(time); }
std::int64_t Player::now() const { return impl_->now(); }

}  // namespace tandem::bag
