// The two roles of a round trip: Ping sends messages and takes the replies, Pong replies.
//
// A round trip begins just before Ping's publish() and ends when Ping has taken the reply. Half of that time is
// recorded.
#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "measures/measures.hpp"
#include "measures/payload.hpp"
#include "roles/roles.hpp"
#include "roles/schedule.hpp"
#include "trial/measure.hpp"

namespace lab {
namespace {

constexpr std::int64_t kReplyTimeout = kSecond;
constexpr std::int64_t kMaxWait = kSecond / 5;
constexpr std::int64_t kRetryNanoseconds = 50'000;

/// A ping that waits for its reply.
struct Pending {
  std::uint64_t number = 0;  ///< 0: none, the slot is free
  std::int64_t sent_ns = 0;
};

/// Keeps up to `spec.outstanding` pings pending. It sends one when it is due and a slot is free, and takes replies
/// meanwhile.
class Ping {
 public:
  explicit Ping(const Trial & trial)
      : trial_(trial),
        spec_(trial.spec),
        outlet_(trial.link.make_outlet(spec_.topic)),
        inlet_(trial.link.make_inlet(spec_.reply_topic)),
        wakes_(trial.control, *inlet_),
        measures_(spec_, "sequence,sent_ns,received_ns", {"half_round_trip"}),
        schedule_(spec_),
        fill_([this](std::span<std::byte> payload) { fill(payload); }),
        pending_(spec_.outstanding) {}

  void run() {
    if (await_matched(trial_, {outlet_.get(), inlet_.get()}) && trial_.control.wait_for_go()) exchange();
    for (Pending & ping : pending_) give_up(ping);
    measures_.end(copied());
    emit("done", now_ns());
    measures_.finish();
    trial_.control.wait_for_stop();
  }

 private:
  void exchange() {
    schedule_.start(now_ns());
    while (!trial_.control.is_stopped()) {
      const std::int64_t now = now_ns();
      Pending * const slot = has_more() && now < end_ns_ ? free_slot() : nullptr;
      if (slot == nullptr && in_flight_ == 0) return;
      if (slot != nullptr && schedule_.next() <= now) {
        send(*slot, now);
      } else if (!take_reply()) {
        wait(now, slot != nullptr);
      }
    }
  }

  bool has_more() const noexcept { return spec_.count == 0 || sequence_ < spec_.warm_up + spec_.count; }

  Pending * free_slot() noexcept {
    if (in_flight_ == pending_.size()) return nullptr;
    return &*std::find_if(pending_.begin(), pending_.end(), [](const Pending & ping) { return ping.number == 0; });
  }

  void begin(std::int64_t now) {
    measures_.begin(copied());
    if (spec_.seconds > 0) end_ns_ = now + static_cast<std::int64_t>(spec_.seconds * 1e9);
  }

  void send(Pending & slot, std::int64_t now) {
    if (sequence_ == spec_.warm_up && !measures_.has_begun()) begin(now);
    number_ = make_number(spec_.source, sequence_ + 1);
    due_ns_ = schedule_.take(now);
    tried_ns_ = 0;
    Sent result = Sent::kOk;
    for (std::int64_t before = sent_ns_; (result = outlet_->send(fill_)) != Sent::kOk;) {
      // The first attempt counts: a link that refuses a message and one whose publish() waits are measured alike.
      if (tried_ns_ == 0) tried_ns_ = sent_ns_ != before ? sent_ns_ : now_ns();
      ++(result == Sent::kTimeout ? measures_.counts.timeouts : measures_.counts.failed_borrows);
      if (trial_.control.is_stopped() || now_ns() >= end_ns_) return;
      sleep_until(now_ns() + kRetryNanoseconds, false, trial_.control);
    }
    slot = {number_, sent_ns_};
    ++in_flight_;
    if (++sequence_ <= spec_.warm_up) return;
    if (measures_.counts.sent++ == 0) measures_.counts.first_ns = sent_ns_;
  }

  /// \return whether there was a message.
  bool take_reply() {
    const Arrival arrival = inlet_->take();
    if (!arrival) return false;
    const std::int64_t now = now_ns();
    const Head head = head_of(arrival);
    const auto ping = std::find_if(pending_.begin(), pending_.end(),
                                   [&head](const Pending & one) { return one.number == head.number; });
    // A second Pong has replied too, or the reply comes after its ping was given up.
    if (head.number == 0 || ping == pending_.end()) {
      ++measures_.counts.duplicates;
      return true;
    }
    if (head.sequence() > spec_.warm_up) count(head, *ping, now);
    *ping = {};
    --in_flight_;
    return true;
  }

  void count(const Head & head, const Pending & ping, std::int64_t received_ns) noexcept {
    if (head.sent_ns != ping.sent_ns) ++measures_.counts.torn;
    ++measures_.counts.received;
    measures_.counts.last_ns = received_ns;
    measures_.record(0, (received_ns - ping.sent_ns) / 2);
    measures_.add({static_cast<std::int64_t>(head.number), ping.sent_ns, received_ns});
  }

