// The role that receives: checks, keeps and works on what comes, as slowly as it is asked to.
#include <algorithm>
#include <vector>

#include "measures/measures.hpp"
#include "measures/payload.hpp"
#include "roles/roles.hpp"
#include "roles/schedule.hpp"
#include "roles/sequences.hpp"
#include "trial/measure.hpp"

namespace lab {
namespace {

/// Without a message for so long after `expect`, no more are expected.
constexpr std::int64_t kSilence = kSecond;
constexpr std::int64_t kLongestWait = kSecond / 5;

enum Histograms : std::size_t { kService, kIntended };

struct Held {
  Arrival arrival;
  std::uint64_t number = 0;
  bool is_torn = false;
};

class Subscribing {
 public:
  explicit Subscribing(const Trial & trial)
      : trial_(trial),
        spec_(trial.spec),
        inlet_(trial.link.make_inlet(spec_.topic)),
        wakes_(trial.control, *inlet_),
        measures_(spec_, "sequence,sent_ns,received_ns,lateness_us", {"service", "intended"}),
        held_(std::max<std::size_t>(spec_.hold, 1)) {}

  void run() {
    if (await_matched(trial_, {nullptr, inlet_.get(), spec_.peers})) receive_all();
    for (Held & held : held_) release(held);
    measures_.end(inlet_->copied());
    Counts & counts = measures_.counts;
    counts.received = sequences_.received();
    counts.duplicates = sequences_.duplicates();
    const std::uint64_t expected = trial_.control.expected();
    counts.lost = expected == Control::kUnknown ? sequences_.gaps() : expected - std::min(expected, counts.received);
    emit("done", now_ns());
    measures_.finish();
    trial_.control.wait_for_stop();
  }

 private:
  void receive_all() {
    while (!trial_.control.is_stopped()) {
      Arrival arrival = inlet_->take();
      const std::int64_t now = now_ns();
      if (arrival) {
        accept(std::move(arrival), now);
        if (sequences_.received() >= trial_.control.expected()) return;
      } else if (!await(now)) {
        return;
      }
    }
  }

  /// \return false when no more messages are to be expected.
  bool await(std::int64_t now) {
    std::int64_t timeout = kLongestWait;
    const std::uint64_t expected = trial_.control.expected();
    if (expected != Control::kUnknown) {
      const std::int64_t end = std::max(last_ns_, trial_.control.expected_since()) + kSilence;
      if (sequences_.received() >= expected || now >= end) return false;
      timeout = std::min(timeout, end - now);
    }
    if (spec_.poll && now - last_ns_ > kIdle) measures_.end(inlet_->copied());
    await_arrival(trial_, *inlet_, timeout);
    return true;
  }

  void accept(Arrival && arrival, std::int64_t received_ns) {
    const Head head = head_of(arrival);
    if (last_ns_ == 0) emit("first", received_ns);
    last_ns_ = received_ns;
    measures_.resume();
    const bool is_measured = head.sequence() > spec_.warm_up;
    if (is_measured) {
      note(head, received_ns);
    } else {
      copied_before_ = inlet_->copied();
    }
    // The oldest makes room for this one.
    Held & held = held_[next_++ % held_.size()];
    release(held);
    held = {std::move(arrival), head.number, false};
    measures_.attestation.look(held.number, held.arrival.payload.data());
    if (is_measured) check(held);
    if (spec_.delay_us > 0) sleep_until(now_ns() + spec_.delay_us * 1000, false, trial_.control);
    if (spec_.hold == 0) release(held);
  }

  void note(const Head & head, std::int64_t received_ns) {
    if (!measures_.has_begun()) measures_.begin(copied_before_);
    if (!sequences_.add(head.source(), head.sequence())) return;
    const std::int64_t service = received_ns - head.sent_ns;
    measures_.record(kService, service);
    measures_.record(kIntended, service + head.lateness_us * 1000);
    measures_.add({static_cast<std::int64_t>(head.number), head.sent_ns, received_ns, head.lateness_us});
    if (measures_.counts.first_ns == 0) measures_.counts.first_ns = received_ns;
    measures_.counts.last_ns = received_ns;
  }

  void check(Held & held) {
    if (held.is_torn || is_whole(held.arrival.payload, held.number, spec_.check)) return;
    held.is_torn = true;
    ++measures_.counts.torn;
  }

  /// Looks once more: whoever reuses a message too early is found out.
  void release(Held & held) {
    if (!held.arrival) return;
    if ((held.number & 0xffff'ffff) > spec_.warm_up) check(held);
    held.arrival = {};
  }

  const Trial & trial_;
  const Spec & spec_;
  const std::unique_ptr<Inlet> inlet_;
  const WakesInlet wakes_;
  Measures measures_;
  Sequences sequences_;
  std::vector<Held> held_;  // a ring
  std::size_t next_ = 0;
  std::int64_t last_ns_ = 0;
  std::uint64_t copied_before_ = 0;  // by the link, during the warm-up
};

}  // namespace

void subscribe(const Trial & trial) { Subscribing(trial).run(); }

}  // namespace lab
