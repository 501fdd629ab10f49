// The writers and readers of a storm.
#include <sched.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <random>

#include "harness.hpp"
#include "options.hpp"
#include "payload.hpp"
#include "roles.hpp"
#include "shared_counters.hpp"
#include "tandem/log.hpp"
#include "tandem/wait_set.hpp"

namespace tandem::test {
namespace {

using Random = std::minstd_rand;

constexpr std::size_t kLargest = 4096;

template <class Value, std::size_t kCount>
const Value & one_of(const std::array<Value, kCount> & values, Random & random) {
  return values[random() % kCount];
}

// ---- writer --------------------------------------------------------------------------------------------------------

class Writer {
 public:
  Writer(const Participant & participant, SharedCounters & counters, std::size_t worker, unsigned seed)
      : participant_(participant),
        counters_(counters),
        worker_index_(worker),
        worker_(counters.workers[worker]),
        random_(seed) {}

  /// One endpoint's life.
  void live() {
    static const std::array<EndpointOptions, 8> options{{{.depth = 1},
                                                         {.depth = 2},
                                                         {.depth = 3},
                                                         {.depth = 10},
                                                         {.depth = 64},
                                                         {.depth = 5, .transient = true},
                                                         {.keep_all = true},
                                                         {.keep_all = true}}};
    static const std::array<std::size_t, 4> sizes{24, 64, 512, kLargest};
    // Half of the rings begin shortly before their numbers' end.
    const std::uint64_t first = random_() % 2 == 0 ? 0 : (std::uint64_t{1} << 63) - random_() % 10000;
    PublisherOptions chosen = publisher_options(random_() % 4 == 0 ? "two" : "one", one_of(options, random_));
    chosen.first_sequence = first;
    const auto out = std::move(*participant_.create_publisher(chosen));
    size_ = one_of(sizes, random_);
    const bool is_keep_all = out->info().qos.history == History::kKeepAll;
    tag_ =
        SharedCounters::make_tag(worker_index_, mix(out->info().id.incarnation + out->info().id.number), is_keep_all);
    add(worker_.opened);
    const std::uint64_t life = std::uint64_t{1} << (8 + random_() % 9);
    std::uint64_t pause = 0;
    for (std::uint64_t counter = 0; counter < life && !counters_.stop.load(std::memory_order_relaxed); ++counter) {
      send(*out, counter);
      if (counter >= pause) {
        sched_yield();
        pause = counter + random_() % 8;
      }
    }
  }

 private:
  void send(Publisher & out, std::uint64_t counter) {
    auto loan = out.borrow(size_);
    if (!loan) {
      add(worker_.refused);
      return;
    }
    auto * words = static_cast<std::uint64_t *>(loan->data());
    if (!loan->is_fresh() && words[1] == tag_ && counters_.was_read(tag_, words[0])) {
      add(worker_.reused);
    }
    fill(words, size_, tag_, counter);
    if (out.publish(std::move(*loan))) {
      add(worker_.sent);
    } else {
      add(worker_.refused);
    }
  }

  const Participant & participant_;
  SharedCounters & counters_;
  std::size_t worker_index_;
  WorkerCounters & worker_;
  Random random_;
  std::size_t size_ = 0;
  std::uint64_t tag_ = 0;
};

// ---- reader --------------------------------------------------------------------------------------------------------

/// A message that is kept, and what it was when it came.
struct Kept {
  Sample sample;
  std::uint64_t counter = 0;
  std::uint64_t tag = 0;
};

class Reader {
 public:
  Reader(const Participant & participant, SharedCounters & counters, std::size_t worker, unsigned seed)
      : participant_(participant), counters_(counters), worker_(counters.workers[worker]), random_(seed) {}

