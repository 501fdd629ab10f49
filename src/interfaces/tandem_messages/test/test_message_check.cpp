// The check on take, against a region of its own that the sanitizers guard: what it lets through can be read whole, and
// nothing that is in a message makes it read outside.
#include "tandem/message_check.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <random>
#include <thread>

#include "sample_types.hpp"

namespace {

/// Memory that stands for a peer's region; messages of the test get their blocks from it while it is `current`.
class Region {
 public:
  static constexpr std::size_t kSize = 4096;
  static Region * current;

  Region() : bytes_(static_cast<unsigned char *>(::operator new(kSize, std::align_val_t(64)))) {
    std::memset(bytes_, 0, kSize);
  }
  ~Region() { ::operator delete(bytes_, std::align_val_t(64)); }
  Region(const Region &) = delete;
  Region & operator=(const Region &) = delete;

  void * allocate(std::size_t size, std::size_t alignment) {
    used_ = (used_ + alignment - 1) / alignment * alignment;
    if (size > kSize - used_) {
      return nullptr;
    }
    used_ += size;
    return bytes_ + used_ - size;
  }

  bool owns(const void * memory) const { return memory >= bytes_ && memory < bytes_ + kSize; }
  unsigned char * bytes() { return bytes_; }
  std::uint64_t & word(std::size_t index) { return reinterpret_cast<std::uint64_t *>(bytes_)[index]; }

 private:
  unsigned char * bytes_;
  std::size_t used_ = 0;
};

Region * Region::current = nullptr;
Region * last_region = nullptr;

}  // namespace

// The message memory of this test; the library's is not linked.
namespace tandem::detail {

void * try_allocate_message(std::size_t size, std::size_t alignment) noexcept {
  return Region::current != nullptr ? Region::current->allocate(size, alignment) : std::malloc(size);
}

void * allocate_message(std::size_t size, std::size_t alignment) {
  void * const memory = try_allocate_message(size, alignment);
  return memory != nullptr ? memory : throw std::bad_alloc();
}

void free_message(void * memory, std::size_t) noexcept {
  if (last_region == nullptr || !last_region->owns(memory)) {
    std::free(memory);
  }
}

void copy_large(void * to, const void * from, std::size_t size) noexcept { std::memmove(to, from, size); }

}  // namespace tandem::detail

