// Which messages may travel as they lie in memory: those whose CDR is their bytes.
#include <gtest/gtest.h>

#include <cstring>

#include "../src/plain.hpp"
#include "geometry_msgs/msg/pose.hpp"
#include "geometry_msgs/msg/transform_stamped.hpp"
#include "sensor_msgs/msg/nav_sat_status.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_msgs/msg/u_int64.hpp"
#include "tandem/cdr.hpp"
#include "tandem/type_library.hpp"

namespace {

using rmw_fastrtps::is_plain;

TEST(Plain, NumbersInTheirPlacesArePlain) {
  EXPECT_TRUE(is_plain(tandem::message_type<std_msgs::msg::UInt64>()));
  EXPECT_TRUE(is_plain(tandem::message_type<geometry_msgs::msg::Pose>()));
  EXPECT_TRUE(is_plain(tandem::message_type<sensor_msgs::msg::NavSatStatus>()));
}

TEST(Plain, StringsAndNothingAreNot) {
  EXPECT_FALSE(is_plain(tandem::message_type<geometry_msgs::msg::TransformStamped>()));
  EXPECT_FALSE(is_plain(tandem::message_type<std_msgs::msg::Empty>()));
}

TEST(Plain, PlainMessageIsItsOwnCdr) {
  geometry_msgs::msg::Pose pose;
  pose.position.x = 1.5;
  pose.orientation.w = -2;
  const auto bytes = tandem::serialize(tandem::message_type<geometry_msgs::msg::Pose>(), &pose);
  ASSERT_EQ(bytes.size(), 4 + sizeof pose);
  EXPECT_EQ(std::memcmp(bytes.data() + 4, &pose, sizeof pose), 0);
}

// A part that CDR would put earlier than memory does: {uint8; {uint8, double}}.
TEST(Plain, PartThatIsAlignedAsAWholeIsNot) {
  struct Inner {
    std::uint8_t first;
    double second;
  };
  struct Outer {
    std::uint8_t first;
    Inner second;
  };
  using tandem::Field;
  static constexpr Field kInner[] = {
      {"first", tandem::FieldKind::kUint8, tandem::FieldShape::kSingle, 0, 1, tandem::kUnbounded, nullptr, nullptr},
      {"second", tandem::FieldKind::kFloat64, tandem::FieldShape::kSingle, 8, 1, tandem::kUnbounded, nullptr, nullptr}};
  static const tandem::MessageType inner = [] {
    tandem::MessageType type{};
    type.size = sizeof(Inner);
    type.alignment = alignof(Inner);
    type.is_fixed_size = true;
    type.fields = kInner;
    type.field_count = 2;
    return type;
  }();
  static const Field kOuter[] = {
      {"first", tandem::FieldKind::kUint8, tandem::FieldShape::kSingle, 0, 1, tandem::kUnbounded, nullptr, nullptr},
      {"second", tandem::FieldKind::kMessage, tandem::FieldShape::kSingle, offsetof(Outer, second), 1,
       tandem::kUnbounded, []() -> const tandem::MessageType & { return inner; }, nullptr}};
  tandem::MessageType outer = inner;
  outer.size = sizeof(Outer);
  outer.fields = kOuter;
  EXPECT_TRUE(is_plain(inner));
  EXPECT_FALSE(is_plain(outer));
}

}  // namespace
