// Through the plug-in, a steady flow allocates nothing, neither by malloc nor from the message heap.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

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

class SteadyState : public testing::Test {
 protected:
  static TopicOptions options() { return {{"/", "test"}, "/steady", Qos{}}; }

  /// Runs `once` until all pools are filled, then counts what further runs allocate.
  template <class Function>
  static void expect_no_allocation(const Function & once) {
    for (int i = 0; i < 2000; ++i) {
      once();
    }
    const auto before = allocations;
    const auto in_use = tandem::heap_statistics().in_use;
    for (int i = 0; i < 2000; ++i) {
      once();
    }
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_EQ(tandem::heap_statistics().in_use, in_use);
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
  expect_no_allocation([this] {
    auto loan = pub_->borrow();
    ASSERT_NE(loan, nullptr);
    ASSERT_EQ(pub_->publish(std::move(loan)), PublishResult::kOk);
    const Sample sample = sub_->take();
    ASSERT_TRUE(sample);
    const std::shared_ptr<const Message> alias(sample.keeper, static_cast<const Message *>(sample.message));
  });
}

TEST_F(SteadyState, KeptSamplesAllocateNothing) {
  std::array<Sample, 4> kept;
  std::size_t next = 0;
  expect_no_allocation([&] {
    ASSERT_EQ(pub_->publish(pub_->borrow()), PublishResult::kOk);
    kept[next++ % kept.size()] = sub_->take();
  });
}

TEST_F(SteadyState, CopiesAllocateNothing) {
  const auto message = std::make_unique<Message>();
  expect_no_allocation([&] {
    ASSERT_EQ(pub_->publish(message.get()), PublishResult::kOk);
    ASSERT_TRUE(sub_->take());
  });
}

// Here the messages themselves come from the heap, each freed when its publisher reuses its place.
TEST_F(SteadyState, OwnedMessagesComeBack) {
  const auto once = [this] {
    auto message = std::make_unique<Message>();
    bool taken = false;
    ASSERT_EQ(pub_->publish_owned(message.get(), taken), PublishResult::kOk);
    ASSERT_TRUE(taken);
    [[maybe_unused]] const auto * transports_now = message.release();
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
