// A reliable keep-all publisher and its readers: nothing is lost, and waiting ends with an error that says for whom.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <random>
#include <thread>

#include "payload.hpp"
#include "reading.hpp"

namespace tandem::test {
namespace {

std::uint64_t times(double count) { return static_cast<std::uint64_t>(count * scale()); }

class KeepAll : public testing::Test {
 protected:
  std::unique_ptr<Publisher> publisher(const EndpointOptions & options, const std::string & topic = "topic") {
    return std::move(*participant_->create_publisher(publisher_options(topic, options)));
  }
  std::unique_ptr<Subscription> subscription(const EndpointOptions & options, const std::string & topic = "topic") {
    return std::move(*participant_->create_subscription(subscription_options(topic, options)));
  }
  static bool is_matched(const Publisher & publisher, std::size_t readers) {
    return wait_until([&] { return publisher.matched_count() == readers; });
  }
  /// Publishes messages with the counters [begin, end).
  static void send(Publisher & out, std::uint64_t begin, std::uint64_t end, std::size_t size = 64,
                   std::uint64_t tag = 0) {
    for (std::uint64_t counter = begin; counter < end; ++counter) {
      auto loan = out.borrow(size);
      ASSERT_TRUE(loan) << to_string(loan.error()) << " at " << counter;
      fill(loan->data(), size, tag, counter);
      const auto sent = out.publish(std::move(*loan));
      ASSERT_TRUE(sent) << to_string(sent.error()) << " at " << counter << ": " << out.last_timeout();
    }
  }
  /// Publishes until that fails with a timeout. \return how many were published.
  static std::uint64_t send_until_full(Publisher & out, std::size_t size = 64) {
    std::uint64_t counter = 0;
    for (; counter < 2 * kKeepAllDepth; ++counter) {
      auto loan = out.borrow(size);
      if (!loan) {
        ADD_FAILURE() << to_string(loan.error()) << " at " << counter;
        break;
      }
      fill(loan->data(), size, 0, counter);
      if (const auto sent = out.publish(std::move(*loan)); !sent) {
        EXPECT_EQ(sent.error(), PublishError::kTimeout);
        break;
      }
    }
    return counter;
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
};

TEST_F(KeepAll, LosesNothingWithReadersOfDifferentSlowness) {
  const std::uint64_t messages = times(30e3) + kKeepAllDepth + 1000;
  const auto out = publisher({.keep_all = true});
  ReadingChild fast({{.keep_all = true}, messages});
  ReadingChild slow({{.keep_all = true}, messages, 100, 200});
  ReadingChild sleeper({{.keep_all = true}, messages, kKeepAllDepth, 300'000});
  ReadingChild keeper({{.keep_all = true}, messages, 1000, 1000, 5});
  for (ReadingChild * reader : {&fast, &slow, &sleeper, &keeper}) {
    ASSERT_TRUE(reader->is_matched());
  }
  ASSERT_TRUE(is_matched(*out, 4));
  send(*out, 0, messages);
  for (ReadingChild * reader : {&fast, &slow, &sleeper, &keeper}) {
    EXPECT_EQ(reader->tally(), perfect(messages));
  }
}

TEST_F(KeepAll, LosesNothingWithAReaderThatIsStoppedAtRandom) {
  std::mt19937 random(seed());
  const std::uint64_t messages = times(100e3) + kKeepAllDepth + 1000;
  const auto out = publisher({.keep_all = true});
  ReadingChild reader({{.keep_all = true}, messages, 1000, 100});
  ASSERT_TRUE(reader.is_matched());
  ASSERT_TRUE(is_matched(*out, 1));
  std::atomic<bool> done = false;
  std::thread stopper([&] {
    while (!done) {
      reader.process().signal(SIGSTOP);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
      reader.process().signal(SIGCONT);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
    }
  });
  send(*out, 0, messages);
  done = true;
  stopper.join();
  EXPECT_EQ(reader.tally(), perfect(messages));
}

TEST_F(KeepAll, LosesNothingWithAReaderThatKeepsEverything) {
  const std::uint64_t messages = times(5e3) + 500;
  const auto out = publisher({.keep_all = true});
  ReadingChild greedy({{.keep_all = true, .quota = 4}, messages, 1, 0, messages});
  ASSERT_TRUE(greedy.is_matched());
  ASSERT_TRUE(is_matched(*out, 1));
  send(*out, 0, messages, 5000);
  EXPECT_EQ(greedy.tally(), perfect(messages));
  EXPECT_EQ(out->failed_borrows(), 0U);
}

TEST_F(KeepAll, OwesALateJoinerEverythingFromThenOn) {
  const auto out = publisher({.keep_all = true});
  ReadingChild first({{.keep_all = true}, 3 * kKeepAllDepth, 1000, 500});
  ASSERT_TRUE(first.is_matched());
  ASSERT_TRUE(is_matched(*out, 1));
  send(*out, 0, 10'000);
  const auto late = subscription({.keep_all = true});
  ASSERT_TRUE(is_matched(*out, 2) && wait_until([&] { return late->matched_count() == 1; }));
  std::thread sender([&] { send(*out, 10'000, 3 * kKeepAllDepth); });
  for (std::uint64_t next = 10'000; next < 3 * kKeepAllDepth;) {
    if (const Sample sample = late->take()) {
      ASSERT_EQ(counter_of(sample.data(), sample.size()), next++);
    }
  }
  sender.join();
  EXPECT_EQ(late->lost(), 0U);
  EXPECT_EQ(first.tally(), perfect(3 * kKeepAllDepth));
}

TEST_F(KeepAll, GoesOnWhenTheReaderThatItWaitsForLeavesOrDies) {
  const auto out = publisher({.keep_all = true, .block = 1h});
  std::uint64_t sent = 0;
  for (const bool leaves : {true, false}) {
    Station reader(Place::kElsewhere);
    ASSERT_TRUE(reader.join(0));
    ASSERT_TRUE(reader.create_subscription("s", "topic", {.keep_all = true}));
    ASSERT_TRUE(is_matched(*out, 1));
    send(*out, sent, sent + kKeepAllDepth);
    std::thread sender([&] { send(*out, sent + kKeepAllDepth, sent + 2 * kKeepAllDepth); });
    if (leaves) {
      reader.close("s");
    } else {
      reader.child().signal(SIGSTOP);
      reader.child().kill();
    }
    sender.join();
    ASSERT_TRUE(is_matched(*out, 0));
    sent += 2 * kKeepAllDepth;
  }
}

TEST_F(KeepAll, AReaderThatHasLeftDoesNotCountThoughItKeepsMessages) {
  const auto out = publisher({.keep_all = true});
  auto in = subscription({.keep_all = true});
  ASSERT_TRUE(is_matched(*out, 1) && wait_until([&] { return in->matched_count() == 1; }));
  send(*out, 0, 1);
  const Sample kept = in->take();
  ASSERT_TRUE(kept);
  in.reset();
  EXPECT_TRUE(is_matched(*out, 0));
  send(*out, 1, 2 * kKeepAllDepth);
  EXPECT_TRUE(is_whole(kept.data(), kept.size()));
}

TEST_F(KeepAll, TimeoutSaysForWhomItWaited) {
  const LogCapture log;
  const auto out = publisher({.keep_all = true, .block = 20ms}, "/camera/image");
  Station reader(Place::kElsewhere);
  ASSERT_TRUE(reader.join(0));
  ASSERT_TRUE(reader.create_subscription("quick", "/camera/image", {.keep_all = true}));
  Station slow(Place::kElsewhere);
  ASSERT_TRUE(slow.join(0));
  ASSERT_TRUE(slow.create_subscription("s", "/camera/image", {.keep_all = true}));
  ASSERT_TRUE(is_matched(*out, 2));
  EXPECT_EQ(out->last_timeout(), "");
  const std::uint64_t sent = send_until_full(*out);
  ASSERT_TRUE(reader.await("quick", sent));
  for (int i = 0; i < 3; ++i) {
    const auto refused = out->publish_copy("x", 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), PublishError::kTimeout);
  }
  const std::string text = out->last_timeout();
  for (const std::string & part :
       {std::string("topic '/camera/image'"), std::string(": publish waited "), std::string(" ms for room"),
        "process " + std::to_string(slow.child().pid()) + " (", std::string("core_backpressure_test"),
        "has not taken " + std::to_string(sent) + " messages", std::string("Let it take faster")}) {
    EXPECT_TRUE(text.find(part) != std::string::npos || is_emulated()) << part << " in: " << text;
  }
  EXPECT_TRUE(wait_until([&] { return log.count({"topic '/camera/image'", "publish waited"}) == 1; }));
  std::cout << text << std::endl;
  EXPECT_TRUE(slow.await("s", sent));
  EXPECT_TRUE(out->publish_copy("x", 1));
}

TEST_F(KeepAll, OtherPublishersOfTheProcessAreNotDelayed) {
  const auto out = publisher({.keep_all = true, .block = 1h});
  ReadingChild stopped({{.keep_all = true}, kKeepAllDepth + 1});
  ASSERT_TRUE(stopped.is_matched());
  ASSERT_TRUE(is_matched(*out, 1));
  stopped.process().signal(SIGSTOP);
  send(*out, 0, kKeepAllDepth);
  std::atomic<bool> is_sent = false;
  std::thread sender([&] {
    send(*out, kKeepAllDepth, kKeepAllDepth + 1);
    is_sent = true;
  });
  for (const EndpointOptions & options :
       {EndpointOptions{.keep_all = true}, EndpointOptions{.depth = 10}, EndpointOptions{.best_effort = true}}) {
    const auto other = publisher(options, "other");
    const auto in = subscription(options, "other");
    ASSERT_TRUE(is_matched(*other, 1) && wait_until([&] { return in->matched_count() == 1; }));
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      send(*other, i, i + 1);
      ASSERT_TRUE(in->take()) << i;
    }
  }
  EXPECT_FALSE(is_sent);
  stopped.process().signal(SIGCONT);
  sender.join();
  EXPECT_EQ(stopped.tally(), perfect(kKeepAllDepth + 1));
}

// Only the one that is owed everything is waited for; the others are lapped.
TEST_F(KeepAll, WaitsForNoReaderThatMayLose) {
  const std::uint64_t messages = times(60e3) + 2 * kKeepAllDepth;
  const auto out = publisher({.keep_all = true});
  ReadingChild owed({{.keep_all = true}, messages, 1000, 500});
  ASSERT_TRUE(owed.is_matched());
  const auto shallow = subscription({.depth = 5});
  const auto deep = subscription({.depth = 16000});
  const auto best_effort = subscription({.keep_all = true, .best_effort = true});
  Station stopped(Place::kElsewhere);
  ASSERT_TRUE(stopped.join(0));
  ASSERT_TRUE(stopped.create_subscription("s", "topic", {.depth = 100}));
  ASSERT_TRUE(is_matched(*out, 5));
  stopped.child().signal(SIGSTOP);
  send(*out, 0, messages);
  EXPECT_EQ(owed.tally(), perfect(messages));
  stopped.child().signal(SIGCONT);
  for (Subscription * in : {shallow.get(), deep.get(), best_effort.get()}) {
    std::uint64_t got = 0;
    std::uint64_t last = 0;
    while (const Sample sample = in->take()) {
      ++got;
      last = counter_of(sample.data(), sample.size());
    }
    EXPECT_EQ(last, messages - 1);
    EXPECT_EQ(in->lost() + got, messages);
  }
}

TEST_F(KeepAll, ManyThreadsPublishIntoAFullRing) {
  constexpr std::uint64_t kThreads = 4;
  const std::uint64_t each = times(20e3) + kKeepAllDepth / kThreads + 500;
  const auto out = publisher({.keep_all = true});
  ReadingChild reader({{.keep_all = true}, kThreads * each, 500, 200});
  ASSERT_TRUE(reader.is_matched());
  ASSERT_TRUE(is_matched(*out, 1));
  reader.process().signal(SIGSTOP);
  std::atomic<std::uint64_t> sent = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < each; ++i) {
        send(*out, i, i + 1, 64, thread + 1);
        ++sent;
      }
    });
  }
  EXPECT_TRUE(wait_until([&] { return sent == kKeepAllDepth; }));
  reader.process().signal(SIGCONT);
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(reader.tally(), perfect(kThreads * each));
}

TEST_F(KeepAll, ClosingEndsAPublishThatWaits) {
  auto out = publisher({.keep_all = true, .block = 1h});
  const auto in = subscription({.keep_all = true});
  ASSERT_TRUE(is_matched(*out, 1));
  send(*out, 0, kKeepAllDepth);
  std::atomic<bool> is_waiting = false;
  std::thread sender([&, blocked = out.get()] {
    is_waiting = true;
    const auto refused = blocked->publish_copy("x", 1);
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.error(), PublishError::kInvalidLoan);
  });
  ASSERT_TRUE(wait_until([&] { return is_waiting.load(); }));
  // It has been seen to have the message on loan, that is to wait, once that is the sixteenth.
  std::vector<Loan> loans;
  EXPECT_TRUE(wait_until([&] {
    loans.clear();
    while (auto loan = out->borrow(64)) {
      loans.push_back(std::move(*loan));
    }
    return loans.size() == 15;
  }));
  loans.clear();
  out.reset();
  sender.join();
}

/// From another thread, which waits for a reader as soon as that is owed all that fits. \return whether it is.
bool publish_for_ever(User & user) {
  user.join(0);
  const std::shared_ptr<Publisher> out =
      std::move(*user.participant().create_publisher(publisher_options("topic", {.keep_all = true, .block = 1h})));
  if (!wait_until([&] { return out->matched_count() == 1; })) {
    return false;
  }
  const auto is_full = std::make_shared<std::atomic<bool>>(false);
  std::thread([out, is_full] {
    for (std::uint64_t i = 0;; ++i) {
      *is_full = i >= kKeepAllDepth;
      static_cast<void>(out->publish_copy(&i, sizeof i));
    }
  }).detach();
  return wait_until([&] { return is_full->load(); });
}

TEST_F(KeepAll, AProcessEndsWhileAPublishWaits) {
  const auto in = subscription({.keep_all = true});
  Station exiting(Place::kElsewhere);
  EXPECT_TRUE(exiting.call<publish_for_ever>());
  EXPECT_EQ(exiting.finish(), 0);
  EXPECT_EQ(in->lost(), 0U);
  for (std::uint64_t i = 0; i < kKeepAllDepth; ++i) {
    ASSERT_TRUE(in->take()) << i;
  }
}

TEST_F(KeepAll, EvenTheLongestWaitIsOne) {
  PublisherOptions options = publisher_options("topic", {.keep_all = true});
  options.qos.max_blocking_time = std::chrono::nanoseconds::max();
  const auto out = std::move(*participant_->create_publisher(options));
  ReadingChild reader({{.keep_all = true}, kKeepAllDepth + 10, kKeepAllDepth, 1000});
  ASSERT_TRUE(reader.is_matched());
  ASSERT_TRUE(is_matched(*out, 1));
  reader.process().signal(SIGSTOP);
  send(*out, 0, kKeepAllDepth);
  std::thread sender([&] { send(*out, kKeepAllDepth, kKeepAllDepth + 10); });
  reader.process().signal(SIGCONT);
  sender.join();
  EXPECT_EQ(reader.tally(), perfect(kKeepAllDepth + 10));
}

}  // namespace
}  // namespace tandem::test
