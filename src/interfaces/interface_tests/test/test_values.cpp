// What messages hold when they are made, and the rest of the public API of rosidl's C++ structs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

#include "builtin_interfaces/msg/time.hpp"
#include "interface_tests/msg/arrays.hpp"
#include "interface_tests/msg/constants.hpp"
#include "interface_tests/msg/defaults.hpp"
#include "interface_tests/msg/empty.hpp"
#include "interface_tests/msg/idl_types.hpp"
#include "interface_tests/msg/nested.hpp"
#include "interface_tests/msg/primitives.hpp"
#include "interface_tests/srv/add_two_ints.hpp"
#include "interface_tests/srv/trigger.hpp"

using namespace interface_tests::msg;  // NOLINT: a test of these only
using builtin_interfaces::msg::Time;
using interface_tests::srv::AddTwoInts;
using rosidl_runtime_cpp::MessageInitialization;

namespace {

/// A T made the given way in memory that was full of 0x5a before.
template <class T>
T make(MessageInitialization initialization) {
  alignas(T) static unsigned char memory[sizeof(T)];
  std::fill(std::begin(memory), std::end(memory), static_cast<unsigned char>(0x5a));
  return *new (memory) T(initialization);
}

constexpr std::int32_t kUntouched = 0x5a5a5a5a;

}  // namespace

TEST(Initialization, PrimitivesAreZero) {
  const auto m = make<Primitives>(MessageInitialization::ALL);
  EXPECT_FALSE(m.bool_value);
  EXPECT_EQ(m.byte_value + m.char_value + m.int8_value + m.uint8_value + m.int16_value + m.uint16_value, 0);
  EXPECT_EQ(m.int32_value, 0);
  EXPECT_EQ(m.uint32_value, 0u);
  EXPECT_EQ(m.int64_value, 0);
  EXPECT_EQ(m.uint64_value, 0u);
  EXPECT_EQ(m.float32_value, 0.0f);
  EXPECT_EQ(m.float64_value, 0.0);
}

