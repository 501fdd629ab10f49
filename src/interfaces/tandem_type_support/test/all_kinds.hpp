// Messages as the generator writes them, by hand: every kind of field in every shape.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tandem/detail/make_message_type.hpp"
#include "tandem/string.hpp"
#include "tandem/vector.hpp"

namespace kinds {

struct Nothing {
  std::uint8_t structure_needs_at_least_one_member = 0;
};

/// Numbers of one width without padding: the same in memory and on the wire.
struct Point {
  double x = 0;
  double y = 0;
};

/// Padded in memory, and differently on the wire.
struct Mixed {
  std::uint8_t small = 0;
  double wide = 0;
  std::uint16_t medium = 0;
};

struct Text {
  std::int8_t before = 0;
  tandem::String text;
};

struct Numbers {
  bool a_bool = false;
  unsigned char a_byte = 0;
  unsigned char a_char = 0;
  char16_t a_wchar = 0;
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint16_t u16 = 0;
  std::int32_t i32 = 0;
  std::uint32_t u32 = 0;
  std::int64_t i64 = 0;
  std::uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  long double f128 = 0;
};

struct Shapes {
  std::array<bool, 3> bools{};
  std::array<char16_t, 2> wchars{};
  std::array<std::int16_t, 3> shorts{};
  std::array<Mixed, 2> mixed{};
  std::array<tandem::String, 2> strings;
  tandem::Vector<bool> bool_list;
  tandem::Vector<unsigned char> byte_list;
  tandem::Vector<std::uint8_t> data;
  tandem::Vector<double> doubles;
  tandem::Vector<std::int32_t, 3> few;
  tandem::Vector<tandem::BasicString<char, 4>, 2> short_strings;
  tandem::U16String wide;
  tandem::Vector<tandem::U16String> wides;
  tandem::Vector<Point> points;
  tandem::Vector<Mixed> mixed_list;
  tandem::Vector<Text> texts;
  tandem::Vector<Nothing> nothings;
  Point point;
  Nothing nothing;
  float last = 2.5F;
};

struct All {
  Numbers numbers;
  Shapes shapes;
  tandem::Vector<Shapes> more;
};

}  // namespace kinds

namespace tandem {

#define KINDS_TYPE(type, ...)                                                                   \
  template <>                                                                                   \
  inline const MessageType & message_type<kinds::type>() {                                      \
    using Self = kinds::type;                                                                   \
    static constexpr Field kFields[] = {__VA_ARGS__};                                           \
    static constexpr MessageType kType =                                                        \
        detail::make_message_type<Self>({"kinds/msg/" #type, {}, kFields, std::size(kFields)}); \
    return kType;                                                                               \
  }
#define ONE(name, kind) \
  Field { #name, FieldKind::kind, FieldShape::kSingle, offsetof(Self, name), 1, kUnbounded, nullptr, nullptr }
#define ONE_MESSAGE(name, type)                                                           \
  Field {                                                                                 \
#name, FieldKind::kMessage, FieldShape::kSingle, offsetof(Self, name), 1, kUnbounded, \
        &message_type < kinds::type>, nullptr                                             \
  }
#define MANY(name, kind, n) \
  Field { #name, FieldKind::kind, FieldShape::kArray, offsetof(Self, name), n, kUnbounded, nullptr, nullptr }
#define MANY_MESSAGES(name, type, n)                                                                                   \
  Field {                                                                                                              \
#name, FieldKind::kMessage, FieldShape::kArray, offsetof(Self, name), n, kUnbounded, &message_type < kinds::type>, \
        nullptr                                                                                                        \
  }
#define LIST(name, kind, n, bound)                                                          \
  Field {                                                                                   \
#name, FieldKind::kind, FieldShape::kSequence, offsetof(Self, name), n, bound, nullptr, \
        &detail::resize_sequence < decltype(Self::name)>                                    \
  }
#define LIST_OF_MESSAGES(name, type)                                                                 \
  Field {                                                                                            \
#name, FieldKind::kMessage, FieldShape::kSequence, offsetof(Self, name), kUnbounded, kUnbounded, \
        &message_type < kinds::type>, &detail::resize_sequence < decltype(Self::name)>               \
  }

template <>
inline const MessageType & message_type<kinds::Nothing>() {
  static constexpr MessageType kType = detail::make_message_type<kinds::Nothing>({"kinds/msg/Nothing", {}, nullptr, 0});
  return kType;
}

KINDS_TYPE(Point, ONE(x, kFloat64), ONE(y, kFloat64))
KINDS_TYPE(Mixed, ONE(small, kUint8), ONE(wide, kFloat64), ONE(medium, kUint16))
KINDS_TYPE(Text, ONE(before, kInt8), ONE(text, kString))
KINDS_TYPE(Numbers, ONE(a_bool, kBool), ONE(a_byte, kOctet), ONE(a_char, kChar), ONE(a_wchar, kWchar), ONE(i8, kInt8),
           ONE(u8, kUint8), ONE(i16, kInt16), ONE(u16, kUint16), ONE(i32, kInt32), ONE(u32, kUint32), ONE(i64, kInt64),
           ONE(u64, kUint64), ONE(f32, kFloat32), ONE(f64, kFloat64), ONE(f128, kLongDouble))
KINDS_TYPE(Shapes, MANY(bools, kBool, 3), MANY(wchars, kWchar, 2), MANY(shorts, kInt16, 3),
           MANY_MESSAGES(mixed, Mixed, 2), MANY(strings, kString, 2), LIST(bool_list, kBool, kUnbounded, kUnbounded),
           LIST(byte_list, kOctet, kUnbounded, kUnbounded), LIST(data, kUint8, kUnbounded, kUnbounded),
           LIST(doubles, kFloat64, kUnbounded, kUnbounded), LIST(few, kInt32, 3, kUnbounded),
           LIST(short_strings, kString, 2, 4), ONE(wide, kWstring), LIST(wides, kWstring, kUnbounded, kUnbounded),
           LIST_OF_MESSAGES(points, Point), LIST_OF_MESSAGES(mixed_list, Mixed), LIST_OF_MESSAGES(texts, Text),
           LIST_OF_MESSAGES(nothings, Nothing), ONE_MESSAGE(point, Point), ONE_MESSAGE(nothing, Nothing),
           ONE(last, kFloat32))
KINDS_TYPE(All, ONE_MESSAGE(numbers, Numbers), ONE_MESSAGE(shapes, Shapes), LIST_OF_MESSAGES(more, Shapes))

#undef KINDS_TYPE
#undef ONE
#undef ONE_MESSAGE
#undef MANY
#undef MANY_MESSAGES
#undef LIST
#undef LIST_OF_MESSAGES

}  // namespace tandem