namespace {

using sample::Everything;

std::uint64_t seed_of_this_run() {
  const char * const given = std::getenv("TANDEM_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device()();
  std::cout << "TANDEM_TEST_SEED=" << seed << '\n';
  return seed;
}

std::size_t rounds(std::size_t usual) {
  const char * const factor = std::getenv("TANDEM_TEST_ROUNDS");
  return factor != nullptr ? usual * std::strtoull(factor, nullptr, 0) : usual;
}

void fill(Everything & message) {
  message.text = "a text that is longer than nothing";
  message.short_text = "12345678";
  message.wide = u"wide";
  message.two_texts[1] = "second";
  message.names = {"one", "", "three"};
  message.data.resize(100, 7);
  message.few = {1, 2, 3, 4};
  message.flags = {true, false};
  message.points.resize(3);
  message.two_inners[0].name = "inner";
  message.two_inners[0].values = {1.0, 2.0};
  message.tree.inners.resize(2);
  message.tree.inners[1].values.resize(5);
  message.tree.labels = {u"x", u"yy"};
  message.trees.resize(2);
  message.trees[0].inners.resize(1);
  message.trees[1].inners.resize(2);
  message.trees[1].inners[1].name = "deep";
  message.trees[1].labels = {u"z"};
}

class MessageCheck : public testing::Test {
 protected:
  MessageCheck() {
    last_region = &region_;
    Region::current = &region_;
    message_ = new (region_.allocate(sizeof(Everything), alignof(Everything))) Everything;
    fill(*message_);
    Region::current = nullptr;
    std::memcpy(image_, region_.bytes(), Region::kSize);
  }
  // The message is not destroyed: its blocks belong to the region.
  ~MessageCheck() override { last_region = nullptr; }

  bool is_well_formed() {
    return tandem::is_well_formed(tandem::message_type<Everything>(), message_, region_.bytes(), Region::kSize);
  }
  void restore() { std::memcpy(region_.bytes(), image_, Region::kSize); }

  /// The three offsets of a container.
  static std::int64_t * words(void * container) { return static_cast<std::int64_t *>(container); }

  static void put(void * container, std::int64_t begin, std::int64_t size, std::int64_t room) {
    const auto start = static_cast<std::uint64_t>(begin);
    words(container)[0] = begin;
    words(container)[1] = static_cast<std::int64_t>(start + static_cast<std::uint64_t>(size));
    words(container)[2] = static_cast<std::int64_t>(start + static_cast<std::uint64_t>(room));
  }

  Region region_;
  Everything * message_;
  unsigned char image_[Region::kSize];
};

TEST_F(MessageCheck, AcceptsWhatContainersMake) {
  EXPECT_TRUE(is_well_formed());
  Everything & empty = *new (region_.bytes()) Everything;
  EXPECT_TRUE(tandem::is_well_formed(tandem::message_type<Everything>(), &empty, region_.bytes(), Region::kSize));
}

TEST_F(MessageCheck, AcceptsAnyBytesOfATypeOfFixedSize) {
  sample::Point point;
  std::memset(static_cast<void *>(&point), 0xFF, sizeof point);
  EXPECT_TRUE(tandem::is_well_formed(tandem::message_type<sample::Point>(), &point, nullptr, 0));
}

TEST_F(MessageCheck, RefusesBlocksThatAreNotInTheRegion) {
  tandem::Vector<std::uint8_t> elsewhere(100);
  for (void * const container : {static_cast<void *>(&message_->data), static_cast<void *>(&message_->text)}) {
    const std::int64_t size = words(container)[1] - words(container)[0];
    const std::int64_t room = words(container)[2] - words(container)[0];
    const std::int64_t start = region_.bytes() - static_cast<unsigned char *>(container);
    const std::int64_t places[] = {
        start - 8,
        start + static_cast<std::int64_t>(Region::kSize) - room + 8,
        start + static_cast<std::int64_t>(Region::kSize) + 8,
        reinterpret_cast<unsigned char *>(elsewhere.data()) - static_cast<unsigned char *>(container),
        -static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(container)),
        INT64_MAX,
        INT64_MIN};
    for (const std::int64_t place : places) {
      put(container, place, size, room);
      EXPECT_FALSE(is_well_formed()) << place;
      restore();
    }
  }
}

TEST_F(MessageCheck, RefusesEndsThatAreNotThoseOfABlock) {
  std::int64_t * const values = words(&message_->two_inners[0].values);
  values[1] = values[2] + 8;
  EXPECT_FALSE(is_well_formed()) << "more elements than there is room for";
  restore();
  values[1] = values[0] - 8;
  EXPECT_FALSE(is_well_formed()) << "fewer than none";
  restore();
  values[1] = values[0] + 7;
  EXPECT_FALSE(is_well_formed()) << "a part of an element";
  restore();
  values[0] = 0;
  EXPECT_FALSE(is_well_formed()) << "elements without a block";
}

TEST_F(MessageCheck, RefusesElementsThatAreNotAligned) {
  std::int64_t * const values = words(&message_->two_inners[0].values);
  for (int i = 0; i < 3; ++i) {
    values[i] += 4;
  }
  EXPECT_FALSE(is_well_formed());
}

TEST_F(MessageCheck, RefusesMoreThanTheBound) {
  words(&message_->few)[2] += 2;
  EXPECT_TRUE(is_well_formed()) << "room for more is not more";
  words(&message_->few)[1] += 2;
  EXPECT_FALSE(is_well_formed()) << "elements";
  restore();
  std::int64_t * const text = words(&message_->short_text);
  std::memcpy(reinterpret_cast<char *>(text) + text[0] + 8, "9", 2);
  text[1] += 1;
  text[2] += 1;
  EXPECT_FALSE(is_well_formed()) << "characters";
}

TEST_F(MessageCheck, RefusesStringsThatAreNotTerminated) {
  message_->text.data()[message_->text.size()] = 'x';
  EXPECT_FALSE(is_well_formed());
  restore();
  words(&message_->text)[2] = words(&message_->text)[1];
  EXPECT_FALSE(is_well_formed()) << "no room for the terminator";
  restore();
  message_->wide.data()[message_->wide.size()] = 0x100;
  EXPECT_FALSE(is_well_formed()) << "half of a wide terminator";
}

TEST_F(MessageCheck, RefusesSequencesThatShareMoreThanTheRegion) {
  // Each tree takes all of the region for its inner messages, so that they would be visited again and again.
  for (sample::Tree & tree : message_->trees) {
    const auto start = region_.bytes() - reinterpret_cast<unsigned char *>(&tree.inners);
    const auto size = static_cast<std::ptrdiff_t>(Region::kSize / sizeof(sample::Inner) * sizeof(sample::Inner));
    put(&tree.inners, start, size, size);
  }
  EXPECT_FALSE(is_well_formed());
}

TEST_F(MessageCheck, LetsThroughOnlyWhatCanBeReadWhole) {
  std::mt19937_64 random(seed_of_this_run());
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  constexpr std::size_t kWords = Region::kSize / 8;
  const auto change = [&] {
    std::uint64_t & word = region_.word(below(kWords));
    switch (below(6)) {
      case 0: word = random(); break;
      case 1: word += below(64) * (below(2) == 0 ? 1 : ~std::uint64_t{0}); break;
      case 2: word ^= std::uint64_t{1} << below(64); break;
      case 3: word = region_.word(below(kWords)); break;
      case 4: word = 0; break;
      default: word = below(2 * Region::kSize) - Region::kSize; break;
    }
  };
  std::size_t let_through = 0;
  const std::size_t tries = rounds(100'000);
  for (std::size_t i = 0; i < tries; ++i) {
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      change();
    }
    if (is_well_formed()) {
      const Everything copy(*message_);
      let_through += copy.text.c_str()[copy.text.size()] == '\0';
    }
    restore();
  }
  std::cout << let_through << " of " << tries << " were let through\n";
  EXPECT_NE(let_through, 0u);
  EXPECT_NE(let_through, tries);
}

TEST_F(MessageCheck, ReadsNothingOutsideWhileTheOwnerWrites) {
  const std::uint64_t seed = seed_of_this_run();
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    std::mt19937_64 random(seed);
    std::size_t written[16];
    while (!stop) {
      for (std::size_t & index : written) {
        index = static_cast<std::size_t>(random() % (Region::kSize / 8));
        __atomic_store_n(&region_.word(index), random() % 2 == 0 ? random() : random() % 256, __ATOMIC_RELAXED);
      }
      for (const std::size_t index : written) {
        std::uint64_t original;
        std::memcpy(&original, image_ + index * 8, sizeof original);
        __atomic_store_n(&region_.word(index), original, __ATOMIC_RELAXED);
      }
    }
  });
  std::size_t well_formed = 0;
  for (std::size_t i = 0; i < rounds(50'000); ++i) {
    well_formed += is_well_formed();
  }
  stop = true;
  owner.join();
  std::cout << well_formed << " times well-formed\n";
}

}  // namespace