  /// Waits until a reply may be there or the next ping is due. Gives up pings whose reply is overdue.
  void wait(std::int64_t now, bool has_slot) {
    if (in_flight_ == 0) {
      sleep_until(schedule_.next(), spec_.poll, trial_.control);
      return;
    }
    std::int64_t end = has_slot ? std::min(now + kMaxWait, schedule_.next()) : now + kMaxWait;
    for (Pending & ping : pending_) {
      if (ping.number == 0) continue;
      if (now - ping.sent_ns > kReplyTimeout) give_up(ping);
      end = std::min(end, ping.sent_ns + kReplyTimeout);
    }
    await_arrival(trial_, *inlet_, end - now);
  }

  void give_up(Pending & ping) noexcept {
    if (ping.number == 0) return;
    if ((ping.number & 0xffff'ffff) > spec_.warm_up) ++measures_.counts.lost;
    ping = {};
    --in_flight_;
  }

  void fill(std::span<std::byte> payload) {
    write_rest(payload, number_, spec_.check);
    measures_.attestation.look(number_, payload.data());
    sent_ns_ = tried_ns_ != 0 ? tried_ns_ : now_ns();
    write_head(payload, {number_, (sent_ns_ - due_ns_) / 1000, sent_ns_});
  }

  std::uint64_t copied() const { return outlet_->copied() + inlet_->copied(); }

  const Trial & trial_;
  const Spec & spec_;
  const std::unique_ptr<Outlet> outlet_;
  const std::unique_ptr<Inlet> inlet_;
  const WakesInlet wakes_;
  Measures measures_;
  Schedule schedule_;
  const Fill fill_;
  std::vector<Pending> pending_;
  std::size_t in_flight_ = 0;
  std::uint64_t sequence_ = 0;  // of the last ping
  std::uint64_t number_ = 0;
  std::int64_t due_ns_ = 0;
  std::int64_t sent_ns_ = 0;
  std::int64_t tried_ns_ = 0;  // when this ping was refused first; 0: not yet
  std::int64_t end_ns_ = std::numeric_limits<std::int64_t>::max();
};

/// Replies to each message with its head. The rest of the reply is what the borrowed memory held before.
///
/// The message is checked after the reply, because the check is no part of the round trip. A full check, which reads
/// all of the message, comes before the reply, as an application reads a message before it answers.
class Pong {
 public:
  explicit Pong(const Trial & trial)
      : trial_(trial),
        spec_(trial.spec),
        outlet_(trial.link.make_outlet(spec_.reply_topic)),
        inlet_(trial.link.make_inlet(spec_.topic)),
        wakes_(trial.control, *inlet_),
        measures_(spec_, "", {}),
        fill_([this](std::span<std::byte> payload) { write_head(payload, head_); }) {}

  void run() {
    if (await_matched(trial_, {outlet_.get(), inlet_.get()})) {
      while (!trial_.control.is_stopped()) {
        if (reply()) continue;
        if (spec_.poll && now_ns() - measures_.counts.last_ns > kIdle) measures_.end(copied());
        await_arrival(trial_, *inlet_, kMaxWait);
      }
    }
    measures_.end(copied());
    emit("done", now_ns());
    measures_.finish();
  }

 private:
  /// \return whether there was a message.
  bool reply() {
    const Arrival arrival = inlet_->take();
    if (!arrival) return false;
    const std::int64_t received_ns = now_ns();
    head_ = head_of(arrival);
    const bool is_measured = head_.sequence() > spec_.warm_up;
    if (is_measured && !measures_.has_begun()) measures_.begin(copied_before_);
    if (spec_.check == Check::kFull) check(arrival);
    Sent result = Sent::kOk;
    while ((result = outlet_->send(fill_)) != Sent::kOk) {
      ++(result == Sent::kTimeout ? measures_.counts.timeouts : measures_.counts.failed_borrows);
      if (trial_.control.is_stopped()) return true;
      sleep_until(now_ns() + kRetryNanoseconds, false, trial_.control);
    }
    if (is_measured) {
      count(arrival, received_ns);
    } else {
      copied_before_ = copied();
    }
    return true;
  }

  void count(const Arrival & arrival, std::int64_t received_ns) {
    Counts & counts = measures_.counts;
    measures_.resume();
    ++counts.sent;
    if (counts.received++ == 0) counts.first_ns = received_ns;
    counts.last_ns = received_ns;
    measures_.attestation.look(head_.number, arrival.payload.data());
    if (spec_.check != Check::kFull) check(arrival);
  }

  void check(const Arrival & arrival) noexcept {
    if (!is_whole(arrival.payload, head_.number, spec_.check)) ++measures_.counts.torn;
  }

  std::uint64_t copied() const { return outlet_->copied() + inlet_->copied(); }

  const Trial & trial_;
  const Spec & spec_;
  const std::unique_ptr<Outlet> outlet_;
  const std::unique_ptr<Inlet> inlet_;
  const WakesInlet wakes_;
  Measures measures_;
  const Fill fill_;
  Head head_;
  std::uint64_t copied_before_ = 0;  // by the link, during the warm-up
};

}  // namespace

void ping(const Trial & trial) { Ping(trial).run(); }
void pong(const Trial & trial) { Pong(trial).run(); }

}  // namespace lab
