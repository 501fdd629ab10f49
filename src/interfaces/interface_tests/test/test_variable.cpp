// Messages with strings and sequences: what they hold when they are made, bounds, traits, and their run-time types.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "interface_tests/action/fetch.hpp"
#include "interface_tests/action/wait.hpp"
#include "interface_tests/msg/bounded.hpp"
#include "interface_tests/msg/level4.hpp"
#include "interface_tests/msg/sequences.hpp"
#include "interface_tests/msg/strings.hpp"
#include "interface_tests/msg/variable_defaults.hpp"
#include "interface_tests/srv/describe.hpp"

using namespace interface_tests::msg;  // NOLINT: a test of these only
using interface_tests::action::Fetch;
using interface_tests::srv::Describe;
using rosidl_runtime_cpp::MessageInitialization;
using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

namespace {

// Three words each, whatever the elements: nothing is hidden in between.
static_assert(std::is_standard_layout_v<Strings> && sizeof(Strings) == 24 * (4 + 6 + 6));
static_assert(std::is_standard_layout_v<Sequences> && sizeof(Sequences) == 24 * 21 + 8);
static_assert(!std::is_trivially_copyable_v<Strings> && std::is_nothrow_move_constructible_v<Level4>);
static_assert(sizeof(Level1) == 48 && sizeof(Level2) == 24 + 3 * 48 && sizeof(Level4) == 24 + 8 + sizeof(Level3));

static_assert(std::is_same_v<Strings::_text_type, tandem::String>);
static_assert(std::is_same_v<Strings::_short_wide_type, tandem::BasicString<char16_t, 5>>);
static_assert(std::is_same_v<Strings::_short_texts_type, std::array<tandem::BasicString<char, 5>, 2>>);
static_assert(std::is_same_v<Strings::_few_type, tandem::Vector<tandem::String, 3>>);
static_assert(std::is_same_v<Sequences::_bool_values_type, tandem::Vector<bool>>);
static_assert(std::is_same_v<Sequences::_few_nested_values_type, tandem::Vector<Defaults, 3>>);

const Field & field(const tandem::MessageType & type, const char * name) {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    if (std::strcmp(type.fields[i].name, name) == 0) {
      return type.fields[i];
    }
  }
  throw std::runtime_error(name);
}

Level4 tree() {
  Level4 message;
  message.stamp.sec = 4;
  message.first.first.pair[1].name = "pair";
  message.children.resize(2);
  Level2 & level2 = message.children[1].children.emplace_back();
  level2.children.resize(3);
  level2.children[2].strings.resize(1);
  level2.children[2].strings[0].few_short = {"deep"};
  return message;
}

}  // namespace

TEST(VariableInitialization, StringsAndSequencesAreEmpty) {
  const Strings strings;
  EXPECT_TRUE(strings.text.empty() && strings.wide.empty() && strings.many.empty() && strings.texts[1].empty());
  EXPECT_STREQ(strings.text.c_str(), "");
  EXPECT_EQ(strings.text.capacity() + strings.many.capacity(), 0u) << "no memory until needed";
  const Sequences sequences;
  EXPECT_TRUE(sequences.bool_values.empty() && sequences.strings.empty() && sequences.few_strings.empty());
}

