// Types in OpenSplice's words; it needs no SDK.
#include <gtest/gtest.h>

#include "../src/type_description.hpp"
#include "geometry_msgs/msg/pose_with_covariance.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_msgs/msg/string.hpp"
#include "tandem/cdr_bus/context.hpp"
#include "tandem/dds/names.hpp"

namespace {

template <class T>
std::string described() {
  const tandem::MessageType & type = tandem::message_type<T>();
  return opensplice::type_description(tandem::dds::to_dds_type(type.name), type);
}

std::size_t count(const std::string & text, const std::string & part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(TypeDescription, StringAndEmpty) {
  EXPECT_EQ(described<std_msgs::msg::String>(),
            "<MetaData version=\"1.0.0\"><Module name=\"std_msgs\"><Module name=\"msg\"><Module name=\"dds_\">"
            "<Struct name=\"String_\"><Member name=\"data_\"><String/></Member></Struct>"
            "</Module></Module></Module></MetaData>");
  EXPECT_NE(described<std_msgs::msg::Empty>().find("structure_needs_at_least_one_member_"), std::string::npos);
}

TEST(TypeDescription, NestedTypesComeFirstAndOnce) {
  const std::string text = described<geometry_msgs::msg::PoseWithCovariance>();
  EXPECT_EQ(count(text, "<Struct name=\"Point_\">"), 1u);
  EXPECT_LT(text.find("<Struct name=\"Point_\">"), text.find("<Struct name=\"Pose_\">"));
  EXPECT_LT(text.find("<Struct name=\"Pose_\">"), text.find("<Struct name=\"PoseWithCovariance_\">"));
  EXPECT_NE(text.find("<Member name=\"pose_\"><Type name=\"::geometry_msgs::msg::dds_::Pose_\"/></Member>"),
            std::string::npos);
  EXPECT_NE(text.find("<Array size=\"36\"><Double/></Array>"), std::string::npos);
}

TEST(TypeDescription, BoundsAndSequences) {
  const std::string text = opensplice::type_description("a::B_", tandem::cdr_bus::discovery_shape());
  EXPECT_NE(text.find("<String length=\"256\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("<Sequence><Type name=\"::rmw_dds_common::msg::dds_::Gid_\"/></Sequence>"), std::string::npos);
}

// OpenSplice keeps the addresses of both strings beyond the endpoints that brought them.
TEST(Type, IsTheSameObjectForTheSameType) {
  const auto & string = tandem::message_type<std_msgs::msg::String>();
  const opensplice::Type & first = opensplice::type_of("a::String_", string);
  const opensplice::Type & empty = opensplice::type_of("a::String_", tandem::message_type<std_msgs::msg::Empty>());
  for (int i = 0; i < 100; ++i) {
    opensplice::type_of("a::T" + std::to_string(i), string);
  }
  EXPECT_EQ(&opensplice::type_of("a::String_", string), &first);
  EXPECT_NE(&empty, &first) << "another definition";
  EXPECT_EQ(first.name, "a::String_");
  EXPECT_EQ(first.description, opensplice::type_description("a::String_", string));
}

}  // namespace
