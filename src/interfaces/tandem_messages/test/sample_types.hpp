// Messages as the generator writes them, by hand: one with every shape of sequence and string, nested.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tandem/detail/make_message_type.hpp"
#include "tandem/string.hpp"
#include "tandem/vector.hpp"

namespace sample {

struct Point {
  std::int32_t x = 0;
  double y = 0;
};

struct Inner {
  tandem::String name;
  tandem::Vector<double> values;
};

struct Tree {
  tandem::Vector<Inner> inners;
  tandem::Vector<tandem::U16String> labels;
};

struct Everything {
  bool flag = false;
  tandem::String text;
  tandem::BasicString<char, 8> short_text;
  tandem::U16String wide;
  std::array<tandem::String, 2> two_texts;
  tandem::Vector<tandem::String> names;
  tandem::Vector<std::uint8_t> data;
  tandem::Vector<std::int16_t, 4> few;
  tandem::Vector<bool> flags;
  tandem::Vector<Point> points;
  std::array<Inner, 2> two_inners;
  Tree tree;
  tandem::Vector<Tree, 3> trees;
};

}  // namespace sample

#define SAMPLE_FIELD(type, name, kind, shape, count, bound, message, resize) \
  Field { #name, FieldKind::kind, FieldShape::shape, offsetof(sample::type, name), count, bound, message, resize }
#define SAMPLE_SEQUENCE(type, name, kind, count, message)               \
  SAMPLE_FIELD(type, name, kind, kSequence, count, kUnbounded, message, \
               &detail::resize_sequence<decltype(sample::type::name)>)
#define SAMPLE_SINGLE(type, name, kind, message) \
  SAMPLE_FIELD(type, name, kind, kSingle, 1, kUnbounded, message, nullptr)

namespace tandem {

template <>
inline const MessageType & message_type<sample::Point>() {
  static constexpr Field kFields[] = {SAMPLE_SINGLE(Point, x, kInt32, nullptr),
                                      SAMPLE_SINGLE(Point, y, kFloat64, nullptr)};
  static constexpr MessageType kType = detail::make_message_type<sample::Point>({"sample/msg/Point", {}, kFields, 2});
  return kType;
}

template <>
inline const MessageType & message_type<sample::Inner>() {
  static constexpr Field kFields[] = {SAMPLE_SINGLE(Inner, name, kString, nullptr),
                                      SAMPLE_SEQUENCE(Inner, values, kFloat64, kUnbounded, nullptr)};
  static constexpr MessageType kType = detail::make_message_type<sample::Inner>({"sample/msg/Inner", {}, kFields, 2});
  return kType;
}

template <>
inline const MessageType & message_type<sample::Tree>() {
  static constexpr Field kFields[] = {SAMPLE_SEQUENCE(Tree, inners, kMessage, kUnbounded, &message_type<sample::Inner>),
                                      SAMPLE_SEQUENCE(Tree, labels, kWstring, kUnbounded, nullptr)};
  static constexpr MessageType kType = detail::make_message_type<sample::Tree>({"sample/msg/Tree", {}, kFields, 2});
  return kType;
}

template <>
inline const MessageType & message_type<sample::Everything>() {
  static constexpr Field kFields[] = {
      SAMPLE_SINGLE(Everything, flag, kBool, nullptr),
      SAMPLE_SINGLE(Everything, text, kString, nullptr),
      SAMPLE_FIELD(Everything, short_text, kString, kSingle, 1, 8, nullptr, nullptr),
      SAMPLE_SINGLE(Everything, wide, kWstring, nullptr),
      SAMPLE_FIELD(Everything, two_texts, kString, kArray, 2, kUnbounded, nullptr, nullptr),
      SAMPLE_SEQUENCE(Everything, names, kString, kUnbounded, nullptr),
      SAMPLE_SEQUENCE(Everything, data, kUint8, kUnbounded, nullptr),
      SAMPLE_SEQUENCE(Everything, few, kInt16, 4, nullptr),
      SAMPLE_SEQUENCE(Everything, flags, kBool, kUnbounded, nullptr),
      SAMPLE_SEQUENCE(Everything, points, kMessage, kUnbounded, &message_type<sample::Point>),
      SAMPLE_FIELD(Everything, two_inners, kMessage, kArray, 2, kUnbounded, &message_type<sample::Inner>, nullptr),
      SAMPLE_SINGLE(Everything, tree, kMessage, &message_type<sample::Tree>),
      SAMPLE_SEQUENCE(Everything, trees, kMessage, 3, &message_type<sample::Tree>)};
  static constexpr MessageType kType =
      detail::make_message_type<sample::Everything>({"sample/msg/Everything", {}, kFields, std::size(kFields)});
  return kType;
}

}  // namespace tandem
