// What users of other middlewares complain about, in their trackers, each as a test that would fail if it were true of
// this one: messages and memory. (complaints_process_test.cpp: processes and files. rclcpp/test/test_complaints.cpp.)
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "payload.hpp"
#include "reading.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

std::uint64_t times(double count, std::uint64_t at_least) {
  return std::max(static_cast<std::uint64_t>(count * scale()), at_least);
}

class Complaint : public testing::Test {
 protected:
  std::unique_ptr<Publisher> publisher(const EndpointOptions & options = {}) {
    return std::move(*participant_->create_publisher(publisher_options("topic", options)));
  }
  std::unique_ptr<Subscription> subscription(const EndpointOptions & options = {}) {
    return std::move(*participant_->create_subscription(subscription_options("topic", options)));
  }
  static bool is_matched(const Publisher & publisher, std::size_t readers) {
    return wait_until([&] { return publisher.matched_count() == readers; });
  }
  static bool is_matched(const Subscription & subscription) {
    return wait_until([&] { return subscription.matched_count() == 1; });
  }
  static void send(Publisher & out, std::uint64_t counter, std::size_t size = 1000) {
    auto loan = out.borrow(size);
    ASSERT_TRUE(loan) << to_string(loan.error()) << " at " << counter;
    fill(loan->data(), size, 0, counter);
    ASSERT_TRUE(out.publish(std::move(*loan)));
  }

  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
};

TEST_F(Complaint, OverwrittenWhileReading_rmw_fastrtps_679_FastDDS_2080) {
  const auto in = subscription({.depth = 1});
  Station writer(Place::kElsewhere);
  ASSERT_TRUE(writer.join(0));
  ASSERT_TRUE(writer.create_publisher("p", "topic", {.depth = 1, .loans = 1}));
  ASSERT_TRUE(writer.until_matched("p", 1) && is_matched(*in));
  auto publishing = writer.start<&User::publish>("p", times(20e3, 500), 50000, Way::kLoan);
  std::uint64_t torn = 0;
  std::uint64_t read = 0;
  while (!publishing.is_done()) {
    if (const Sample sample = in->take()) {
      for (int look = 0; look < 5; ++look) {  // slower than the writer, which goes on all the time
        torn += is_whole(sample.data(), sample.size()) ? 0 : 1;
        std::this_thread::yield();
      }
      ++read;
    }
  }
  EXPECT_TRUE(publishing.get());
  EXPECT_EQ(torn, 0U);
  EXPECT_GT(read, 0U);
}

