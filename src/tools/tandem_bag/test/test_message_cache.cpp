// What lies between taking and writing.
#include "record/message_cache.hpp"

#include <cstring>
#include <thread>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

bool put(bag::MessageCache & cache, std::int64_t time, std::size_t size) {
  std::uint8_t * const room = cache.begin(size);
  if (room == nullptr) {
    return false;
  }
  std::memset(room, static_cast<int>(time % 100), size);
  bag::Message message;
  message.log_time = time;
  message.size = size;
  cache.end(message);
  return true;
}

TEST(MessageCache, HandsMessagesOverInOrder) {
  bag::MessageCache cache(10 << 20, false);
  std::int64_t next = 0;
  std::thread writer([&] {
    while (auto batch = cache.wait(10s)) {
      for (const bag::Message & message : batch->messages()) {
        EXPECT_EQ(message.log_time, next);
        EXPECT_TRUE(message.size == 0 || message.data[message.size - 1] == next % 100);
        ++next;
      }
      cache.recycle(std::move(batch));
    }
  });
  constexpr std::int64_t kCount = 20000;
  for (std::int64_t i = 0; i < kCount; ++i) {
    while (!put(cache, i, static_cast<std::size_t>(i % 7000))) {
      std::this_thread::yield();
    }
  }
  cache.hand_over();
  cache.close();
  writer.join();
  EXPECT_EQ(next, kCount);
}

TEST(MessageCache, IsFullAtItsLimit) {
  constexpr std::size_t kSize = 1 << 20;
  bag::MessageCache cache(8 * kSize, false);
  int count = 0;
  while (put(cache, count, kSize)) {
    ++count;
  }
  EXPECT_EQ(count, 8);
  cache.recycle(cache.wait(1s));
  EXPECT_TRUE(put(cache, 9, kSize));
}

TEST(MessageCache, TakesAMessageLargerThanItsLimitByItself) {
  bag::MessageCache cache(1000, false);
  EXPECT_TRUE(put(cache, 1, 10 << 20));
  cache.hand_over();
  EXPECT_FALSE(put(cache, 2, 10 << 20));
  cache.recycle(cache.wait(1s));
  EXPECT_TRUE(put(cache, 2, 10 << 20));
}

TEST(MessageCache, ThatIsCircularForgetsTheOldest) {
  constexpr std::size_t kSize = 1 << 20;
  bag::MessageCache cache(8 * kSize, true);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(put(cache, i, kSize));
  }
  EXPECT_TRUE(cache.take_overflow());
  EXPECT_FALSE(cache.take_overflow());
  EXPECT_EQ(cache.wait(0ms), nullptr) << "nothing is written before a snapshot";
  cache.hand_over();
  EXPECT_EQ(cache.release(), 8u);
  for (int i = 92; i < 100; ++i) {
    auto batch = cache.wait(1s);
    ASSERT_NE(batch, nullptr);
    EXPECT_EQ(batch->messages().at(0).log_time, i);
    cache.recycle(std::move(batch));
  }
  EXPECT_EQ(cache.release(), 0u);
}

TEST(MessageCache, ThatIsCircularForgetsWhatIsOld) {
  constexpr std::size_t kSize = 1 << 20;
  bag::MessageCache cache(100 * kSize, true, 5);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(put(cache, i, kSize));
  }
  cache.hand_over();
  EXPECT_FALSE(cache.take_overflow());
  EXPECT_EQ(cache.release(), 6u);
}

}  // namespace
