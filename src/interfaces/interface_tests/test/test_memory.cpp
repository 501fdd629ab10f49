// Messages made by any form of new live in the message heap, and every form of delete gives them back.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string>

#include "interface_tests/msg/large.hpp"
#include "interface_tests/msg/primitives.hpp"
#include "tandem/heap.hpp"

using interface_tests::msg::Large;
using interface_tests::msg::Primitives;

namespace {

/// A shared-memory directory of these tests' own, removed at the end.
class SharedMemoryDirectory : public testing::Environment {
 public:
  void SetUp() override {
    std::string path = "/dev/shm/interface_tests.XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    path_ = path;
    ASSERT_EQ(setenv("TANDEM_SHM_DIR", path_.c_str(), 1), 0);
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

 private:
  std::filesystem::path path_;
};

const auto * const environment = testing::AddGlobalTestEnvironment(new SharedMemoryDirectory);

struct alignas(32) Aligned : Primitives {};
struct alignas(256) FarAligned : Primitives {};

bool is_aligned(const void * memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

/// Checks, when it ends, that as much is in use as when it began.
class NothingLeaks : public testing::Test {
 protected:
  void SetUp() override {
    delete new Primitives;  // what the heap keeps for itself is there from now on
    before_ = tandem::heap_statistics().in_use;
  }
  void TearDown() override { EXPECT_EQ(tandem::heap_statistics().in_use, before_); }

 private:
  std::size_t before_ = 0;
};

using MessageMemory = NothingLeaks;

}  // namespace

TEST_F(MessageMemory, NewIsInTheHeap) {
  auto * message = new Primitives;
  EXPECT_TRUE(tandem::is_shared_allocation(message, sizeof(Primitives)));
  delete message;
  EXPECT_FALSE(tandem::is_shared_allocation(message, sizeof(Primitives)));
}

TEST_F(MessageMemory, MakeUniqueIsInTheHeap) {
  auto message = std::make_unique<Large>();
  EXPECT_TRUE(tandem::is_shared_allocation(message.get(), sizeof(Large)));
  const Large::UniquePtr moved = std::move(message);
  EXPECT_TRUE(tandem::is_shared_allocation(moved.get(), sizeof(Large)));
}

TEST_F(MessageMemory, ArrayIsInTheHeap) {
  auto messages = std::make_unique<Primitives[]>(10);
  EXPECT_TRUE(tandem::is_shared_allocation(messages.get(), 10 * sizeof(Primitives)));
  EXPECT_EQ(messages[9].int32_value, 0);
}

TEST_F(MessageMemory, NothrowIsInTheHeap) {
  auto * message = new (std::nothrow) Primitives;
  ASSERT_NE(message, nullptr);
  EXPECT_TRUE(tandem::is_shared_allocation(message, sizeof(Primitives)));
  delete message;
  auto * messages = new (std::nothrow) Primitives[3];
  ASSERT_NE(messages, nullptr);
  EXPECT_TRUE(tandem::is_shared_allocation(messages, 3 * sizeof(Primitives)));
  delete[] messages;
}

TEST_F(MessageMemory, AlignedIsInTheHeap) {
  auto * message = new Aligned;
  EXPECT_TRUE(is_aligned(message, 32));
  EXPECT_TRUE(tandem::is_shared_allocation(message, sizeof(Aligned)));
  delete message;
  auto * messages = new (std::nothrow) Aligned[3];
  ASSERT_NE(messages, nullptr);
  EXPECT_TRUE(is_aligned(messages, 32));
  delete[] messages;
}

TEST_F(MessageMemory, AlignmentBeyondTheHeapsIsPrivate) {
  auto * message = new FarAligned;
  EXPECT_TRUE(is_aligned(message, 256));
  EXPECT_FALSE(tandem::is_shared_allocation(message, sizeof(FarAligned)));
  delete message;
  auto * messages = new FarAligned[3];
  EXPECT_TRUE(is_aligned(messages, 256));
  delete[] messages;
}

TEST_F(MessageMemory, PlacementUsesTheMemoryGiven) {
  alignas(Primitives) unsigned char memory[sizeof(Primitives)];
  auto * message = new (memory) Primitives;
  EXPECT_EQ(static_cast<void *>(message), memory);
  EXPECT_FALSE(tandem::is_shared_allocation(message, sizeof(Primitives)));
  message->~Primitives();
}

TEST_F(MessageMemory, StackAndSharedPointersAreElsewhere) {
  const Primitives on_stack;
  EXPECT_FALSE(tandem::is_shared_allocation(&on_stack, sizeof(on_stack)));
  const auto shared = std::make_shared<Primitives>();
  EXPECT_FALSE(tandem::is_shared_allocation(shared.get(), sizeof(Primitives)));
  const Primitives::SharedPtr of_unique = std::make_unique<Primitives>();
  EXPECT_TRUE(tandem::is_shared_allocation(of_unique.get(), sizeof(Primitives)));
}