TEST_F(Complaint, BorrowFailsAsSubscribersRestart_rmw_fastrtps_614_810) {
  const auto out = publisher({.depth = 5, .loans = 1});
  auto reader = std::make_unique<Station>(Place::kElsewhere);
  const std::uint64_t restarts = times(300, 30);
  std::size_t in_use = 0;
  for (std::uint64_t i = 0; i < restarts; ++i) {
    if (i % 100 == 0) {  // now and then it does not even say goodbye
      reader->child().kill();
      reader = std::make_unique<Station>(Place::kElsewhere);
      ASSERT_TRUE(reader->join(0));
      ASSERT_TRUE(is_matched(*out, 0));
    }
    ASSERT_TRUE(reader->create_subscription("s", "topic", {.depth = 5}));
    ASSERT_TRUE(is_matched(*out, 1) && reader->until_matched("s", 1));
    for (std::uint64_t message = 0; message < 10; ++message) {
      send(*out, message);
    }
    ASSERT_EQ(reader->keep("s", 3), range(5, 8));
    reader->close("s");
    if (i % 5 == 0) {
      reader->drop_kept();
    }
    in_use = i == restarts / 2 ? heap_statistics().in_use : in_use;
  }
  EXPECT_EQ(out->failed_borrows(), 0U);
  EXPECT_LE(heap_statistics().in_use, in_use + 50'000);
}

TEST_F(Complaint, OneSubscribersDeathLosesOthersData_FastDDS_1782) {
  std::mt19937 random(seed());
  const auto out = publisher({.depth = 10});
  const auto in = subscription({.depth = 10});
  std::uint64_t counter = 0;
  const std::uint64_t deaths = times(6, 2);
  for (std::uint64_t death = 0; death < deaths; ++death) {
    ReadingChild victim({{.depth = 10}, kEnd, 1, 0, death % 2 == 0 ? 100U : 0U});
    ASSERT_TRUE(victim.is_matched());
    const std::uint64_t end = counter + 2000;
    const std::uint64_t kill_at = counter + random() % 2000;
    for (; counter < end; ++counter) {
      if (counter == kill_at) {
        victim.process().kill();
      }
      send(*out, counter);
      const Sample sample = in->take();
      ASSERT_TRUE(sample) << counter;
      ASSERT_EQ(counter_of(sample.data(), sample.size()), counter);
    }
  }
  EXPECT_EQ(in->lost(), 0U);
}

TEST_F(Complaint, SlowReaderExhaustsChunks_rmw_cyclonedds_484_iceoryx_1038) {
  const auto out = publisher({.depth = 10, .loans = 1});
  const auto never_takes = subscription({.depth = 1000});
  ReadingChild greedy({{.depth = 10}, kEnd, 1, 0, 1'000'000});
  ReadingChild stopped({{.depth = 10}});
  ASSERT_TRUE(greedy.is_matched());
  ASSERT_TRUE(stopped.is_matched());
  ASSERT_TRUE(is_matched(*out, 3));
  stopped.process().signal(SIGSTOP);
  const std::uint64_t messages = times(20e3, 1000);
  for (std::uint64_t counter = 0; counter < messages; ++counter) {
    send(*out, counter, 2000);
  }
  EXPECT_EQ(out->failed_borrows(), 0U);
}

long minor_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

// Where a loan was initialised, or its memory given back and asked for again, each page of it would fault.
TEST_F(Complaint, LatencyGrowsWithSizeThroughInitialisation_rmw_cyclonedds_347) {
  const auto out = publisher({.depth = 1});
  const auto in = subscription({.depth = 1});
  ASSERT_TRUE(is_matched(*in));
  constexpr std::size_t kLarge = 64 << 20;
  int fresh = 0;
  for (int round = 0; round < 20; ++round) {
    const long before = minor_faults();
    auto loan = out->borrow(kLarge);
    ASSERT_TRUE(loan);
    const bool is_fresh = loan->is_fresh();
    auto * data = static_cast<unsigned char *>(loan->data());
    if (!is_fresh) {
      EXPECT_EQ(data[kLarge / 2], 77) << "what was there has been overwritten";
    }
    data[kLarge / 2] = 77;
    ASSERT_TRUE(out->publish(std::move(*loan)));
    const Sample sample = in->take();
    ASSERT_TRUE(sample);
    EXPECT_LE(minor_faults() - before, is_fresh ? 1000 : 100) << "of 16,384 pages, in round " << round;
    fresh += is_fresh ? 1 : 0;
  }
  EXPECT_LE(fresh, 5) << "blocks are used in turn";
}

TEST_F(Complaint, LateSubscribersInvisible_iceoryx2_1641) {
  const auto out = publisher({.depth = 10});
  std::atomic<bool> done = false;
  std::thread busy([&] {  // all it does is to publish
    for (std::uint64_t counter = 0; !done; ++counter) {
      send(*out, counter);
      std::this_thread::yield();
    }
  });
  for (int joiner = 0; joiner < 5; ++joiner) {
    Station late(Place::kElsewhere);
    EXPECT_TRUE(late.join(0));
    EXPECT_TRUE(late.create_subscription("s", "topic", {.depth = 10}));
    EXPECT_TRUE(wait_until([&] { return !late.take("s", 1).empty(); })) << "joiner " << joiner;
  }
  done = true;
  busy.join();
}

// A lost one costs a second each time, as a sleeper looks for itself then.
TEST_F(Complaint, LostWakeUpRace_iceoryx2_1811) {
  setenv("TANDEM_SPIN_US", "0", 1);
  const auto set = std::move(*participant_->create_wait_set());
  unsetenv("TANDEM_SPIN_US");
  const auto out = publisher({.depth = 10});
  const auto in = subscription({.depth = 10});
  set->attach(*in);
  ASSERT_TRUE(is_matched(*out, 1) && is_matched(*in));
  const std::uint64_t rounds = times(20e3, 500);
  std::atomic<std::uint64_t> taken = 0;
  std::thread other([&] {
    for (std::uint64_t counter = 0; counter < rounds; ++counter) {
      while (taken < counter) {
        std::this_thread::yield();  // so it comes just when the reader is about to sleep
      }
      send(*out, counter, 64);
    }
  });
  std::uint64_t overslept = 0;
  for (; taken < rounds; ++taken) {
    while (!in->take()) {
      const auto before = std::chrono::steady_clock::now();
      set->wait(std::chrono::seconds(60));
      overslept += std::chrono::steady_clock::now() - before > std::chrono::milliseconds(950) ? 1 : 0;
    }
  }
  other.join();
  EXPECT_LE(overslept, 2U) << "of " << rounds << "; a loaded machine may do that now and then, a race does it often";
}

TEST_F(Complaint, TransientLocalBroken_rmw_cyclonedds_401) {
  const auto out = publisher({.depth = 20, .transient = true});
  for (std::uint64_t counter = 0; counter < 1000; ++counter) {
    send(*out, counter);
  }
  for (int joiner = 0; joiner < 3; ++joiner) {
    Station late(Place::kElsewhere);
    ASSERT_TRUE(late.join(0));
    ASSERT_TRUE(late.create_subscription("s", "topic", {.depth = 20, .transient = true}));
    ASSERT_TRUE(wait_until([&] { return late.has_data("s"); }));
    EXPECT_EQ(late.keep("s", 100), range(980, 1000));
    EXPECT_TRUE(late.check_kept(20));
  }
}

}  // namespace
}  // namespace tandem::test
