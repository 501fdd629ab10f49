// CDR: bytes that are known, both byte orders, and what is refused.
#include "tandem/cdr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "../oracle/message_object.hpp"
#include "../oracle/random_message.hpp"
#include "all_kinds.hpp"
#include "support.hpp"
#include "tandem/equality.hpp"
#include "tandem/serialized_type.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;
using tandem::oracle::MessageObject;
using test::type_of;

template <class Message>
Bytes cdr(const Message & message) {
  return tandem::serialize(type_of(message), &message);
}

template <class Message>
std::string read(const Bytes & bytes, Message & message) {
  const auto result = tandem::deserialize(type_of(message), bytes.data(), bytes.size(), &message);
  return result ? "" : result.error();
}

Bytes with_header(Bytes bytes) {
  bytes.insert(bytes.begin(), {0, 1, 0, 0});
  return bytes;
}

TEST(Cdr, WritesStringsWithLengthAndTerminator) {
  kinds::Text message;
  message.text = "hi";
  EXPECT_EQ(cdr(message), with_header({0, 0, 0, 0, 3, 0, 0, 0, 'h', 'i', 0}));
  message.text = "";
  EXPECT_EQ(cdr(message), with_header({0, 0, 0, 0, 1, 0, 0, 0, 0}));
}

TEST(Cdr, AlignsFromBehindTheEncapsulation) {
  kinds::Mixed message;
  message.small = 1;
  message.wide = 1.0;
  message.medium = 0x0203;
  EXPECT_EQ(cdr(message), with_header({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 3, 2}));
}

TEST(Cdr, WritesOneByteForAMessageWithoutFields) { EXPECT_EQ(cdr(kinds::Nothing()), with_header({0})); }

TEST(Cdr, WritesEachNumberInItsWidth) {
  kinds::Numbers message;
  message.a_bool = true;
  message.a_byte = 2;
  message.a_char = 3;
  message.a_wchar = 0x0405;
  message.i8 = -1;
  message.u8 = 6;
  message.i16 = -2;
  message.u16 = 7;
  message.i32 = -3;
  message.u32 = 8;
  message.i64 = -4;
  message.u64 = 9;
  message.f32 = 1.0F;
  message.f64 = -1.0;
  const Bytes bytes = cdr(message);
  const Bytes expected =
      with_header({1,    2, 3, 0, 5,    4,    0,    0,    0xFF, 6,    0xFE, 0xFF, 7,    0, 0, 0, 0xFD, 0xFF, 0xFF,
                   0xFF, 8, 0, 0, 0,    0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 9, 0, 0, 0,    0,    0,
                   0,    0, 0, 0, 0x80, 0x3F, 0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0xF0, 0xBF});
  ASSERT_EQ(bytes.size(), expected.size() + 16) << "long double";
  EXPECT_EQ(Bytes(bytes.begin(), bytes.end() - 16), expected);
}

// As rosidl_typesupport_fastrtps_cpp writes them (serialization_helpers.hpp): no terminator, 4 bytes each.
TEST(Cdr, WritesWideStringsInFourBytesEach) {
  kinds::Shapes message;
  message.wide = u"A\u00e9\u4e2d";
  const Bytes bytes = cdr(message);
  const Bytes expected = {3, 0, 0, 0, 'A', 0, 0, 0, 0xE9, 0, 0, 0, 0x2D, 0x4E, 0, 0};
  EXPECT_NE(std::search(bytes.begin(), bytes.end(), expected.begin(), expected.end()), bytes.end());
}

TEST(Cdr, ReadsWhatItWrites) {
  std::mt19937_64 random(test::seed_of_this_run());
  for (int i = 0; i < 200; ++i) {
    kinds::All message;
    kinds::All copy;
    tandem::oracle::randomize(type_of(message), &message, random);
    const Bytes bytes = cdr(message);
    ASSERT_EQ(bytes.size(), tandem::serialized_size(type_of(message), &message));
    ASSERT_EQ(read(bytes, copy), "");
    ASSERT_EQ(cdr(copy), bytes);
  }
}

