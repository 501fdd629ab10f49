// No thread asks the kernel for anything, or the allocator for memory, while it holds a publisher's or a subscription's
// lock: at each such call another thread can use both.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "harness.hpp"
#include "kernel_calls.hpp"
#include "options.hpp"
#include "process/process.hpp"
#include "rings.hpp"
#include "system/log_later.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

/// A thread that takes a lock for a moment when it is told to.
class Contender {
 public:
  explicit Contender(std::function<void()> section) : thread_([this, section = std::move(section)] { run(section); }) {}
  ~Contender() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  /// False when it does not get the lock.
  bool run_once() {
    std::unique_lock lock(mutex_);
    if (wanted_ != done_) {
      return false;  // it still waits
    }
    ++wanted_;
    changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::seconds(2), [this] { return wanted_ == done_; });
  }

 private:
  void run(const std::function<void()> & section) {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_over_ || wanted_ != done_; });
      if (wanted_ == done_) {
        return;
      }
      lock.unlock();
      section();
      lock.lock();
      done_ = wanted_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int wanted_ = 0;
  int done_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

using Names = std::set<std::string>;

class OpenLockTest : public testing::Test {
 protected:
  void connect(const EndpointOptions & options, MessageFunctions functions = {}) {
    PublisherOptions publisher = publisher_options("topic", options);
    publisher.functions = functions;
    out_ = std::move(*participant_->create_publisher(publisher));
    in_ = std::move(*participant_->create_subscription(subscription_options("topic", options)));
    ASSERT_TRUE(wait_until([&] { return in_->matched_count() == 1 && out_->matched_count() == 1; }));
    publish(1);  // this thread is the first to use both
    ASSERT_TRUE(in_->take());
  }
  void publish(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(out_->publish_copy("message", 8));
    }
  }
  /// The calls that `action` makes. None of them with a lock held.
  template <class Action>
  Names calls(Action action) {
    Names seen;
    Names locked;
    Contender contender([this] {
      out_->matched_count();
      in_->matched_count();
    });
    {
      const KernelCalls calls([&](const char * name) {
        seen.insert(name);
        if (locked.empty() && !contender.run_once()) {
          locked.insert(name);
        }
      });
      action();
    }
    EXPECT_EQ(locked, Names{}) << "with a lock held";
    return seen;
  }
  /// Takes all memory of the region but what is in pieces of less than 64 KiB.
  void use_up() {
    for (std::size_t size = 16 << 20; size >= 1 << 16; size /= 2) {
      while (void * memory = Process::instance().heap().allocate(size)) {
        used_.push_back(memory);
      }
    }
  }
  void TearDown() override {
    for (void * memory : used_) {
      deallocate(memory);
    }
  }

  Folder folder_;
  LogCapture log_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
  std::vector<void *> used_;
};

TEST_F(OpenLockTest, WhenMemoryIsAskedFor) {
  connect({.depth = 1});
  const Names seen = calls([&] { EXPECT_TRUE(out_->borrow(20 << 20)); });
  EXPECT_TRUE(seen.count("fallocate"));
}

TEST_F(OpenLockTest, WhenASleeperIsRung) {
  setenv("TANDEM_SPIN_US", "0", 1);
  connect({.depth = 1});
  const auto waiting = std::move(*participant_->create_wait_set());
  waiting->attach(*in_, 0);
  std::thread sleeper([&] { EXPECT_TRUE(waiting->wait(std::chrono::seconds(60))); });
  EXPECT_TRUE(wait_until([] { return Process::instance().region().header().sleeping != 0; }));
  const Names seen = calls([&] { publish(1); });
  sleeper.join();
  EXPECT_TRUE(seen.count("syscall"));
  unsetenv("TANDEM_SPIN_US");
}

TEST_F(OpenLockTest, WhenMemoryIsShortAndAReaderHoldsTooMuch) {
  connect({.depth = 10});
  publish(5);
  LaneRecord * const lane = lane_of(*in_);
  for (std::uint32_t word = 0; word < lane->terms.max_blocks / 64; ++word) {
    lane->held[word] = ~std::uint64_t{0};
  }
  use_up();
  Names seen = calls([&] {
    const auto loan = out_->borrow(8 << 20);
    ASSERT_FALSE(loan);
    EXPECT_EQ(loan.error(), BorrowError::kNoMemory);
  });
  EXPECT_TRUE(seen.count("fcntl")) << "who is alive";
  EXPECT_TRUE(seen.count("syscall")) << "the greedy reader is told";
  flush_later();
  EXPECT_EQ(log_.count({"holds", "begins anew"}), 1);
  EXPECT_EQ(log_.count({"no memory for 8388608 bytes"}), 1);
  for (std::uint32_t word = 0; word < lane->terms.max_blocks / 64; ++word) {
    lane->held[word] = 0;
  }
  seen = calls([&] { EXPECT_EQ(allocate(8 << 20), nullptr); });
  EXPECT_TRUE(seen.count("fcntl"));
}

TEST_F(OpenLockTest, WhenAPublisherWaitsForRoom) {
  connect({.depth = 10, .keep_all = true, .block = 50ms});
  publish(kKeepAllDepth);
  const Names seen = calls([&] {
    const auto late = out_->publish_copy("message", 8);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error(), PublishError::kTimeout);
  });
  EXPECT_TRUE(seen.count("fcntl")) << "who is alive";
  EXPECT_TRUE(seen.count("operator new")) << "for the line";
  EXPECT_NE(out_->last_timeout(), "");
}

TEST_F(OpenLockTest, WhenMessagesAreDestroyed) {
  MessageFunctions functions;
  functions.destroy = [](const void *, void *) { note_call("destroy"); };
  connect({.depth = 2}, functions);
  const auto publish_own = [&](int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(out_->publish_allocation(allocate(100), 100));
    }
  };
  EXPECT_TRUE(calls([&] { publish_own(20); }).count("destroy"));
  publish(20);
  EXPECT_TRUE(calls([&] { EXPECT_TRUE(out_->borrow(1 << 20)); }).count("destroy")) << "for a larger one";
  use_up();
  EXPECT_TRUE(calls([&] { EXPECT_EQ(allocate(8 << 20), nullptr); }).count("destroy"));
}

TEST_F(OpenLockTest, WhenReadersComeAndGo) {
  connect({.depth = 2});
  const Names seen = calls([&] {
    std::vector<std::unique_ptr<Subscription>> more;
    for (int i = 0; i < 10; ++i) {
      more.push_back(std::move(*participant_->create_subscription(subscription_options("topic", {.depth = 2}))));
      EXPECT_EQ(out_->matched_count(), more.size() + 1);
    }
  });
  EXPECT_TRUE(seen.count("operator new"));
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) {
  setenv("TANDEM_REGION_SIZE", "64", 1);
  return tandem::test::run(argc, argv);
}
