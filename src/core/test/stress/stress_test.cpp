// Memory is used again as fast as possible while others read it, are lapped, are killed. Every message is checked whole;
// every loop has a watchdog that tells where it stands.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <thread>

#include "agent.hpp"
#include "payload.hpp"
#include "step.hpp"
#include "storm.hpp"

namespace tandem::test {
namespace {

std::uint64_t times(double count) { return static_cast<std::uint64_t>(count * scale()) + 50; }

std::unique_ptr<Publisher> make_publisher(const Participant & participant, const std::string & options) {
  return std::move(*participant.create_publisher(publisher_options("topic", options)));
}

std::unique_ptr<Subscription> make_subscription(const Participant & participant, const std::string & options) {
  return std::move(*participant.create_subscription(subscription_options("topic", options)));
}

/// Publishes one message; a time-out or an exhausted pool is an error of the test.
void send(Publisher & publisher, std::uint64_t counter, std::size_t size) {
  auto loan = publisher.borrow(size);
  if (!loan) {
    std::fprintf(stderr, "message %lu: %s\n", static_cast<unsigned long>(counter), to_string(loan.error()));
    std::abort();
  }
  fill(loan->data(), size, publisher.info().id.number, counter);
  if (const auto sent = publisher.publish(std::move(*loan)); !sent) {
    std::fprintf(stderr, "message %lu: %s\n", static_cast<unsigned long>(counter), to_string(sent.error()));
    std::abort();
  }
}

/// What a reader has seen; printed by watchdogs.
struct Tally {
  std::atomic<std::uint64_t> taken = 0;
  std::atomic<std::uint64_t> torn = 0;
  std::atomic<std::uint64_t> disordered = 0;
  std::atomic<std::uint64_t> last = 0;
  std::string text() const {
    std::ostringstream out;
    out << "taken " << taken << " torn " << torn << " disordered " << disordered << " last " << last;
    return out.str();
  }
};

/// Takes one message, reads it twice with some time between, now and then keeps it for longer.
class Reader {
 public:
  Reader(Subscription & subscription, Tally & tally, unsigned seed) : in_(subscription), tally_(tally), random_(seed) {}

  bool step() {
    Sample sample = in_.take();
    if (!sample) {
      return false;
    }
    check(sample);
    const unsigned dice = random_() % 256;
    for (unsigned i = 0; i < dice; ++i) {
      asm volatile("" ::: "memory");
    }
    if (dice < 4) {
      std::this_thread::yield();
    }
    check(sample);
    const std::uint64_t counter = counter_of(sample.data(), sample.size());
    const bool same = sample.publisher() == publisher_;
    tally_.disordered += same && counter <= tally_.last ? 1 : 0;
    publisher_ = sample.publisher();
    tally_.last = counter;
    ++tally_.taken;
    if (dice < 16) {
      Sample & slot = kept_[dice % 4];
      if (slot) {
        check(slot);
      }
      slot = std::move(sample);
    }
    return true;
  }

