// Messages have exactly the C layout of their fields, and their run-time types say so.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "builtin_interfaces/msg/duration.hpp"
#include "builtin_interfaces/msg/time.hpp"
#include "interface_tests/msg/arrays.hpp"
#include "interface_tests/msg/constants.hpp"
#include "interface_tests/msg/defaults.hpp"
#include "interface_tests/msg/empty.hpp"
#include "interface_tests/msg/idl_types.hpp"
#include "interface_tests/msg/large.hpp"
#include "interface_tests/msg/nested.hpp"
#include "interface_tests/msg/padded.hpp"
#include "interface_tests/msg/primitives.hpp"
#include "interface_tests/srv/add_two_ints.hpp"
#include "interface_tests/srv/trigger.hpp"

using namespace interface_tests::msg;  // NOLINT: a test of these only

namespace {

// The structs as a C programmer writes them.
struct CTime {
  std::int32_t sec;
  std::uint32_t nanosec;
};
struct CPrimitives {
  bool bool_value;
  unsigned char byte_value;
  unsigned char char_value;
  std::int8_t int8_value;
  std::uint8_t uint8_value;
  std::int16_t int16_value;
  std::uint16_t uint16_value;
  std::int32_t int32_value;
  std::uint32_t uint32_value;
  std::int64_t int64_value;
  std::uint64_t uint64_value;
  float float32_value;
  double float64_value;
};
struct CDefaults {
  CPrimitives primitives;  // its fields come first, in the same order
  std::int32_t plain;
  std::int32_t array_value[3];
  bool bool_array[2];
  double same_array[2];
  std::uint8_t plain_array[4];
};
struct CNested {
  CTime stamp;
  CPrimitives primitives;
  CDefaults defaults;
  std::uint8_t last;
};
struct CPadded {
  std::uint8_t a;
  double b;
  std::uint8_t c;
  std::uint16_t d;
  CNested e;
  bool f[5];
  std::int64_t g;
};
struct CIdlTypes {
  long double precise;
  char16_t letter;
  char16_t letters[2];
  std::int16_t small;
};
struct CLarge {
  std::int32_t index;
  std::uint64_t time_stamp;
  std::uint8_t data[4194304];
};

template <class T>
constexpr bool is_plain() {
  return std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>;
}

static_assert(is_plain<builtin_interfaces::msg::Time>() && is_plain<builtin_interfaces::msg::Duration>());
static_assert(is_plain<Primitives>() && is_plain<Constants>() && is_plain<Defaults>() && is_plain<Arrays>());
static_assert(is_plain<Nested>() && is_plain<Empty>() && is_plain<Padded>() && is_plain<Large>());
static_assert(is_plain<IdlTypes>() && is_plain<interface_tests::srv::AddTwoInts::Request>());
static_assert(is_plain<interface_tests::srv::Trigger_Request>() && is_plain<interface_tests::srv::Trigger_Response>());

#define EXPECT_SAME_PLACE(type, field) static_assert(offsetof(type, field) == offsetof(C##type, field))
#define EXPECT_SAME_SIZE(type) \
  static_assert(sizeof(type) == sizeof(C##type) && alignof(type) == alignof(C##type), "as in C")

EXPECT_SAME_SIZE(Primitives);
EXPECT_SAME_PLACE(Primitives, bool_value);
EXPECT_SAME_PLACE(Primitives, byte_value);
EXPECT_SAME_PLACE(Primitives, char_value);
EXPECT_SAME_PLACE(Primitives, int8_value);
EXPECT_SAME_PLACE(Primitives, uint8_value);
EXPECT_SAME_PLACE(Primitives, int16_value);
EXPECT_SAME_PLACE(Primitives, uint16_value);
EXPECT_SAME_PLACE(Primitives, int32_value);
EXPECT_SAME_PLACE(Primitives, uint32_value);
EXPECT_SAME_PLACE(Primitives, int64_value);
EXPECT_SAME_PLACE(Primitives, uint64_value);
EXPECT_SAME_PLACE(Primitives, float32_value);
EXPECT_SAME_PLACE(Primitives, float64_value);
EXPECT_SAME_SIZE(Defaults);
EXPECT_SAME_PLACE(Defaults, plain);
EXPECT_SAME_PLACE(Defaults, array_value);
EXPECT_SAME_PLACE(Defaults, bool_array);
EXPECT_SAME_PLACE(Defaults, same_array);
EXPECT_SAME_PLACE(Defaults, plain_array);
EXPECT_SAME_SIZE(Nested);
EXPECT_SAME_PLACE(Nested, stamp);
EXPECT_SAME_PLACE(Nested, primitives);
EXPECT_SAME_PLACE(Nested, defaults);
EXPECT_SAME_PLACE(Nested, last);
EXPECT_SAME_SIZE(Padded);
EXPECT_SAME_PLACE(Padded, a);
EXPECT_SAME_PLACE(Padded, b);
EXPECT_SAME_PLACE(Padded, c);
EXPECT_SAME_PLACE(Padded, d);
EXPECT_SAME_PLACE(Padded, e);
EXPECT_SAME_PLACE(Padded, f);
EXPECT_SAME_PLACE(Padded, g);
EXPECT_SAME_SIZE(IdlTypes);
EXPECT_SAME_PLACE(IdlTypes, letters);
EXPECT_SAME_PLACE(IdlTypes, small);
EXPECT_SAME_SIZE(Large);
EXPECT_SAME_PLACE(Large, data);
static_assert(sizeof(Empty) == 1);

static_assert(std::is_same_v<Primitives::_char_value_type, unsigned char>);
static_assert(std::is_same_v<Primitives::_byte_value_type, unsigned char>);
static_assert(std::is_same_v<Arrays::_bool_values_type, std::array<bool, 3>>);
static_assert(std::is_same_v<Arrays::_foreign_values_type, std::array<builtin_interfaces::msg::Duration, 2>>);
static_assert(std::is_same_v<IdlTypes::_letter_type, char16_t>);
static_assert(std::is_same_v<Nested::UniquePtr, std::unique_ptr<Nested>>);
static_assert(std::is_same_v<Nested::ConstSharedPtr, std::shared_ptr<const Nested>>);
static_assert(std::is_same_v<Nested_<std::allocator<void>>, Nested>);
static_assert(std::is_same_v<interface_tests::srv::AddTwoInts::Response, interface_tests::srv::AddTwoInts_Response>);

}  // namespace

TEST(MessageType, DescribesAFixedSizeMessage) {
  const tandem::MessageType & type = tandem::message_type<Padded>();
  EXPECT_STREQ(type.name, "interface_tests/msg/Padded");
  EXPECT_EQ(type.size, sizeof(CPadded));
  EXPECT_EQ(type.alignment, alignof(CPadded));
  EXPECT_TRUE(type.is_fixed_size);
  EXPECT_EQ(&type, &tandem::message_type<Padded>());
}

TEST(MessageType, NamesRequestsAndResponses) {
  EXPECT_STREQ(tandem::message_type<interface_tests::srv::AddTwoInts::Request>().name,
               "interface_tests/srv/AddTwoInts_Request");
  EXPECT_STREQ(tandem::message_type<interface_tests::srv::AddTwoInts::Response>().name,
               "interface_tests/srv/AddTwoInts_Response");
}

TEST(MessageType, HashTellsDefinitionsApart) {
  EXPECT_NE(tandem::message_type<builtin_interfaces::msg::Time>().hash,
            tandem::message_type<builtin_interfaces::msg::Duration>().hash);
  EXPECT_NE(tandem::message_type<Primitives>().hash, tandem::message_type<Defaults>().hash);
}

TEST(MessageType, AbiTagTellsLayoutsApart) {
  EXPECT_EQ(tandem::message_type<builtin_interfaces::msg::Time>().abi,
            tandem::message_type<builtin_interfaces::msg::Duration>().abi);
  EXPECT_NE(tandem::message_type<Primitives>().abi, tandem::message_type<Padded>().abi);
}

TEST(MessageType, ConstructsCopiesAndDestroys) {
  const tandem::MessageType & type = tandem::message_type<Defaults>();
  alignas(Defaults) unsigned char memory[sizeof(Defaults)];
  alignas(Defaults) unsigned char other[sizeof(Defaults)];
  std::memset(memory, 0xff, sizeof(memory));
  type.construct(memory);
  auto * message = reinterpret_cast<Defaults *>(memory);
  EXPECT_EQ(*message, Defaults());
  message->plain = 42;
  type.copy_construct(other, memory);
  EXPECT_EQ(*reinterpret_cast<Defaults *>(other), *message);
  type.destroy(memory);
  type.destroy(other);
}
