// What users of other middlewares complain about, in their trackers, as far as the API of rclcpp has to do with it. Each
// test fails if the complaint is true of the default transport. (core/test/backpressure/complaints*.cpp has the others.)
#include "support.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>

#include "sensor_msgs/msg/image.hpp"

using namespace std::chrono_literals;
using sensor_msgs::msg::Image;
using test::Block;
using test::Other;

namespace {

/// What this process writes to stderr while it lives, of all threads and libraries.
class Said {
 public:
  Said() : before_(dup(STDERR_FILENO)), file_(memfd_create("stderr", MFD_CLOEXEC)) { dup2(file_, STDERR_FILENO); }
  ~Said() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(file_);
  }
  std::string text() const {
    std::string text(static_cast<size_t>(lseek(file_, 0, SEEK_END)), '\0');
    return pread(file_, text.data(), text.size(), 0) < 0 ? "" : text;
  }
  /// Waits for a line with all the words.
  bool has(const std::vector<std::string> & words) const {
    return test::eventually([&] {
      std::istringstream lines(text());
      for (std::string line; std::getline(lines, line);) {
        if (std::all_of(words.begin(), words.end(),
                        [&](const auto & word) { return line.find(word) != std::string::npos; })) {
          return true;
        }
      }
      return false;
    });
  }

 private:
  const int before_;
  const int file_;
};

class Complaint : public test::WithNode {
 protected:
  template <class PublisherT>
  static void send(PublisherT & publisher, int index) {
    auto loan = publisher.borrow_loaned_message();
    ASSERT_TRUE(loan.is_valid());
    loan.get().index = index;
    loan.get().data.fill(static_cast<std::uint8_t>(index));
    publisher.publish(std::move(loan));
  }
  static bool is_whole(const Block & block, int index) {
    return block.index == index && std::all_of(block.data.begin(), block.data.end(), [&](std::uint8_t byte) {
             return byte == static_cast<std::uint8_t>(index);
           });
  }
};

}  // namespace

TEST_F(Complaint, KeptPointersWiped_rclcpp_2401_PR_2335) {
  std::vector<std::shared_ptr<const Block>> kept;
  const auto keep = [&](std::shared_ptr<const Block> message) { kept.push_back(std::move(message)); };
  auto subscription = node_->create_subscription<Block>("topic", 5, keep);
  auto hbmem = node_->create_subscription_hbmem<Block>("topic", 5, keep);
  auto publisher = node_->create_publisher<Block>("topic", 5);
  ASSERT_TRUE(matched(publisher, 2));
  constexpr int kCount = 30;
  for (int i = 0; i < kCount; ++i) {
    send(*publisher, i);
    ASSERT_TRUE(spin_until([&] { return kept.size() == 2 * static_cast<size_t>(i) + 2; }));
  }
  const auto all_whole = [&] {
    for (size_t i = 0; i < kept.size(); ++i) {
      EXPECT_TRUE(is_whole(*kept[i], static_cast<int>(i / 2))) << i;
    }
  };
  all_whole();
  subscription.reset();
  hbmem.reset();
  for (int i = 100; i < 300; ++i) send(*publisher, i);
  all_whole();
  publisher.reset();
  auto another = node_->create_publisher<Block>("topic", 5);
  for (int i = 100; i < 300; ++i) send(*another, i);
  another.reset();
  executor_.reset();
  node_.reset();
  all_whole();
  rclcpp::shutdown();
  all_whole();
}

TEST_F(Complaint, BorrowFailsAsSubscribersRestart_rmw_fastrtps_614_810) {
  auto publisher = node_->create_publisher_hbmem<Block>("topic", 5);
  std::shared_ptr<Block> kept;
  for (int restart = 0; restart < 300; ++restart) {
    auto subscription =
        node_->create_subscription_hbmem<Block>("topic", 5, [&](std::shared_ptr<Block> message) { kept = message; });
    ASSERT_TRUE(matched(publisher));
    for (int i = 0; i < 5; ++i) ASSERT_NO_FATAL_FAILURE(send(*publisher, restart + i));
    kept = nullptr;
    ASSERT_TRUE(spin_until([&] { return kept != nullptr; }));
  }
  EXPECT_EQ(publisher->get_failed_borrow_count(), 0u);
}