TEST(VariableInitialization, DefaultsAreAsWritten) {
  const VariableDefaults m;
  EXPECT_EQ(VariableDefaults::CONSTANT, "constant");
  EXPECT_EQ(VariableDefaults::WIDE_CONSTANT, u"weite \u00c4nderung \U0001d11e");
  EXPECT_EQ(m.text, "a \"quoted\" text");
  EXPECT_EQ(m.single, "x y");
  EXPECT_EQ(m.short_text, "short");
  EXPECT_EQ(m.wide, u"weit \u00e4\u20ac");
  EXPECT_EQ(m.short_wide, u"abc");
  EXPECT_EQ(m.texts, (std::array<tandem::String, 2>{"one", "two, three"}));
  EXPECT_EQ(m.same_texts[1], "same");
  EXPECT_EQ(m.many, (std::vector<std::string>{"", "a", "b"}));
  EXPECT_EQ(m.few_short, (std::vector<std::string>{"12345"}));
  EXPECT_EQ(m.many_wide, (std::vector<std::u16string>{u"x", u"y"}));
  EXPECT_EQ(m.bool_values, (std::vector<bool>{true, false}));
  EXPECT_EQ(m.byte_values, (std::vector<unsigned char>{0, 255}));
  EXPECT_EQ(m.int8_values, (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(m.few_uint8_values, (std::vector<std::uint8_t>{1, 2}));
  EXPECT_EQ(m.int32_values, (std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), 0}));
  EXPECT_EQ(m.int64_values, (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                                                       std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(m.uint64_values, (std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()}));
  EXPECT_EQ(m.float32_values, (std::vector<float>{1.125f, -2.0f}));
  EXPECT_TRUE(m.empty_values.empty() && m.plain.empty() && m.plain_values.empty());
  EXPECT_EQ(m.last, 7);
  EXPECT_EQ(Describe::Request().name, "all");
  EXPECT_EQ(Describe::Request().filter, (std::vector<std::uint8_t>{1, 2}));
  EXPECT_EQ(Describe::Request::UNKNOWN, "unknown");
}

TEST(VariableInitialization, TheOtherWays) {
  EXPECT_EQ(VariableDefaults(MessageInitialization::DEFAULTS_ONLY).many.size(), 3u);
  for (const auto way : {MessageInitialization::ZERO, MessageInitialization::SKIP}) {
    const VariableDefaults m(way);
    EXPECT_TRUE(m.text.empty() && m.texts[0].empty() && m.many.empty() && m.int64_values.empty());
  }
  EXPECT_EQ(VariableDefaults(MessageInitialization::ZERO).last, 0);
}

TEST(Bounds, BeyondThemThrows) {
  Bounded m;
  EXPECT_THROW(m.text = "123456", std::length_error);
  EXPECT_THROW(m.values.resize(4), std::length_error);
  EXPECT_THROW(m.nested = std::vector<Primitives>(3), std::length_error);
  m.text = "12345";
  m.values = {1, 2, 3};
  m.nested.resize(2);
  EXPECT_THROW(m.values.push_back(4), std::length_error);
  EXPECT_THROW(m.text.push_back('6'), std::length_error);
  EXPECT_EQ(m.values, (std::vector<double>{1, 2, 3}));
}

TEST(Nesting, CopiesMovesAndComparesAtAnyDepth) {
  const Level4 original = tree();
  Level4 copy = original;
  EXPECT_EQ(copy, original);
  copy.children[1].children[0].children[2].strings[0].few_short[0] = "DEEP";
  EXPECT_NE(copy, original);
  EXPECT_EQ(original.children[1].children[0].children[2].strings[0].few_short[0], "deep");
  const Level4 moved = std::move(copy);
  EXPECT_EQ(moved.children[1].children[0].children[2].strings[0].few_short[0], "DEEP");
}

TEST(VariableBuilder, SetsFieldsInOrder) {
  const auto request = interface_tests::build<Describe::Request>().name("x").filter({3, 4});
  EXPECT_EQ(request.name, "x");
  EXPECT_EQ(request.filter, (std::vector<std::uint8_t>{3, 4}));
  EXPECT_EQ(Describe::Request().set__name("y").name, "y");
}

TEST(VariableYaml, BothStyles) {
  Level1 m;
  EXPECT_EQ(to_yaml(m), "name: \"\"\nstrings: []\n");
  EXPECT_EQ(to_yaml(m, true), "{name: \"\", strings: []}");
  m.name = "a \"b\"";
  m.strings.resize(1);
  m.strings[0].many = {"x", "y"};
  m.strings[0].wide = u"w\u00e4";
  EXPECT_EQ(to_yaml(m),
            "name: \"a \\\"b\\\"\"\nstrings:\n-\n  text: \"\"\n  short_text: \"\"\n  wide: \"w\\xe4\"\n"
            "  short_wide: \"\"\n  texts:\n  - \"\"\n  - \"\"\n  short_texts:\n  - \"\"\n  - \"\"\n  wides:\n"
            "  - \"\"\n  - \"\"\n  many:\n  - \"x\"\n  - \"y\"\n  many_short: []\n  few: []\n  few_short: []\n"
            "  many_wide: []\n  few_short_wide: []\n");
  Bounded bounded;
  bounded.values = {0.5, 1};
  EXPECT_EQ(to_yaml(bounded, true), "{text: \"\", values: [0.500000, 1.00000], nested: []}");
}

TEST(VariableYaml, InTheNamespaceOfOldSource) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT_EQ(rosidl_generator_traits::to_yaml(Level1()), to_yaml(Level1()));
#pragma GCC diagnostic pop
}

TEST(VariableTraits, TellSizes) {
  using rosidl_generator_traits::has_bounded_size;
  using rosidl_generator_traits::has_fixed_size;
  static_assert(!has_fixed_size<Strings>::value && !has_bounded_size<Strings>::value);
  static_assert(!has_fixed_size<Bounded>::value && has_bounded_size<Bounded>::value);
  static_assert(!has_fixed_size<Level4>::value && !has_bounded_size<Level4>::value);
  static_assert(!has_fixed_size<Describe>::value && !has_bounded_size<Describe>::value);
  EXPECT_FALSE(tandem::message_type<Strings>().is_fixed_size);
}

TEST(FieldTable, DescribesStringsAndSequences) {
  const tandem::MessageType & strings = tandem::message_type<Strings>();
  EXPECT_EQ(strings.field_count, 13u);
  const Field & few = field(strings, "few_short_wide");
  EXPECT_EQ(few.kind, FieldKind::kWstring);
  EXPECT_EQ(few.shape, FieldShape::kSequence);
  EXPECT_EQ(few.offset, offsetof(Strings, few_short_wide));
  EXPECT_EQ(few.count, 3u);
  EXPECT_EQ(few.string_bound, 5u);
  EXPECT_EQ(field(strings, "texts").shape, FieldShape::kArray);
  EXPECT_EQ(field(strings, "texts").count, 2u);
  EXPECT_EQ(field(strings, "texts").string_bound, tandem::kUnbounded);
  EXPECT_EQ(field(strings, "many").count, tandem::kUnbounded);
  const Field & nested = field(tandem::message_type<Sequences>(), "few_strings");
  EXPECT_EQ(nested.kind, FieldKind::kMessage);
  EXPECT_EQ(&nested.message(), &strings);
}

