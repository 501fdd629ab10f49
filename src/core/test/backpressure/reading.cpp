#include "reading.hpp"

#include <chrono>
#include <cstring>
#include <deque>
#include <thread>

#include "payload.hpp"

namespace tandem::test {
namespace {

/// Watches one publisher's messages of payload.hpp, from its first: are they whole, and do each tag's counters rise by
/// one from 0, but for what is missing?
class Watch {
 public:
  void add(const Sample & sample);
  void check(const Sample & kept) { tally_.torn += is_whole(kept.data(), kept.size()) ? 0 : 1; }
  const Tally & tally() const { return tally_; }
  bool has_ended() const { return has_ended_; }

 private:
  Tally tally_;
  bool has_ended_ = false;
  std::uint64_t sequence_ = 0;
  std::map<std::uint64_t, std::uint64_t> next_;  ///< by tag
};

void Watch::add(const Sample & sample) {
  check(sample);
  tally_.missing += sample.sequence() - sequence_;
  sequence_ = sample.sequence() + 1;
  const std::uint64_t counter = counter_of(sample.data(), sample.size());
  if (counter == kEnd) {
    has_ended_ = true;
    return;
  }
  ++tally_.count;
  std::uint64_t tag = 0;
  if (sample.size() >= 16) {
    std::memcpy(&tag, static_cast<const char *>(sample.data()) + sizeof counter, sizeof tag);
  }
  std::uint64_t & next = next_[tag];
  tally_.disordered += counter == next || (counter > next && tally_.missing != 0) ? 0 : 1;
  next = counter + 1;
}

bool subscribe(User & user, const Habits & habits) {
  user.join(0);
  user.create_subscription("s", "topic", habits.options);
  user.create_wait_set("w");
  user.attach("w", "s");
  return wait_until([&] { return user.matched("s") == 1; });
}

Tally read_all(User & user, const Habits & habits) {
  Watch watch;
  std::deque<Sample> kept;
  while (watch.tally().count < habits.count && !watch.has_ended()) {
    Sample sample = user.subscription("s").take();
    if (!sample) {
      user.wait("w", 1s);
      continue;
    }
    watch.add(sample);
    kept.push_back(std::move(sample));
    while (kept.size() > habits.keep) {
      watch.check(kept.front());
      kept.pop_front();
    }
    if (habits.pause != 0 && watch.tally().count % habits.batch == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(habits.pause));  // that is what makes it slow
    }
  }
  for (const Sample & sample : kept) {
    watch.check(sample);
  }
  Tally tally = watch.tally();
  tally.lost = user.lost("s");
  return tally;
}

}  // namespace

std::ostream & operator<<(std::ostream & out, const Tally & tally) {
  return out << tally.count << " messages, " << tally.torn << " torn, " << tally.disordered << " disordered, "
             << tally.missing << " missing, " << tally.lost << " lost";
}

Tally perfect(std::uint64_t count) { return {count, 0, 0, 0, 0}; }

ReadingChild::ReadingChild(const Habits & habits)
    : matched_(station_.start<subscribe>(habits)), tally_(station_.start<read_all>(habits)) {}

}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv); }