TEST_F(Complaint, FixedSizeOnly_rclcpp_2201_common_interfaces_157) {
  std::shared_ptr<const Image> last;
  auto subscription =
      node_->create_subscription<Image>("image", 5, [&](std::shared_ptr<const Image> message) { last = message; });
  auto publisher = node_->create_publisher<Image>("image", 5);
  ASSERT_TRUE(matched(publisher));
  EXPECT_TRUE(publisher->can_loan_messages());
  for (std::uint32_t i = 0; i < 20; ++i) {
    auto loan = publisher->borrow_loaned_message();
    ASSERT_TRUE(loan.is_valid());
    loan.get().height = i;
    loan.get().encoding = "a string too long to be kept within the message itself";
    loan.get().data.resize(100'000 + i, static_cast<std::uint8_t>(i));
    publisher->publish(std::move(loan));
    ASSERT_TRUE(spin_until([&] { return last && last->height == i; }));
    EXPECT_EQ(last->data.size(), 100'000 + i);
    EXPECT_EQ(last->data.back(), static_cast<std::uint8_t>(i));
    EXPECT_EQ(last->encoding, "a string too long to be kept within the message itself");
  }
  publisher->publish(std::make_unique<Image>());
  ASSERT_TRUE(spin_until([&] { return last->height == 0; }));
  EXPECT_EQ(publisher->get_copied_count(), 0u);
  EXPECT_EQ(subscription->get_copied_count(), 0u);
}

TEST_F(Complaint, SilentFallBackToCopying_ros2_shm_msgs_30) {
  const Said said;
  std::vector<std::shared_ptr<const Block>> kept;
  auto subscription =
      node_->create_subscription<Block>("copied", 5, [&](std::shared_ptr<const Block> m) { kept.push_back(m); });
  auto publisher = node_->create_publisher<Block>("copied", 5);
  ASSERT_TRUE(matched(publisher));
  send(*publisher, 0);
  publisher->publish(std::make_unique<Block>());
  EXPECT_EQ(publisher->get_copied_count(), 0u);
  publisher->publish(*std::make_unique<Block>());
  EXPECT_EQ(publisher->get_copied_count(), 1u);
  ASSERT_TRUE(spin_until([&] { return kept.size() == 3; }));
  EXPECT_EQ(subscription->get_copied_count(), 0u);
  for (size_t i = 3; i < 20; ++i) {
    send(*publisher, static_cast<int>(i));
    ASSERT_TRUE(spin_until([&] { return kept.size() == i + 1; }));
  }
  EXPECT_EQ(subscription->get_copied_count(), 12u) << "all beyond the quota of 8";
  EXPECT_TRUE(said.has({"topic '/ns/copied'", "copied for this subscription", "Keep fewer"})) << said.text();
}

TEST_F(Complaint, LatencyGrowsWithSizeThroughInitialisation_rmw_cyclonedds_347) {
  auto publisher = node_->create_publisher<Block>("topic", 1);
  int used_again = 0;
  for (int i = 0; i < 20; ++i) {
    auto loan = publisher->borrow_loaned_message();
    used_again += loan.get().data[Block::kBytes / 2] == 77 ? 1 : 0;
    loan.get().data[Block::kBytes / 2] = 77;
    publisher->publish(std::move(loan));
  }
  EXPECT_GE(used_again, 12) << "a loan of a fixed-size type is initialised once, not each time";
}

// Every byte is written and read, and none of it is copied on the way, by the executor either.
TEST_F(Complaint, UntouchedPayloadFlattersFigures_rclcpp_1642) {
  int seen = 0;
  int whole = 0;
  auto subscription = node_->create_subscription<Block>("topic", 5, [&](std::shared_ptr<const Block> message) {
    whole += is_whole(*message, seen) ? 1 : 0;
    ++seen;
  });
  auto publisher = node_->create_publisher<Block>("topic", 5);
  ASSERT_TRUE(matched(publisher));
  for (int i = 0; i < 200; ++i) {
    send(*publisher, i);
    ASSERT_TRUE(spin_until([&] { return seen == i + 1; }));
  }
  EXPECT_EQ(whole, 200);
  EXPECT_EQ(publisher->get_copied_count() + subscription->get_copied_count(), 0u);
}

TEST_F(Complaint, SilentQosMismatch_ros2_1562) {
  const Said said;
  auto publisher = node_->create_publisher<Block>("mismatch", rclcpp::QoS(1).best_effort());
  auto subscription = node_->create_subscription<Block>("mismatch", rclcpp::QoS(1).reliable(), [](const Block &) {});
  EXPECT_TRUE(said.has({"[WARN]", "'/ns/mismatch'", "RELIABILITY", "BEST_EFFORT", "RELIABLE"})) << said.text();
  auto second = node_->create_publisher<Block>("durability", rclcpp::QoS(1));
  auto late = node_->create_subscription<Block>("durability", rclcpp::QoS(1).transient_local(), [](const Block &) {});
  EXPECT_TRUE(said.has({"'/ns/durability'", "DURABILITY", "VOLATILE", "TRANSIENT_LOCAL"})) << said.text();
}

TEST_F(Complaint, ExecutorCpu_rclcpp_1637) {
  std::vector<std::shared_ptr<void>> idle;
  for (int i = 0; i < 50; ++i) {
    idle.push_back(node_->create_wall_timer(1h, [] {}));
    idle.push_back(node_->create_subscription<Block>("topic" + std::to_string(i), 10, [](const Block &) {}));
    idle.push_back(node_->create_publisher<Block>("topic" + std::to_string(i), 10));
  }
  std::atomic<pid_t> thread{0};
  std::thread spinner([&] {
    thread = static_cast<pid_t>(syscall(SYS_gettid));
    executor_->spin();
  });
  ASSERT_TRUE(test::eventually([&] { return thread != 0 && executor_->is_spinning(); }));
  const auto sleeps = [&] {
    std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
    long count = -1;
    for (std::string word; count < 0 && status >> word;) {
      if (word == "voluntary_ctxt_switches:") status >> count;
    }
    return count;
  };
  std::this_thread::sleep_for(1s);  // until all is matched and quiet
  const long before = sleeps();
  std::this_thread::sleep_for(3s);  // what is measured: how often it wakes in that time
  EXPECT_LE(sleeps() - before, 15);
  executor_->cancel();
  spinner.join();
}

// slow reader exhausts chunks (rmw_cyclonedds#484), for messages of variable size
TEST_F(Complaint, SlowReaderExhaustsChunks_rmw_cyclonedds_484_iceoryx_1038) {
  std::vector<std::shared_ptr<const Image>> kept;
  std::uint32_t seen = 0;
  auto hoarder =
      node_->create_subscription<Image>("image", 10, [&](std::shared_ptr<const Image> m) { kept.push_back(m); });
  auto good = node_->create_subscription<Image>("image", 10, [&](const Image &) { ++seen; });
  rclcpp::Node elsewhere("elsewhere");
  auto never = elsewhere.create_subscription<Image>("/ns/image", 10, [](const Image &) {});
  auto publisher = node_->create_publisher<Image>("image", 10);
  ASSERT_TRUE(matched(publisher, 3));
  for (std::uint32_t i = 0; i < 300; ++i) {
    auto image = std::make_unique<Image>();
    image->height = i;
    image->data.assign(50'000, static_cast<std::uint8_t>(i));
    publisher->publish(std::move(image));
    ASSERT_TRUE(spin_until([&] { return seen == i + 1 && kept.size() == i + 1; }));
  }
  EXPECT_EQ(publisher->get_failed_borrow_count() + good->get_lost_count() + hoarder->get_lost_count(), 0u);
  EXPECT_EQ(hoarder->get_copied_count(), 292u);
  for (std::uint32_t i = 0; i < 300; ++i) {
    EXPECT_EQ(kept[i]->height, i);
    EXPECT_EQ(std::count(kept[i]->data.begin(), kept[i]->data.end(), static_cast<std::uint8_t>(i)), 50'000);
  }
}

TEST_F(Complaint, KeepAllTimeoutNamesWhomItWaitedFor) {
  const Said said;
  const auto qos = rclcpp::QoS(rclcpp::KeepAll()).reliable();
  auto slow = node_->create_subscription<Other>("slow", qos, [](const Other &) {});
  auto publisher = node_->create_publisher<Other>("slow", qos);
  ASSERT_TRUE(matched(publisher));
  std::string what;
  try {
    for (int i = 0; i < 100'000; ++i) publisher->publish(Other());
  } catch (const rclcpp::exceptions::RCLError & error) {
    EXPECT_EQ(error.ret, RCL_RET_TIMEOUT);
    what = error.what();
  }
  EXPECT_NE(what.find("topic '/ns/slow'"), std::string::npos) << what;
  EXPECT_NE(what.find("keep-all subscription"), std::string::npos) << what;
  EXPECT_TRUE(said.has({"[ERROR]", "topic '/ns/slow'", "publish waited", " ms", "process " + std::to_string(getpid()),
                        "Let it take faster"}))
      << said.text();
}

TEST_F(Complaint, ShutdownWhileAPublishWaitsDoesNotHang) {
  const auto qos = rclcpp::QoS(rclcpp::KeepAll()).reliable();
  auto slow = node_->create_subscription<Other>("slow", qos, [](const Other &) {});
  auto publisher = node_->create_publisher<Other>("slow", qos);
  ASSERT_TRUE(matched(publisher));
  std::atomic<int> published{0};
  std::thread sender([&] {
    try {
      for (; rclcpp::ok(); ++published) publisher->publish(Other());
    } catch (const rclcpp::exceptions::RCLError & error) {
      EXPECT_EQ(error.ret, RCL_RET_TIMEOUT);
    }
  });
  ASSERT_TRUE(test::eventually([&] { return published >= 16'000; }));
  rclcpp::shutdown();
  sender.join();
}
