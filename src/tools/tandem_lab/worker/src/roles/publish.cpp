// The role that sends: on a fixed schedule, in bursts, or back to back.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "measures/measures.hpp"
#include "measures/payload.hpp"
#include "roles/roles.hpp"
#include "roles/schedule.hpp"
#include "trial/measure.hpp"

namespace lab {
namespace {

constexpr auto kFlushTime = std::chrono::seconds(2);
constexpr auto kFlushSlice = std::chrono::milliseconds(100);
constexpr auto kRetryInterval = std::chrono::microseconds(50);

class Publishing {
 public:
  explicit Publishing(const Trial & trial)
      : trial_(trial),
        spec_(trial.spec),
        outlet_(trial.link.make_outlet(spec_.topic)),
        measures_(spec_, "sequence,intended_ns,sent_ns,published_ns", {"publish"}),
        schedule_(spec_),
        fill_([this](std::span<std::byte> payload) { fill(payload); }) {}

  void run() {
    if (await_matched(trial_, {outlet_.get()}) && trial_.control.wait_for_go()) {
      send_all();
      flush();
    }
    measures_.end(outlet_->copied());
    emit("done", now_ns());
    measures_.finish();
    // Readers may still want what was sent.
    trial_.control.wait_for_stop();
  }

 private:
  void send_all() {
    schedule_.start(published_ns_ = now_ns());
    const std::uint64_t last =
        spec_.count > 0 ? spec_.warm_up + spec_.count : std::numeric_limits<std::uint64_t>::max();
    for (sequence_ = 1; sequence_ <= last && !trial_.control.is_stopped(); ++sequence_) {
      // Back to back, a message is due when the one before it is published: no need to look at the clock again.
      std::int64_t now = published_ns_;
      if (schedule_.next() > now) {
        if (!sleep_until(schedule_.next(), spec_.poll, trial_.control)) return;
        now = now_ns();
      }
      if (sequence_ == spec_.warm_up + 1) begin(now);
      if (now >= end_ns_) return;
      due_ns_ = schedule_.take(now);
      if (!send_one()) return;
    }
  }

  void begin(std::int64_t now) {
    measures_.begin(outlet_->copied());
    if (spec_.seconds > 0) end_ns_ = now + static_cast<std::int64_t>(spec_.seconds * 1e9);
  }

  /// \return false when told to stop, or the time was over, before it could be sent.
  bool send_one() {
    tried_ns_ = 0;
    for (bool borrowed = true;;) {
      const std::int64_t before = sent_ns_;
      const Sent result = outlet_->send(fill_);
      if (result == Sent::kOk) break;
      // The first attempt counts: whoever refuses a message and whoever lets publish() wait are measured alike.
      if (tried_ns_ == 0) tried_ns_ = sent_ns_ != before ? sent_ns_ : now_ns();
      if (result == Sent::kTimeout) {
        ++measures_.counts.timeouts;
      } else {
        // A message counts once, however often it is tried.
        if (borrowed) ++measures_.counts.failed_borrows;
        borrowed = false;
        std::this_thread::sleep_for(kRetryInterval);
      }
      if (trial_.control.is_stopped() || now_ns() >= end_ns_) return false;
    }
    published_ns_ = now_ns();
    if (sequence_ > spec_.warm_up) note();
    return true;
  }

  void note() noexcept {
    Counts & counts = measures_.counts;
    if (counts.sent++ == 0) counts.first_ns = sent_ns_;
    counts.last_ns = published_ns_;
    measures_.record(0, published_ns_ - sent_ns_);
    measures_.add({static_cast<std::int64_t>(number()), due_ns_, sent_ns_, published_ns_});
  }

  void fill(std::span<std::byte> payload) {
    write_rest(payload, number(), spec_.check);
    measures_.attestation.look(number(), payload.data());
    if (sequence_ == spec_.die_at) kill(getpid(), SIGKILL);
    sent_ns_ = tried_ns_ != 0 ? tried_ns_ : now_ns();
    write_head(payload, {number(), (sent_ns_ - due_ns_) / 1000, sent_ns_});
  }

  std::uint64_t number() const noexcept { return make_number(spec_.source, sequence_); }

  void flush() {
    const auto end = std::chrono::steady_clock::now() + kFlushTime;
    while (!outlet_->flush(kFlushSlice) && !trial_.control.is_stopped() && std::chrono::steady_clock::now() < end) {
    }
  }

  const Trial & trial_;
  const Spec & spec_;
  const std::unique_ptr<Outlet> outlet_;
  Measures measures_;
  Schedule schedule_;
  const Fill fill_;
  std::uint64_t sequence_ = 0;
  std::int64_t due_ns_ = 0;
  std::int64_t sent_ns_ = 0;
  std::int64_t tried_ns_ = 0;  // when this message was refused first
  std::int64_t published_ns_ = 0;
  std::int64_t end_ns_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

void publish(const Trial & trial) { Publishing(trial).run(); }

}  // namespace lab