  /// One endpoint's life. Messages are kept beyond it.
  void live() {
    static const std::array<EndpointOptions, 7> options{{{.depth = 1},
                                                         {.depth = 2},
                                                         {.depth = 10},
                                                         {.depth = 300},
                                                         {.keep_all = true},
                                                         {.keep_all = true},
                                                         {.depth = 5, .transient = true}}};
    EndpointOptions chosen = one_of(options, random_);
    const std::string topic = random_() % 4 == 0 ? "two" : "one";
    chosen.quota = static_cast<std::uint32_t>(random_() % 16);
    const auto in = std::move(*participant_.create_subscription(subscription_options(topic, chosen)));
    const auto set = random_() % 2 == 0 ? std::move(*participant_.create_wait_set()) : nullptr;
    if (set) {
      set->attach(*in);
    }
    add(worker_.opened);
    last_.clear();
    const bool is_keep_all = chosen.keep_all;
    std::uint64_t life = std::uint64_t{1} << (8 + random_() % 9);
    while (life > 0 && !counters_.stop.load(std::memory_order_relaxed)) {
      if (step(*in, is_keep_all)) {
        --life;
      } else if (set) {
        set->wait(std::chrono::milliseconds(10));
        life -= random_() % 64 == 0 ? 1 : 0;
      } else {
        sched_yield();
        life -= random_() % 4096 == 0 ? 1 : 0;
      }
    }
  }

  ~Reader() {
    for (const Kept & kept : kept_) {
      check(kept);
    }
  }

 private:
  struct Last {
    std::uint64_t counter;
    std::uint64_t sequence;
  };

  bool step(Subscription & in, bool is_keep_all) {
    Kept now;
    now.sample = in.take();
    if (!now.sample) {
      return false;
    }
    const auto * words = static_cast<const std::uint64_t *>(now.sample.data());
    now.counter = words[0];
    now.tag = words[1];
    check(now);
    follow(now, is_keep_all);
    counters_.mark_read(now.tag, now.counter);
    add(worker_.taken);
    const unsigned dice = random_() % 256;
    for (unsigned i = 0; i < dice; ++i) {
      asm volatile("" ::: "memory");
    }
    if (dice < 16) {
      sched_yield();
    }
    check(now);
    if (dice < 64) {
      Kept & place = kept_[dice % kept_.size()];
      check(place);
      place = std::move(now);
    }
    return true;
  }

  void check(const Kept & kept) {
    if (kept.sample) {
      const auto * words = static_cast<const std::uint64_t *>(kept.sample.data());
      const bool same = words[0] == kept.counter && words[1] == kept.tag;
      add(worker_.torn, same && is_whole(words, kept.sample.size()) ? 0 : 1);
    }
  }

  /// Each publisher's messages come in order; and without a gap where both sides keep all.
  void follow(const Kept & now, bool is_keep_all) {
    const Last next{now.counter, now.sample.sequence()};
    if (const auto found = last_.find(now.tag); found != last_.end()) {
      const Last & last = found->second;
      const std::uint64_t step = next.sequence - last.sequence;
      const bool is_in_order = step != 0 && step >> 63 == 0 && next.counter - last.counter == step;
      add(worker_.disordered, is_in_order ? 0 : 1);
      add(worker_.missed, is_in_order && is_keep_all && SharedCounters::keeps_all(now.tag) ? step - 1 : 0);
    }
    last_.insert_or_assign(now.tag, next);
  }

  const Participant & participant_;
  SharedCounters & counters_;
  WorkerCounters & worker_;
  Random random_;
  std::map<std::uint64_t, Last> last_;  ///< of each publisher, by its tag
  std::array<Kept, 24> kept_;
};

template <class Actor>
int act(const std::vector<std::string> & arguments) {
  set_log_sink([](LogLevel, const std::string & line) {
    if (line.find("does not match ours") == std::string::npos) {  // some of the random settings do not
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  });
  const auto participant = Participant::join(0);
  SharedCounters & counters = map_counters(arguments[0]);
  Actor actor(*participant, counters, std::stoul(arguments[1]), static_cast<unsigned>(std::stoul(arguments[2])));
  while (!counters.stop) {
    actor.live();
  }
  return 0;
}

}  // namespace

int storm_writer(const std::vector<std::string> & arguments) { return act<Writer>(arguments); }
int storm_reader(const std::vector<std::string> & arguments) { return act<Reader>(arguments); }

}  // namespace tandem::test