TEST(FieldTable, ResizesAnySequence) {
  Sequences message;
  const tandem::MessageType & type = tandem::message_type<Sequences>();
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & one = type.fields[i];
    ASSERT_EQ(one.resize_sequence != nullptr, one.shape == FieldShape::kSequence);
    if (one.resize_sequence != nullptr) {
      one.resize(reinterpret_cast<char *>(&message) + one.offset, 3);
    }
  }
  EXPECT_EQ(message.few_bool_values.size() + message.strings.size() + message.few_nested_values.size(), 9u);
  EXPECT_EQ(message.few_nested_values[2], Defaults());
  EXPECT_THROW(field(type, "few_strings").resize(&message.few_strings, 4), std::length_error);
  const Sequences copy = message;
  EXPECT_EQ(copy, message);
  type.assign(&message, &copy);
  EXPECT_EQ(copy, message);
}

TEST(ServiceType, NamesItsMessages) {
  const tandem::ServiceType & type = tandem::service_type<Describe>();
  EXPECT_STREQ(type.name, "interface_tests/srv/Describe");
  EXPECT_EQ(type.request, &tandem::message_type<Describe::Request>());
  EXPECT_EQ(type.response, &tandem::message_type<Describe::Response>());
  EXPECT_EQ(type.event, &tandem::message_type<Describe::Event>());
}

TEST(ServiceEvent, HoldsAtMostOneRequestAndOneResponse) {
  interface_tests::srv::Describe_Event event;
  EXPECT_EQ(event.info.event_type, service_msgs::msg::ServiceEventInfo::REQUEST_SENT);
  event.request.emplace_back();
  EXPECT_EQ(event.request[0].name, "all");
  EXPECT_THROW(event.request.emplace_back(), std::length_error);
  event.response.resize(1);
  EXPECT_THROW(event.response.resize(2), std::length_error);
  const tandem::MessageType & type = tandem::message_type<Describe::Event>();
  EXPECT_STREQ(type.name, "interface_tests/srv/Describe_Event");
  ASSERT_EQ(type.field_count, 3u);
  EXPECT_STREQ(type.fields[0].name, "info");
  EXPECT_STREQ(type.fields[1].name, "request");
  EXPECT_EQ(&type.fields[1].message(), &tandem::message_type<Describe::Request>());
  EXPECT_EQ(type.fields[2].count, 1u);
}

TEST(ActionType, NamesItsMessagesAndServices) {
  const tandem::ActionType & type = tandem::action_type<Fetch>();
  EXPECT_STREQ(type.name, "interface_tests/action/Fetch");
  EXPECT_EQ(type.goal, &tandem::message_type<Fetch::Goal>());
  EXPECT_EQ(type.result, &tandem::message_type<Fetch::Result>());
  EXPECT_EQ(type.feedback, &tandem::message_type<Fetch::Feedback>());
  EXPECT_EQ(type.send_goal, &tandem::service_type<Fetch::Impl::SendGoalService>());
  EXPECT_EQ(type.get_result, &tandem::service_type<Fetch::Impl::GetResultService>());
  EXPECT_EQ(type.feedback_message, &tandem::message_type<Fetch::Impl::FeedbackMessage>());
  EXPECT_STREQ(type.send_goal->request->name, "interface_tests/action/Fetch_SendGoal_Request");
}

TEST(Action, HoldsWhatItIsMadeOf) {
  namespace traits = rosidl_generator_traits;
  Fetch::Impl::SendGoalService::Request request;
  request.goal_id.uuid[15] = 1;
  EXPECT_EQ(request.goal.what, "all");
  EXPECT_EQ(Fetch::Goal::NOTHING, Fetch::Result::NOTHING);
  Fetch::Impl::GetResultService::Response response;
  response.status = action_msgs::msg::GoalStatus::STATUS_SUCCEEDED;
  response.result.found.resize(1);
  EXPECT_EQ(response.result.status, Fetch::Result::STATUS_DONE);
  EXPECT_EQ(to_yaml(Fetch::Feedback()), "progress: 0.00000\n");
  static_assert(std::is_same_v<Fetch::Impl::CancelGoalService, action_msgs::srv::CancelGoal>);
  static_assert(std::is_same_v<Fetch::Impl::GoalStatusMessage, action_msgs::msg::GoalStatusArray>);
  static_assert(traits::is_action<Fetch>::value && traits::is_action_goal<Fetch::Goal>::value);
  static_assert(traits::is_action_result<Fetch::Result>::value && traits::is_action_feedback<Fetch::Feedback>::value);
  static_assert(traits::is_service<Fetch::Impl::SendGoalService>::value);
  EXPECT_EQ(interface_tests::action::Wait::Goal(), interface_tests::action::Wait_Goal());
}