/// The message in the other byte order, where `widths` are those of its numbers, in order.
Bytes turned(Bytes bytes, const std::vector<std::size_t> & widths) {
  std::size_t position = 4;
  for (const std::size_t width : widths) {
    const std::size_t alignment = std::min<std::size_t>(width, 8);
    position += (alignment - (position - 4) % alignment) % alignment;
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(position),
                 bytes.begin() + static_cast<std::ptrdiff_t>(position + width));
    position += width;
  }
  bytes[1] ^= 1;
  return bytes;
}

TEST(Cdr, ReadsBothByteOrders) {
  kinds::Numbers message;
  std::mt19937_64 random(test::seed_of_this_run());
  tandem::oracle::randomize(type_of(message), &message, random);
  const Bytes bytes = cdr(message);
  kinds::Numbers copy;
  ASSERT_EQ(read(turned(bytes, {1, 1, 1, 4, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 16}), copy), "");
  EXPECT_EQ(cdr(copy), bytes);

  kinds::Shapes lists;
  ASSERT_EQ(read(turned(cdr(lists), {1, 1, 1, 4, 4, 2, 2, 2, 1, 8, 2, 1, 8, 2, 4, 1, 4,
                                     1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 1, 4}),
                 lists),
            "");
  EXPECT_EQ(lists.last, 2.5F);
}

TEST(Cdr, ReadsASequenceOfPoints) {
  kinds::Shapes shapes;
  shapes.points = {{1, 2}, {3, 4}};
  const Bytes bytes = cdr(shapes);
  kinds::Shapes copy;
  ASSERT_EQ(read(bytes, copy), "");
  ASSERT_EQ(copy.points.size(), 2u);
  EXPECT_EQ(copy.points[1].x, 3);
  EXPECT_EQ(copy.points[1].y, 4);
}

TEST(Cdr, KeepsWhatIsNotInABufferOutOfIt) {
  kinds::Mixed message;
  Bytes buffer(32, 0xAA);
  const std::size_t size = tandem::serialize(type_of(message), &message, buffer.data(), buffer.size());
  ASSERT_EQ(size, 22u);
  EXPECT_EQ(std::count(buffer.begin(), buffer.begin() + 22, 0xAA), 0) << "padding is zero";
  EXPECT_EQ(std::count(buffer.begin() + 22, buffer.end(), 0xAA), 10);
  EXPECT_EQ(tandem::serialize(type_of(message), &message, buffer.data(), 21), 0u) << "too small";
}

TEST(Cdr, IgnoresBytesBehindTheMessage) {
  kinds::Text message;
  EXPECT_EQ(read(with_header({5, 0, 0, 0, 2, 0, 0, 0, 'x', 0, 0xFF, 0xFF}), message), "");
  EXPECT_EQ(message.before, 5);
  EXPECT_EQ(message.text, "x");
}

TEST(Cdr, TakesAStringWithoutBytesForAnEmptyOne) {
  kinds::Text message;
  message.text = "old";
  EXPECT_EQ(read(with_header({5, 0, 0, 0, 0, 0, 0, 0}), message), "");
  EXPECT_EQ(message.text, "");
}

TEST(Cdr, RefusesEveryTruncation) {
  std::mt19937_64 random(test::seed_of_this_run());
  kinds::All message;
  tandem::oracle::randomize(type_of(message), &message, random);
  const Bytes bytes = cdr(message);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    kinds::All copy;
    ASSERT_NE(read(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), copy), "") << size;
  }
}

TEST(Cdr, SaysWhatIsWrongWithWhichField) {
  kinds::Text text;
  EXPECT_EQ(read({0, 1, 0}, text), "this is no CDR of kinds/msg/Text: 3 bytes are too few");
  EXPECT_EQ(read({0, 3, 0, 0, 0}, text),
            "this is no CDR of kinds/msg/Text: its encapsulation is not PLAIN_CDR but 0 3");
  EXPECT_EQ(read(with_header({0, 0, 0, 0, 9, 0, 0, 0, 'x', 0}), text),
            "this is no CDR of kinds/msg/Text: field 'text': a string of 9 bytes, but only 2 are left");
  EXPECT_EQ(read(with_header({0, 0, 0, 0, 2, 0, 0, 0, 'x', 'y'}), text),
            "this is no CDR of kinds/msg/Text: field 'text': a string that is not terminated");
  EXPECT_EQ(read(with_header({0, 0, 0}), text),
            "this is no CDR of kinds/msg/Text: field 'text': the data ends after 7 bytes");
}

