// Memory is used again as fast as possible while others read it and are lapped. Every message is checked whole; every
// loop has a watchdog that tells where it stands.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <iostream>
#include <thread>

#include "reading.hpp"
#include "roles.hpp"

namespace tandem::test {

int reading(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto in = make_subscription(*participant, options_of(arguments[0]));
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

namespace {

/// Depth of the subscriptions: the smaller, the more they are lapped.
class Reuse : public testing::TestWithParam<int> {
 protected:
  std::string depth() const { return std::to_string(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Depth, Reuse, testing::Values(1, 2, 3, 10), testing::PrintToStringParamName());

TEST_P(Reuse, NeverTearsWithinAProcess) {
  const Folder folder;
  const unsigned random_seed = seed();
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, options_of(depth()));
  constexpr int kReaders = 2;
  std::unique_ptr<Subscription> in[kReaders];
  Tally tally[kReaders];
  for (auto & subscription : in) {
    subscription = make_subscription(*participant, options_of(depth()));
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

TEST_P(Reuse, NeverTearsBetweenProcesses) {
  const Folder folder;
  const unsigned random_seed = seed();
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, options_of(depth()));
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
  const auto out = make_publisher(*participant, {.keep_all = true});
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

// Everything at once from several threads: what the thread sanitizer wants to see.
TEST(Stress, AnyThreadMayDoAnything) {
  const Folder folder;
  const auto participant = Participant::join(0);
  const auto out = make_publisher(*participant, {.depth = 4, .loans = 64});
  const auto in = make_subscription(*participant, {.depth = 4, .quota = 64});
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
    const auto short_lived_out = make_publisher(*participant);
    auto short_lived_in = make_subscription(*participant, {.depth = 2});
    send(*short_lived_out, round, 300);
    Sample kept = short_lived_in->take();
    if (round % 3 == 0) {
      short_lived_in.reset();
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

}  // namespace
}  // namespace tandem::test