 private:
  void check(const Sample & sample) { tally_.torn += is_whole(sample.data(), sample.size()) ? 0 : 1; }
  Subscription & in_;
  Tally & tally_;
  std::minstd_rand random_;
  EndpointId publisher_;
  Sample kept_[4];
};

/// Depth of the subscriptions: the smaller, the more they are lapped.
class Reuse : public testing::TestWithParam<int> {
 protected:
  std::string depth() const { return "depth=" + std::to_string(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Depth, Reuse, testing::Values(1, 2, 3, 10), testing::PrintToStringParamName());

TEST_P(Reuse, NeverTearsWithinAProcess) {
  const Folder folder;
  const unsigned random_seed = seed();
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, depth());
  constexpr int kReaders = 2;
  std::unique_ptr<Subscription> in[kReaders];
  Tally tally[kReaders];
  for (auto & subscription : in) {
    subscription = make_subscription(*participant, depth());
  }
  ASSERT_TRUE(wait_until(
      [&] { return out->matched_count() == kReaders && in[0]->matched_count() == 1 && in[1]->matched_count() == 1; }));
  const std::uint64_t messages = times(150e3);
  std::atomic<std::uint64_t> sent = 0;
  Watchdog watchdog("reuse", [&] {
    return "sent " + std::to_string(sent) + "; " + tally[0].text() + " lost " + std::to_string(in[0]->lost()) + "; " +
           tally[1].text() + " lost " + std::to_string(in[1]->lost());
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kReaders; ++i) {
    threads.emplace_back([&, i] {
      Reader reader(*in[i], tally[i], random_seed + static_cast<unsigned>(i));
      while (tally[i].taken == 0 || tally[i].last + 1 < messages) {
        if (!reader.step()) {
          std::this_thread::yield();
        }
      }
    });
  }
  for (; sent < messages; ++sent) {
    send(*out, sent, 512);
    watchdog.beat();
  }
  for (std::thread & thread : threads) {
    thread.join();
    watchdog.beat();
  }
  for (int i = 0; i < kReaders; ++i) {
    EXPECT_EQ(tally[i].torn, 0U);
    EXPECT_EQ(tally[i].disordered, 0U);
    EXPECT_EQ(tally[i].taken + in[i]->lost(), messages);
  }
}

/// Arguments: options, messages, seed. Reads until the last message and prints "taken N torn N disordered N lost N".
int reading(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto in = make_subscription(*participant, arguments[0]);
  const std::uint64_t messages = std::stoull(arguments[1]);
  Tally tally;
  Watchdog watchdog("reader", [&] { return tally.text() + " lost " + std::to_string(in->lost()); });
  Reader reader(*in, tally, static_cast<unsigned>(std::stoul(arguments[2])));
  wait_until([&] {
    watchdog.beat();
    return in->matched_count() == 1;
  });
  std::cout << "ready" << std::endl;
  while (tally.taken == 0 || tally.last + 1 < messages) {
    if (reader.step()) {
      watchdog.beat();
    } else {
      std::this_thread::yield();
    }
  }
  std::cout << tally.taken + in->lost() << " torn " << tally.torn << " disordered " << tally.disordered << std::endl;
  return 0;
}

TEST_P(Reuse, NeverTearsBetweenProcesses) {
  const Folder folder;
  const unsigned random_seed = seed();
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, depth());
  const std::uint64_t messages = times(350e3);
  Child first("reading", {depth(), std::to_string(messages), std::to_string(random_seed)});
  Child second("reading", {depth(), std::to_string(messages), std::to_string(random_seed + 1)});
  ASSERT_EQ(first.read_line(), "ready");
  ASSERT_EQ(second.read_line(), "ready");
  ASSERT_TRUE(wait_until([&] { return out->matched_count() == 2; }));
  std::uint64_t sent = 0;
  Watchdog watchdog("writer", [&] { return "sent " + std::to_string(sent); });
  for (; sent < messages; ++sent) {
    send(*out, sent, 512);
    watchdog.beat();
  }
  const std::string wanted = std::to_string(messages) + " torn 0 disordered 0";
  EXPECT_EQ(first.read_line(), wanted);
  EXPECT_EQ(second.read_line(), wanted);
}

TEST(Stress, KeepAllLosesNothingThroughAFullRing) {
  const Folder folder;
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, "keep_all");
  const std::uint64_t messages = times(100e3) + 20000;
  Child reader("reading", {"keep_all", std::to_string(messages), "1"});
  ASSERT_EQ(reader.read_line(), "ready");
  ASSERT_TRUE(wait_until([&] { return out->matched_count() == 1; }));
  std::uint64_t sent = 0;
  Watchdog watchdog("writer", [&] { return "sent " + std::to_string(sent); });
  reader.signal(SIGSTOP);  // so that the ring is full
  for (; sent < 16000; ++sent) {
    send(*out, sent, 64);
  }
  reader.signal(SIGCONT);
  for (; sent < messages; ++sent) {
    send(*out, sent, 64);
    watchdog.beat();
  }
  EXPECT_EQ(reader.read_line(), std::to_string(messages) + " torn 0 disordered 0");
}

/// Arguments: options. Publishes until it is killed.
int flooding(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, arguments[0]);
  wait_until([&] { return out->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  for (std::uint64_t counter = 0;; ++counter) {
    send(*out, counter, 512);
  }
}

/// Arguments: options, seed. Takes until it is killed.
int draining(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto in = make_subscription(*participant, arguments[0]);
  Tally tally;
  Reader reader(*in, tally, static_cast<unsigned>(std::stoul(arguments[1])));
  wait_until([&] { return in->matched_count() == 1; });
  std::cout << "ready" << std::endl;
  while (tally.torn == 0 && tally.disordered == 0) {
    reader.step();
  }
  std::cout << "error " << tally.text() << std::endl;
  return 1;
}

// A publisher that dies between marking a message gone and storing its head must not stop its readers.
TEST_P(Reuse, EndsWellWhenThePublisherIsKilled) {
  const Folder folder;
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto in = make_subscription(*participant, depth());
  const std::uint64_t rounds = std::max<std::uint64_t>(3, static_cast<std::uint64_t>(15 * scale()));
  std::uint64_t round = 0;
  Tally tally;
  Watchdog watchdog("reader", [&] {
    return "round " + std::to_string(round) + ": " + tally.text() + " lost " + std::to_string(in->lost()) +
           " matched " + std::to_string(in->matched_count());
  });
  for (; round < rounds; ++round) {  // the dead of the last rounds may still be there: that must not matter
    Child publisher("flooding", {depth()});
    ASSERT_EQ(publisher.read_line(), "ready");
    tally.taken = 0;
    Reader reader(*in, tally, random());
    const std::uint64_t enough = 1 + random() % 100;
    while (tally.taken < enough) {
      if (!reader.step()) {
        std::this_thread::yield();
      }
    }
    publisher.kill();
    // What is left ends: at most a ring's worth, whatever state it was left in.
    std::uint64_t left = 0;
    while (reader.step()) {
      ++left;
    }
    EXPECT_LE(left, 16384U);
    EXPECT_FALSE(in->has_data()) << "round " << round << ": data that take does not give";
    ASSERT_EQ(tally.torn, 0U);
    ASSERT_EQ(tally.disordered, 0U);
    watchdog.beat();
  }
  EXPECT_TRUE(wait_until([&] { return in->matched_count() == 0; })) << "dead publishers are still there";
}

TEST_P(Reuse, EndsWellWhenReadersAreKilled) {
  const Folder folder;
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, depth());
  const std::uint64_t rounds = std::max<std::uint64_t>(3, static_cast<std::uint64_t>(15 * scale()));
  std::uint64_t sent = 0;
  std::uint64_t round = 0;
  Watchdog watchdog("writer", [&] { return "round " + std::to_string(round) + " sent " + std::to_string(sent); });
  Child witness("draining", {depth(), "1"});
  ASSERT_EQ(witness.read_line(), "ready");
  for (; round < rounds; ++round) {
    Child reader("draining", {depth(), std::to_string(round)});
    while (reader.read_line(0) != "ready") {
      send(*out, sent++, 512);
      watchdog.beat();
    }
    const std::uint64_t end = sent + random() % 3000;
    while (sent < end) {
      send(*out, sent++, 512);
    }
    reader.kill();
  }
  while (out->matched_count() > 1) {
    send(*out, sent++, 512);
    watchdog.beat();
  }
  EXPECT_EQ(witness.read_line(0.001), "") << "the witness saw a torn or disordered message";
  EXPECT_EQ(out->failed_borrows(), 0U);
}

// Everything at once from several threads: what the thread sanitizer wants to see.
TEST(Stress, AnyThreadMayDoAnything) {
  const Folder folder;
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, "depth=4 loans=64");
  const auto in = make_subscription(*participant, "depth=4 quota=64");
  const auto set = std::move(*participant->create_wait_set());
  set->attach(*in);
  ASSERT_TRUE(wait_until([&] { return in->matched_count() == 1; }));
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> torn = 0;
  std::atomic<std::uint64_t> taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {  // publishers of one publisher
      for (std::uint64_t counter = 0; !stop; ++counter) {
        send(*out, counter, 256);
        std::this_thread::yield();
      }
    });
    threads.emplace_back([&] {  // takers of one subscription
      while (!stop) {
        if (const Sample sample = in->take()) {
          torn += is_whole(sample.data(), sample.size()) ? 0 : 1;
          ++taken;
        }
        std::this_thread::yield();
      }
    });
  }
  threads.emplace_back([&] {
    while (!stop) {
      set->wait(std::chrono::milliseconds(1));
    }
  });
  const std::uint64_t rounds = times(300);
  std::uint64_t round = 0;
  Watchdog watchdog("threads", [&] { return "round " + std::to_string(round) + " taken " + std::to_string(taken); });
  for (; round < rounds; ++round) {  // endpoints that come and go
    const auto guest_out = make_publisher(*participant, "");
    auto guest_in = make_subscription(*participant, "depth=2");
    send(*guest_out, round, 300);
    Sample kept = guest_in->take();
    if (round % 3 == 0) {
      guest_in.reset();
    }
    set->wake();
    watchdog.beat();
  }
  stop = true;
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(torn, 0U);
  EXPECT_GT(taken, 0U);
}

Role roles(const std::string & name) {
  if (name == "reading") {
    return reading;
  }
  if (name == "flooding") {
    return flooding;
  }
  if (name == "draining") {
    return draining;
  }
  if (name == "storm_writer") {
    return storm_writer;
  }
  if (name == "storm_reader") {
    return storm_reader;
  }
  if (name == "steps") {
    return step_rounds;
  }
  return {};
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
