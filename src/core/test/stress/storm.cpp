#include "storm.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <thread>

#include "agent.hpp"
#include "payload.hpp"
#include "publisher_body.hpp"
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
  Writer(const Participant & participant, Board & board, std::size_t seat, unsigned seed)
      : participant_(participant), board_(board), seat_number_(seat), seat_(board.seats[seat]), random_(seed) {}

  /// One endpoint's life.
  void live() {
    static const std::array<std::string, 8> options{"depth=1",  "depth=2",           "depth=3",  "depth=10",
                                                    "depth=64", "depth=5 transient", "keep_all", "keep_all"};
    static const std::array<std::size_t, 4> sizes{24, 64, 512, kLargest};
    // Half of the rings begin shortly before their numbers' end.
    PublisherBody::first_number = random_() % 2 == 0 ? 0 : (std::uint64_t{1} << 63) - random_() % 10000;
    const auto out = std::move(*participant_.create_publisher(
        publisher_options(random_() % 4 == 0 ? "two" : "one", one_of(options, random_))));
    size_ = one_of(sizes, random_);
    const bool is_keep_all = out->info().qos.history == History::kKeepAll;
    tag_ = Board::make_tag(seat_number_, mix(out->info().id.incarnation + out->info().id.number), is_keep_all);
    add(seat_.opened);
    const std::uint64_t life = std::uint64_t{1} << (8 + random_() % 9);
    std::uint64_t pause = 0;
    for (std::uint64_t counter = 0; counter < life && !board_.stop.load(std::memory_order_relaxed); ++counter) {
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
      add(seat_.refused);
      return;
    }
    auto * words = static_cast<std::uint64_t *>(loan->data());
    if (!loan->is_fresh() && words[1] == tag_ && board_.was_read(tag_, words[0])) {
      add(seat_.reused);
    }
    fill(words, size_, tag_, counter);
    if (out.publish(std::move(*loan))) {
      add(seat_.sent);
    } else {
      add(seat_.refused);
    }
  }

  const Participant & participant_;
  Board & board_;
  std::size_t seat_number_;
  Seat & seat_;
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
  Reader(const Participant & participant, Board & board, std::size_t seat, unsigned seed)
      : participant_(participant), board_(board), seat_(board.seats[seat]), random_(seed) {}

  /// One endpoint's life. Messages are kept beyond it.
  void live() {
    static const std::array<std::string, 7> options{"depth=1",  "depth=2",  "depth=10",         "depth=300",
                                                    "keep_all", "keep_all", "depth=5 transient"};
    const std::string & qos = one_of(options, random_);
    const auto in = std::move(*participant_.create_subscription(
        subscription_options(random_() % 4 == 0 ? "two" : "one", qos + " quota=" + std::to_string(random_() % 16))));
    const auto set = random_() % 2 == 0 ? std::move(*participant_.create_wait_set()) : nullptr;
    if (set) {
      set->attach(*in);
    }
    add(seat_.opened);
    last_.clear();
    const bool is_keep_all = qos == "keep_all";
    std::uint64_t life = std::uint64_t{1} << (8 + random_() % 9);
    while (life > 0 && !board_.stop.load(std::memory_order_relaxed)) {
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
    board_.mark_read(now.tag, now.counter);
    add(seat_.taken);
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
      add(seat_.torn, same && is_whole(words, kept.sample.size()) ? 0 : 1);
    }
  }

  /// Each publisher's messages come in order; and without a gap where both sides keep all.
  void follow(const Kept & now, bool is_keep_all) {
    const Last next{now.counter, now.sample.sequence()};
    if (const auto found = last_.find(now.tag); found != last_.end()) {
      const Last & last = found->second;
      const std::uint64_t step = next.sequence - last.sequence;
      const bool is_in_order = step != 0 && step >> 63 == 0 && next.counter - last.counter == step;
      add(seat_.disordered, is_in_order ? 0 : 1);
      add(seat_.missed, is_in_order && is_keep_all && Board::keeps_all(now.tag) ? step - 1 : 0);
    }
    last_.insert_or_assign(now.tag, next);
  }

  const Participant & participant_;
  Board & board_;
  Seat & seat_;
  Random random_;
  std::map<std::uint64_t, Last> last_;  ///< of each publisher, by its tag
  std::array<Kept, 24> kept_;
};

// ---- the storm -----------------------------------------------------------------------------------------------------

/// A child's seat and role; it is started again when it is killed.
struct Place {
  std::string role;
  std::size_t seat = 0;
  std::unique_ptr<Child> child;
};