TEST(Cdr, RefusesMoreThanTheBound) {
  kinds::Shapes shapes;
  shapes.few = {1, 2, 3};
  shapes.short_strings = {"1234"};
  const Bytes good = cdr(shapes);
  const auto replaced = [&](Bytes from, const Bytes & to) {
    Bytes bytes = good;
    const auto found = std::search(bytes.begin(), bytes.end(), from.begin(), from.end());
    EXPECT_NE(found, bytes.end());
    std::copy(to.begin(), to.end(), found);
    return bytes;
  };
  kinds::Shapes copy;
  EXPECT_EQ(read(good, copy), "");
  EXPECT_THROW(copy.short_strings[0].push_back('5'), std::length_error);
  EXPECT_EQ(read(replaced({3, 0, 0, 0, 1, 0, 0, 0, 2}, {4}), copy),
            "this is no CDR of kinds/msg/Shapes: field 'few': 4 elements, at most 3 are allowed");
  EXPECT_EQ(read(replaced({5, 0, 0, 0, '1', '2', '3', '4', 0}, {6, 0, 0, 0, '1', '2', '3', '4', '5', 0}), copy),
            "this is no CDR of kinds/msg/Shapes: field 'short_strings[0]': a string of 5 characters, at most 4 are "
            "allowed");
}

TEST(Cdr, RefusesABoolThatIsNone) {
  kinds::Numbers numbers;
  Bytes bytes = cdr(numbers);
  bytes[4] = 2;
  EXPECT_EQ(read(bytes, numbers),
            "this is no CDR of kinds/msg/Numbers: field 'a_bool': a bool that is neither 0 nor 1");
}

TEST(Equality, ComparesByValue) {
  std::mt19937_64 random(test::seed_of_this_run());
  for (int i = 0; i < 100; ++i) {
    kinds::Shapes a;
    tandem::oracle::randomize(type_of(a), &a, random);
    a.doubles.assign(1, 1.0);
    a.point = {};
    a.last = 0.0F;
    a.mixed = {};
    a.points.clear();
    a.mixed_list.clear();
    kinds::Shapes b = a;
    ASSERT_TRUE(tandem::equal(type_of(a), &a, &b));
    b.last = -0.0F;
    ASSERT_TRUE(tandem::equal(type_of(a), &a, &b));
    b.texts.emplace_back().text = "more";
    ASSERT_FALSE(tandem::equal(type_of(a), &a, &b));
    b = a;
    b.wide += u'x';
    ASSERT_FALSE(tandem::equal(type_of(a), &a, &b));
    b = a;
    b.doubles[0] = a.doubles[0] = std::numeric_limits<double>::quiet_NaN();
    ASSERT_FALSE(tandem::equal(type_of(a), &a, &b));
  }
}

TEST(Cdr, ASerializedMessageKeepsItsBytes) {
  const auto & type = tandem::serialized_type("unknown_msgs/msg/Thing", {});
  EXPECT_EQ(&tandem::serialized_type("unknown_msgs/msg/Thing", {}), &type);
  EXPECT_TRUE(tandem::is_serialized(type));
  const std::vector<std::uint8_t> bytes = {0, 0, 0, 0, 1, 2, 3};  // big-endian
  tandem::SerializedMessage message;
  ASSERT_TRUE(tandem::deserialize(type, bytes.data(), bytes.size(), &message));
  EXPECT_EQ(tandem::serialize(type, &message), bytes);
  EXPECT_FALSE(tandem::deserialize(type, bytes.data(), 3, &message));
}

}  // namespace
