// Through the plug-in, a steady flow allocates nothing, neither by malloc nor from the message heap, and calls nobody.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/heap.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/plugin.hpp"

namespace {
thread_local std::uint64_t allocations = 0;
}

// Every allocation of this process passes here, those of the libraries too (the program exports its symbols).
extern "C" void * __libc_malloc(std::size_t size);
extern "C" void * malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

namespace {

using namespace tandem::transport;  // NOLINT: the interface under test

struct Message {
  std::array<std::uint64_t, 1024> words{};
  TANDEM_MESSAGE_MEMORY
};

const tandem::MessageType & type() {
  static const auto type = tandem::detail::make_message_type<Message>({"test/msg/Message", {1}, nullptr, 0});
  return type;
}

std::atomic<int> trapped = 0;

/// From here on every system call of this thread is counted and not done, but for those that end it.
bool trap_system_calls() {
  struct sigaction action {};
  action.sa_handler = [](int) { ++trapped; };
  sigaction(SIGSYS, &action, nullptr);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  sock_fprog program{sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

class SteadyState : public testing::Test {
 protected:
  static TopicOptions options() { return {{"/", "test"}, "/steady", Qos{}}; }

  /// Runs `once` until all pools are filled, then counts what further runs allocate and ask of the kernel.
  template <class Function>
  static void expect_quiet(const Function & once) {
    std::uint64_t allocated = 0;
    int calls = 0;
    const auto run = [&] {
      // The first call prepares the thread's memory, with system calls; the thread's end would make it otherwise.
      void * volatile memory = std::malloc(1);
      std::free(memory);
      for (int i = 0; i < 2000; ++i) {
        once();
      }
      const auto in_use = tandem::heap_statistics().in_use;
      ASSERT_TRUE(trap_system_calls());
      trapped = 0;
      timespec time{};
      clock_gettime(CLOCK_REALTIME, &time);
      const int calls_for_time = trapped;  // where the clock is not read in user space, each publish asks for the time
      trapped = 0;
      allocations = 0;
      for (int i = 0; i < 2000; ++i) {
        once();
      }
      allocated = allocations;
      calls = calls_for_time == 0 ? trapped.load() : 0;
      EXPECT_EQ(tandem::heap_statistics().in_use, in_use);
    };
    std::thread(run).join();
    EXPECT_EQ(allocated, 0u);
    EXPECT_EQ(calls, 0);
  }

  /// The same for messages of type T: from loans that `fill` fills, and copied.
  template <class T, class Function>
  void expect_quiet_flow(const Function & fill) {
    const auto pub = context_->create_publisher(tandem::message_type<T>(), {{"/", "test"}, "/flow", Qos{}});
    const auto sub = context_->create_subscription(tandem::message_type<T>(), {{"/", "test"}, "/flow", Qos{}});
    expect_quiet([&] {
      auto loan = pub->borrow();
      ASSERT_TRUE(loan);
      fill(*static_cast<T *>(loan.data()));
      ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
      ASSERT_TRUE(sub->take());
    });
    EXPECT_EQ(pub->copied(), 0u);
    T message;
    fill(message);
    expect_quiet([&] {
      ASSERT_EQ(pub->publish(&message), PublishResult::kOk);
      const Sample sample = sub->take();
      ASSERT_TRUE(sample);
      EXPECT_EQ(*static_cast<const T *>(sample.message), message);
    });
    EXPECT_EQ(sub->copied(), 0u);
  }

  std::shared_ptr<Context> context_ = load("rmw_tandem_cpp").create_context(0);
  std::shared_ptr<tandem::transport::Publisher> pub_ = context_->create_publisher(type(), options());
  std::shared_ptr<tandem::transport::Subscription> sub_ = context_->create_subscription(type(), options());
};

TEST_F(SteadyState, TheCounterSeesWhatThePlugInAllocates) {
  const auto before = allocations;
  const auto set = context_->create_wait_set();
  EXPECT_GE(allocations - before, 2u);
}

TEST_F(SteadyState, LoansAllocateNothing) {
  expect_quiet([this] {
    auto loan = pub_->borrow();
    ASSERT_TRUE(loan);
    ASSERT_EQ(pub_->publish(std::move(loan)), PublishResult::kOk);
    const Sample sample = sub_->take();
    ASSERT_TRUE(sample);
    const std::shared_ptr<const Message> alias(sample.keeper, static_cast<const Message *>(sample.message));
  });
}

TEST_F(SteadyState, KeptSamplesAllocateNothing) {
  std::array<Sample, 4> kept;
  std::size_t next = 0;
  expect_quiet([&] {
    ASSERT_EQ(pub_->publish(pub_->borrow()), PublishResult::kOk);
    kept[next++ % kept.size()] = sub_->take();
  });
}

TEST_F(SteadyState, CopiesAllocateNothing) {
  const auto message = std::make_unique<Message>();
  expect_quiet([&] {
    ASSERT_EQ(pub_->publish(message.get()), PublishResult::kOk);
    ASSERT_TRUE(sub_->take());
  });
}

// Whoever asks for a deadline, a lifespan and manual liveliness pays for a look at the clock, and for looks at the status.
TEST_F(SteadyState, DeadlinesLifespansAndLeasesAllocateNothing) {
  TopicOptions timed{{"/", "test"}, "/timed", Qos{}};
  timed.qos.deadline = std::chrono::hours(1);
  timed.qos.lifespan = std::chrono::hours(1);
  timed.qos.liveliness = tandem::Liveliness::kManualByTopic;
  timed.qos.lease = std::chrono::hours(1);
  const auto pub = context_->create_publisher(type(), timed);
  const auto sub = context_->create_subscription(type(), timed);
  expect_quiet([&] {
    ASSERT_EQ(pub->publish(pub->borrow()), PublishResult::kOk);
    ASSERT_TRUE(sub->take());
    pub->assert_liveliness();
    ASSERT_EQ(pub->status().liveliness_lost + sub->status().deadlines_missed + sub->status().not_alive, 0u);
  });
}

TEST_F(SteadyState, ImagesAllocateNothing) {
  expect_quiet_flow<sensor_msgs::msg::Image>([](auto & image) {
    image.header.frame_id = "a camera with a rather long name";
    image.encoding = "rgb8";
    image.height = 32;
    image.width = 32;
    image.step = 96;
    image.data.resize(3072);
    image.data[1000] = 7;
  });
}

// The fields' names are strings within a sequence: a cleared loan has given their memory back and gets it again.
TEST_F(SteadyState, PointCloudsAllocateNothing) {
  expect_quiet_flow<sensor_msgs::msg::PointCloud2>([](auto & cloud) {
    cloud.header.frame_id = "lidar";
    constexpr const char * kNames[] = {"x", "y", "z", "intensity"};
    cloud.fields.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
      cloud.fields[i].name = kNames[i];
    }
    cloud.data.assign(4096, 1);
  });
}

// Here the messages themselves come from the heap, each freed when its publisher reuses its place.
TEST_F(SteadyState, OwnedMessagesComeBack) {
  const auto once = [this] {
    auto message = tandem::make_message(type());
    ASSERT_EQ(pub_->publish(message), PublishResult::kOk);
    ASSERT_FALSE(message);
    ASSERT_TRUE(sub_->take());
  };
  for (int i = 0; i < 2000; ++i) {
    once();
  }
  const auto in_use = tandem::heap_statistics().in_use;
  for (int i = 0; i < 2000; ++i) {
    once();
  }
  EXPECT_LE(tandem::heap_statistics().in_use, in_use + 64 * sizeof(Message));
}

}  // namespace

int main(int argc, char ** argv) {
  std::string folder = "/dev/shm/tandem_steady_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return result;
}