class Coordinator {
 public:
  explicit Coordinator(const Storm & storm) : storm_(storm), board_(open_board(storm.board)), random_(storm.seed) {
    for (unsigned seat = 0; seat < storm.writers + storm.readers; ++seat) {
      places_.push_back({seat < storm.writers ? "storm_writer" : "storm_reader", seat, nullptr});
      start(places_.back());
    }
  }

  StormEnd run() {
    Watchdog watchdog("storm", [this] { return board_.text(); });
    while (!is_over()) {
      await_progress(random_() % 30000, 1);
      Place & place = places_[random_() % places_.size()];
      if (random_() % 3 != 0) {
        place.child->signal(SIGSTOP);
        const bool is_long = random_() % 4 == 0;  // so that rings become full
        await_progress(is_long ? 300000 : random_() % 10000, is_long ? 0.5 : 0.05);
        place.child->signal(SIGCONT);
        ++end_.stopped;
      } else if (has_ended(place)) {
        ++end_.broken;
        break;
      } else {
        place.child->kill();
        start(place);
        ++end_.killed;
      }
      if (const std::uint64_t taken = board_.sum(&Seat::taken); taken != beaten_) {
        beaten_ = taken;
        watchdog.beat();
      }
      report();
    }
    board_.stop = true;
    for (Place & place : places_) {
      end_.broken += place.child->finish() == 0 ? 0 : 1;
    }
    return end_;
  }

 private:
  bool is_over() const {
    return board_.sum(&Seat::reused) >= storm_.reuses || (storm_.any_fault_ends_it && board_.faults() != 0);
  }
  void start(Place & place) {
    const std::string seed = std::to_string(random_());
    place.child =
        std::make_unique<Child>(place.role, std::vector<std::string>{storm_.board, std::to_string(place.seat), seed});
  }
  static bool has_ended(const Place & place) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(place.child->pid()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
  }
  void await_progress(std::uint64_t messages, double seconds) const {
    const std::uint64_t end = board_.sum(&Seat::taken) + messages;
    wait_until([&] { return board_.sum(&Seat::taken) >= end || is_over(); }, seconds);
  }
  void report() {
    if (const auto now = std::chrono::steady_clock::now(); now >= next_report_) {
      next_report_ = now + std::chrono::seconds(10);
      std::cout << "done " << board_.sum(&Seat::reused) << "/" << storm_.reuses << ": " << board_.text() << ", "
                << end_.killed << " killed, " << end_.stopped << " stopped" << std::endl;
    }
  }

  const Storm & storm_;
  Board & board_;
  std::mt19937 random_;
  std::vector<Place> places_;
  StormEnd end_;
  std::uint64_t beaten_ = 0;
  std::chrono::steady_clock::time_point next_report_ = std::chrono::steady_clock::now();
};

template <class Actor>
int act(const std::vector<std::string> & arguments) {
  set_log_sink([](LogLevel, const std::string & line) {
    if (line.find("does not match ours") == std::string::npos) {  // some of the random settings do not
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  });
  const auto participant = Participant::join(0);
  Board & board = open_board(arguments[0]);
  Actor actor(*participant, board, std::stoul(arguments[1]), static_cast<unsigned>(std::stoul(arguments[2])));
  while (!board.stop) {
    actor.live();
  }
  return 0;
}

StormEnd run_threads(const Storm & storm) {
  Board & board = open_board(storm.board);
  std::mt19937 random(storm.seed);
  Watchdog watchdog("storm", [&] { return board.text(); });
  std::vector<std::thread> threads;
  for (unsigned seat = 0; seat < storm.writers + storm.readers; ++seat) {
    const std::vector<std::string> arguments{storm.board, std::to_string(seat), std::to_string(random())};
    threads.emplace_back(seat < storm.writers ? act<Writer> : act<Reader>, arguments);
  }
  for (std::uint64_t seen = 0; board.sum(&Seat::reused) < storm.reuses;) {
    const std::uint64_t end = seen + 1000;
    if (wait_until([&] { return (seen = board.sum(&Seat::taken)) >= end; }, 1)) {
      watchdog.beat();
    }
  }
  board.stop = true;
  for (std::thread & thread : threads) {
    thread.join();
  }
  return {};
}

}  // namespace

int storm_writer(const std::vector<std::string> & arguments) { return act<Writer>(arguments); }
int storm_reader(const std::vector<std::string> & arguments) { return act<Reader>(arguments); }

StormEnd run_storm(const Storm & storm) { return storm.in_threads ? run_threads(storm) : Coordinator(storm).run(); }

}  // namespace tandem::test
