// Memory that processes share, the word on which they sleep, and the floors over it.
#include "tandem/measure/shared_memory.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "tandem/measure/floor.hpp"

namespace tandem::measure {
namespace {

constexpr std::chrono::seconds kLong{60};

/// A folder of its own for each test.
class SharedMemoryTest : public testing::Test {
 protected:
  SharedMemoryTest() { mkdtemp(folder_.data()); }
  ~SharedMemoryTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string & name) const { return folder_ + "/" + name; }

 private:
  std::string folder_ = "/dev/shm/test_measure-XXXXXX";
};

TEST_F(SharedMemoryTest, IsTheSameForAll) {
  const auto made = SharedMemory::make(path("a"), 10'000);
  EXPECT_EQ(made.size(), 10'000U);
  EXPECT_EQ(made.data()[9'999], std::byte{0});
  auto opened = SharedMemory::open(path("a"));
  ASSERT_EQ(opened.size(), made.size());
  std::memset(made.data(), 7, made.size());
  const auto moved = std::move(opened);
  EXPECT_EQ(moved.data()[9'999], std::byte{7});
  EXPECT_EQ(SharedMemory::make_or_open(path("a"), 10'000).data()[0], std::byte{7});
}

TEST_F(SharedMemoryTest, SaysWhatCannotBe) {
  EXPECT_THROW(SharedMemory::open(path("absent")), std::runtime_error);
  EXPECT_THROW(SharedMemory::make(path("no/folder"), 1), std::runtime_error);
  EXPECT_THROW(SharedMemory::make_or_open(path("no/folder"), 1), std::runtime_error);
  const auto made = SharedMemory::make(path("a"), 1);
  EXPECT_THROW(SharedMemory::make(path("a"), 1), std::runtime_error);
  EXPECT_THROW(SharedMemory::make(path("b"), std::size_t{1} << 60), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(path("b")));
}

TEST_F(SharedMemoryTest, WhoWaitsForAnOldWordDoesNotSleep) {
  FloorWord word(path("word"));
  word.write(5);
  EXPECT_TRUE(word.wait(4, kLong));
  EXPECT_FALSE(word.wait(5, std::chrono::milliseconds(1)));
}

TEST_F(SharedMemoryTest, TwoProcessesWakeEachOther) {
  constexpr std::uint32_t kTurns = 1000;
  FloorWord word(path("word"));
  const auto await = [&word](std::uint32_t wanted) {
    for (std::uint32_t seen = word.read(); seen != wanted; seen = word.read()) {
      if (!word.wait(seen, kLong)) return false;
    }
    return true;
  };
  const pid_t child = fork();
  if (child == 0) {
    bool good = true;
    for (std::uint32_t turn = 1; good && turn < 2 * kTurns; turn += 2) {
      good = await(turn);
      word.write_and_wake(turn + 1);
    }
    _exit(good ? 0 : 1);
  }
  for (std::uint32_t turn = 1; turn < 2 * kTurns; turn += 2) {
    word.write_and_wake(turn);
    EXPECT_TRUE(await(turn + 1));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(FloorCopy, CopiesAnySize) {
  for (const std::size_t size : {0U, 1U, 4096U}) FloorCopy(size).copy();
}

}  // namespace
}  // namespace tandem::measure
