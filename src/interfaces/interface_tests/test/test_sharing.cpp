// Copies that share large sequences: equal to their original, in memory that can be freed.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "interface_tests/msg/sequences.hpp"
#include "tandem/heap.hpp"
#include "tandem/message_copy.hpp"

namespace {

using interface_tests::msg::Sequences;
using interface_tests::msg::Strings;

constexpr std::size_t kLeast = 1000;
const std::string kLong(300, 'x');

/// "Shares" by a copy of its own, and counts.
struct Sharing {
  void * operator()(const void * block, std::size_t size) {
    if (shared == limit) {
      return nullptr;
    }
    ++shared;
    return std::memcpy(tandem::allocate(size), block, size);
  }
  int limit = 100;
  int shared = 0;
};

template <class T>
std::unique_ptr<T> copy(const T & message, Sharing & sharing) {
  auto copied = tandem::copy_sharing(tandem::message_type<T>(), &message, kLeast, std::ref(sharing));
  return std::unique_ptr<T>(static_cast<T *>(copied.release()));
}

Strings some_strings() {
  Strings strings;
  strings.text = kLong;
  strings.short_text = "short";
  strings.wide = std::u16string(200, u'w');
  strings.texts = {kLong, ""};
  strings.wides = {u"a", std::u16string(100, u'b')};
  strings.many = {"", kLong, "c"};
  strings.few_short = {"1", "2"};
  strings.many_wide = {u"", std::u16string(50, u'd')};
  return strings;
}

Sequences some_sequences() {
  Sequences message;
  message.bool_values = {true, false, true};
  message.uint16_values.resize(7, 9);
  message.float64_values = {1.5, -2.5};
  message.foreign_values.resize(3);
  message.foreign_values[2].sec = 5;
  message.nested_values.resize(2);
  message.strings = {some_strings(), Strings(), some_strings()};
  message.few_strings = {some_strings()};
  message.few_uint8_values = {1, 2};
  message.aligned = 42;
  return message;
}

}  // namespace

TEST(Sharing, IsNothingForSmallMessages) {
  Sharing sharing;
  EXPECT_EQ(copy(some_sequences(), sharing), nullptr);
  EXPECT_EQ(sharing.shared, 0);
}

TEST(Sharing, TakesLargeSequencesAndCopiesTheRest) {
  Sequences message = some_sequences();
  message.uint8_values.resize(5000, 3);
  message.uint8_values.reserve(6000);
  message.foreign_values.resize(2000);
  message.foreign_values.back().nanosec = 7;
  Sharing sharing;
  const auto copied = copy(message, sharing);
  ASSERT_NE(copied, nullptr);
  EXPECT_EQ(sharing.shared, 2);
  EXPECT_EQ(*copied, message);
  EXPECT_EQ(copied->uint8_values.capacity(), message.uint8_values.capacity());
  copied->strings[0].text[0] = 'y';
  copied->uint8_values.resize(100'000, 4);
  EXPECT_EQ(message.strings[0].text, kLong);
  EXPECT_EQ(message.uint8_values.size(), 5000U);
}

TEST(Sharing, CopiesAllWhereOneCannotBeShared) {
  Sequences message = some_sequences();
  message.uint8_values.resize(5000, 3);
  message.uint64_values.resize(5000, 3);
  const std::size_t before = tandem::heap_statistics().in_use;
  Sharing sharing;
  sharing.limit = 1;
  EXPECT_EQ(copy(message, sharing), nullptr);
  EXPECT_EQ(sharing.shared, 1);
  EXPECT_EQ(tandem::heap_statistics().in_use, before);
}