TEST(Initialization, DefaultsAreAsWritten) {
  const Defaults m;
  EXPECT_TRUE(m.bool_value);
  EXPECT_EQ(m.byte_value, 50);
  EXPECT_EQ(m.char_value, 100);
  EXPECT_EQ(m.int8_value, -128);
  EXPECT_EQ(m.uint8_value, 200);
  EXPECT_EQ(m.int16_value, -1000);
  EXPECT_EQ(m.uint16_value, 2000);
  EXPECT_EQ(m.int32_value, std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(m.uint32_value, 4000000000u);
  EXPECT_EQ(m.int64_value, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(m.uint64_value, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(m.float32_value, 1.125f);
  EXPECT_EQ(m.float64_value, 2.0);
  EXPECT_EQ(m.plain, 0);
  EXPECT_EQ(m.array_value, (std::array<std::int32_t, 3>{1, -2, 3}));
  EXPECT_EQ(m.bool_array, (std::array<bool, 2>{true, false}));
  EXPECT_EQ(m.same_array, (std::array<double, 2>{0.5, 0.5}));
  EXPECT_EQ(m.plain_array, (std::array<std::uint8_t, 4>{}));
  EXPECT_EQ(IdlTypes().small, -3);
  EXPECT_EQ(AddTwoInts::Request().a, 1);
}

TEST(Initialization, ZeroIgnoresDefaults) {
  const auto m = make<Defaults>(MessageInitialization::ZERO);
  EXPECT_FALSE(m.bool_value);
  EXPECT_EQ(m.uint64_value, 0u);
  EXPECT_EQ(m.plain, 0);
  EXPECT_EQ(m.array_value, (std::array<std::int32_t, 3>{}));
  EXPECT_EQ(make<Nested>(MessageInitialization::ZERO).defaults, m);
  EXPECT_EQ(make<Arrays>(MessageInitialization::ZERO).nested_values[1], m);
}

TEST(Initialization, DefaultsOnlyLeavesTheOthersAlone) {
  const auto m = make<Defaults>(MessageInitialization::DEFAULTS_ONLY);
  EXPECT_EQ(m.int16_value, -1000);
  EXPECT_EQ(m.array_value[1], -2);
  EXPECT_EQ(m.plain, kUntouched);
  const auto nested = make<Nested>(MessageInitialization::DEFAULTS_ONLY);
  EXPECT_EQ(nested.stamp.sec, kUntouched);
  EXPECT_EQ(nested.defaults.int16_value, -1000);
}

TEST(Initialization, SkipLeavesAllAlone) {
  const auto m = make<Defaults>(MessageInitialization::SKIP);
  EXPECT_EQ(m.int32_value, kUntouched);
  EXPECT_EQ(m.plain, kUntouched);
  const auto nested = make<Nested>(MessageInitialization::SKIP);
  EXPECT_EQ(nested.stamp.sec, kUntouched);
  EXPECT_EQ(nested.defaults.int32_value, kUntouched);
}

TEST(Initialization, ElementsOfArraysHaveDefaults) {
  const auto m = make<Arrays>(MessageInitialization::ALL);
  EXPECT_EQ(m.nested_values[0], Defaults());
  EXPECT_EQ(m.nested_values[1], Defaults());
  EXPECT_EQ(m.foreign_values[1].nanosec, 0u);
  EXPECT_EQ(m.float64_values, (std::array<double, 3>{}));
}

TEST(Constants, AreAsWritten) {
  static_assert(Constants::BOOL_CONST);
  static_assert(Constants::BYTE_CONST == 255 && Constants::CHAR_CONST == 'a' && Constants::UINT8_CONST == 255);
  static_assert(Constants::INT8_CONST == -128 && Constants::INT16_CONST == -32768);
  static_assert(Constants::UINT16_CONST == 65535 && Constants::UINT32_CONST == 4294967295u);
  static_assert(Constants::INT32_CONST == std::numeric_limits<std::int32_t>::min());
  static_assert(Constants::INT64_CONST == std::numeric_limits<std::int64_t>::min());
  static_assert(Constants::UINT64_CONST == std::numeric_limits<std::uint64_t>::max());
  static_assert(Constants::FLOAT32_CONST == 1.125f && Constants::FLOAT64_CONST == -1e-300);
  static_assert(Constants::WHOLE_CONST == 3.0);
  static_assert(std::is_same_v<decltype(Constants::UINT16_CONST), const std::uint16_t>);
  const std::uint32_t & has_an_address = Constants::UINT32_CONST;
  EXPECT_EQ(has_an_address, 4294967295u);
  EXPECT_EQ(Constants::STRING_CONST, "a \"quoted\" back\\slash, what?\?!");
}

TEST(Equality, ComparesEveryField) {
  Nested a, b;
  EXPECT_TRUE(a == b);
  b.stamp.nanosec = 1;
  EXPECT_TRUE(a != b);
  a.stamp.nanosec = 1;
  EXPECT_EQ(a, b);
  b.defaults.plain_array[3] = 1;
  EXPECT_NE(a, b);
  EXPECT_EQ(Empty(), Empty());
}

TEST(Setters, Chain) {
  const auto m = Defaults().set__plain(3).set__bool_array({false, true}).set__float64_value(0.5);
  EXPECT_EQ(m.plain, 3);
  EXPECT_TRUE(m.bool_array[1]);
  EXPECT_EQ(m.float64_value, 0.5);
}

TEST(Builder, SetsFieldsInOrder) {
  const auto stamp = builtin_interfaces::build<Time>().sec(7).nanosec(8);
  EXPECT_EQ(stamp.sec, 7);
  EXPECT_EQ(stamp.nanosec, 8u);
  const Nested m = interface_tests::build<Nested>().stamp(stamp).primitives(Primitives()).defaults(Defaults()).last(9);
  EXPECT_EQ(m.stamp, stamp);
  EXPECT_EQ(m.defaults, Defaults());
  EXPECT_EQ(m.last, 9);
  const auto request = interface_tests::build<AddTwoInts::Request>().a(1).b(2);
  EXPECT_EQ(request.a + request.b, 3);
  EXPECT_EQ(interface_tests::build<Empty>(), Empty());
}

TEST(Yaml, BlockStyle) {
  AddTwoInts::Response m;
  m.sum = -5;
  m.stamp.sec = 3;
  EXPECT_EQ(to_yaml(m), "sum: -5\nstamp:\n  sec: 3\n  nanosec: 0\n");
  Arrays arrays;
  arrays.byte_values = {0, 10, 255};
  const std::string text = interface_tests::msg::to_yaml(arrays);
  EXPECT_EQ(text.rfind("bool_values:\n- false\n- false\n- false\nbyte_values:\n- 0x00\n- 0x0a\n- 0xff\n", 0), 0u)
      << text;
  EXPECT_NE(text.find("foreign_values:\n-\n  sec: 0\n  nanosec: 0\n-\n  sec: 0\n  nanosec: 0\naligned: 0\n"),
            std::string::npos)
      << text;
}

TEST(Yaml, FlowStyle) {
  AddTwoInts::Response m;
  m.stamp.nanosec = 9;
  EXPECT_EQ(to_yaml(m, true), "{sum: 0, stamp: {sec: 0, nanosec: 9}}");
  const std::string text = interface_tests::msg::to_yaml(Defaults(), true);
  EXPECT_NE(text.find("bool_value: true, byte_value: 0x32, "), std::string::npos) << text;
  EXPECT_NE(text.find("array_value: [1, -2, 3], bool_array: [true, false]"), std::string::npos) << text;
  EXPECT_EQ(interface_tests::msg::to_yaml(Empty(), true), "null");
}

TEST(Traits, NameTheType) {
  namespace traits = rosidl_generator_traits;
  EXPECT_STREQ(traits::data_type<Nested>(), "interface_tests::msg::Nested");
  EXPECT_STREQ(traits::name<Nested>(), "interface_tests/msg/Nested");
  EXPECT_STREQ(traits::name<AddTwoInts>(), "interface_tests/srv/AddTwoInts");
  static_assert(traits::has_fixed_size<Nested>::value && traits::has_bounded_size<Nested>::value);
  static_assert(traits::is_message<Nested>::value && !traits::is_service<Nested>::value);
  static_assert(traits::is_service<AddTwoInts>::value && traits::has_fixed_size<AddTwoInts>::value);
  static_assert(traits::is_service_request<AddTwoInts::Request>::value);
  static_assert(traits::is_service_response<interface_tests::srv::Trigger::Response>::value);
}
