// YAML both ways, and CSV.
#include "tandem/yaml.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../oracle/random_message.hpp"
#include "all_kinds.hpp"
#include "support.hpp"
#include "tandem/cdr.hpp"

namespace {

using test::type_of;

template <class Message>
std::string yaml(const Message & message, const tandem::YamlStyle & style = {}) {
  return tandem::to_yaml(type_of(message), &message, style);
}

template <class Message>
std::string read(const std::string & text, Message & message, std::optional<std::int64_t> now = std::nullopt) {
  const auto result = tandem::from_yaml(type_of(message), text, &message, now);
  return result ? "" : result.error();
}

std::string text_in_yaml(const std::string & text) {
  kinds::Text message;
  message.text = text;
  return yaml(message).substr(std::string("before: 0\ntext: ").size());
}

TEST(Yaml, LaysOutAsTopicEcho) {
  kinds::Shapes message;
  message.bools = {true, false, true};
  message.strings[1] = "two words";
  message.data = {1, 255};
  message.byte_list = {0, 'a', 200};
  message.doubles = {1, 0.1, 1e-7, 1e16, -std::numeric_limits<double>::infinity(), std::nan("")};
  message.points = {{1, 2}};
  message.texts.resize(2);
  message.nothings.resize(1);
  message.wide = u"\u00e9";
  EXPECT_EQ(yaml(message), R"(bools:
- true
- false
- true
wchars:
- "\0"
- "\0"
shorts:
- 0
- 0
- 0
mixed:
- small: 0
  wide: 0.0
  medium: 0
- small: 0
  wide: 0.0
  medium: 0
strings:
- ''
- two words
bool_list: []
byte_list:
- "\0"
- a
- È
data:
- 1
- 255
doubles:
- 1.0
- 0.1
- 1.0e-07
- 1.0e+16
- -.inf
- .nan
few: []
short_strings: []
wide: é
wides: []
points:
- x: 1.0
  y: 2.0
mixed_list: []
texts:
- before: 0
  text: ''
- before: 0
  text: ''
nothings:
- {}
point:
  x: 0.0
  y: 0.0
nothing: {}
last: 2.5
)");
}

TEST(Yaml, WritesFlowStyleInOneLine) {
  kinds::Text message;
  message.text = "a, b";
  EXPECT_EQ(yaml(message, {.flow = true}), "{before: 0, text: 'a, b'}\n");
  EXPECT_EQ(yaml(kinds::Nothing(), {.flow = true}), "{}\n");
  EXPECT_EQ(yaml(kinds::Nothing()), "{}\n");
}

TEST(Yaml, LeavesOutWhatIsNotWanted) {
  kinds::Shapes message;
  message.data.resize(1000);
  message.strings[0] = "a long text";
  message.strings[1] = "short";
  message.few = {1};
  const std::string text = yaml(message, {.no_arrays = true, .no_strings = true});
  EXPECT_NE(text.find("data: '<sequence type: uint8, length: 1000>'\n"), std::string::npos);
  EXPECT_NE(text.find("few: '<sequence type: int32[3], length: 1>'\n"), std::string::npos);
  EXPECT_NE(text.find("mixed: '<array type: kinds/msg/Mixed[2]>'\n"), std::string::npos);
  EXPECT_NE(text.find("wide: '<string length: <0>>'\n"), std::string::npos);
  const std::string cut = yaml(message, {.truncate_length = 5});
  EXPECT_NE(cut.find("strings:\n- a lon...\n- short\n"), std::string::npos) << cut;
  EXPECT_NE(cut.find("data:\n- 0\n- 0\n- 0\n- 0\n- 0\n- '...'\ndoubles"), std::string::npos) << cut;
}

TEST(Yaml, QuotesStringsWherePlainOnesWouldBeSomethingElse) {
  EXPECT_EQ(text_in_yaml("plain text, it's fine"), "plain text, it's fine\n");
  for (const char * const other :
       {"",     "yes", "null", "~",  "1",   "-1.5", "1.0e+3", "0x1F", "2020-01-02", "1:30", ".nan", "- a", "a: b",
        "a #b", "#a",  "[a",   "'a", "---", "a ",   " a",     "=",    "<<",         "@a",   "%a",   "!a"}) {
    EXPECT_EQ(text_in_yaml(other).front(), '\'') << other;
  }
  for (const char * const plain :
       {"1e3", "1e+3", "192.168.0.1", "a:b", "a#b", "-a", ":a", "base_link", "/robot/camera", "0.5m"}) {
    EXPECT_EQ(text_in_yaml(plain), plain + std::string("\n"));
  }
  EXPECT_EQ(text_in_yaml("two\nlines"), "'two\n\n  lines'\n");
  EXPECT_EQ(text_in_yaml("\n"), "\"\\n\"\n");
  EXPECT_EQ(text_in_yaml("tab\there"), "\"tab\\there\"\n");
  EXPECT_EQ(text_in_yaml("not \xFF UTF-8"), "not \xEF\xBF\xBD UTF-8\n");
}

TEST(Yaml, ReadsBackWhatItWrites) {
  std::mt19937_64 random(test::seed_of_this_run());
  for (int i = 0; i < 100; ++i) {
    kinds::All message;
    tandem::oracle::randomize(type_of(message), &message, random);
    const auto bytes = tandem::serialize(type_of(message), &message);
    for (const bool flow : {false, true}) {
      kinds::All copy;
      const std::string text = yaml(message, {.flow = flow});
      ASSERT_EQ(read(text, copy), "") << text;
      ASSERT_EQ(tandem::serialize(type_of(copy), &copy), bytes) << text << "\n became \n" << yaml(copy);
    }
  }
}

TEST(Yaml, KeepsWhatTheTextDoesNotName) {
  kinds::Text message;
  message.before = 7;
  EXPECT_EQ(read("{text: hi}", message), "");
  EXPECT_EQ(message.before, 7);
  EXPECT_EQ(message.text, "hi");
  for (const char * const nothing : {"", "{}", "null", "text:", "text: null"}) {
    EXPECT_EQ(read(nothing, message), "") << nothing;
    EXPECT_EQ(message.text, "hi");
  }
  EXPECT_EQ(read("text: 5", message), "");
  EXPECT_EQ(message.text, "5");
  EXPECT_EQ(read("text: 'null'", message), "");
  EXPECT_EQ(message.text, "null");
}

TEST(Yaml, ReadsNumbersInEveryForm) {
  kinds::Numbers n;
  EXPECT_EQ(read("{i8: -128, u8: 0xFF, i16: 0b101, u16: 1_000, i32: 3.0, u32: 1e3, i64: -9223372036854775808, "
                 "u64: 18446744073709551615, f32: 0.1, f64: 1e-400, a_bool: yes, a_byte: 5, a_char: x, a_wchar: é}",
                 n),
            "");
  EXPECT_EQ(n.i8, -128);
  EXPECT_EQ(n.u8, 255);
  EXPECT_EQ(n.i16, 5);
  EXPECT_EQ(n.u16, 1000);
  EXPECT_EQ(n.i32, 3);
  EXPECT_EQ(n.u32, 1000u);
  EXPECT_EQ(n.i64, INT64_MIN);
  EXPECT_EQ(n.u64, UINT64_MAX);
  EXPECT_EQ(n.f32, 0.1F);
  EXPECT_EQ(n.f64, 0.0);
  EXPECT_TRUE(n.a_bool);
  EXPECT_EQ(n.a_byte, 5);
  EXPECT_EQ(n.a_char, 'x');
  EXPECT_EQ(n.a_wchar, u'\u00e9');
  EXPECT_EQ(read("{f32: .inf, f64: -.inf, a_byte: '5', i32: +7, u32: 0, i64: 017, f128: .nan}", n), "");
  EXPECT_EQ(n.f32, std::numeric_limits<float>::infinity());
  EXPECT_EQ(n.f64, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(n.a_byte, '5');
  EXPECT_EQ(n.i32, 7);
  EXPECT_EQ(n.u32, 0u);
  EXPECT_EQ(n.i64, 15);
  EXPECT_TRUE(std::isnan(n.f128));
}

TEST(Yaml, SaysWhatIsWrongWithWhichField) {
  kinds::All all;
  EXPECT_EQ(read("{nope: 1}", all), "kinds/msg/All has no field 'nope'; its fields are: numbers, shapes, more");
  EXPECT_EQ(read("{numbers: {i8: 128}}", all), "field 'numbers.i8': '128' is out of range; int8 is needed");
  EXPECT_EQ(read("{numbers: {u8: -1}}", all), "field 'numbers.u8': '-1' is out of range; uint8 is needed");
  EXPECT_EQ(read("{numbers: {i8: 1.5}}", all), "field 'numbers.i8': '1.5' is no number; int8 is needed");
  EXPECT_EQ(read("{numbers: {i8: '1'}}", all), "field 'numbers.i8': '1' is text in quotes; int8 is needed");
  EXPECT_EQ(read("{numbers: {f32: 1e39}}", all), "field 'numbers.f32': '1e39' is out of range; float32 is needed");
  EXPECT_EQ(read("{numbers: {a_bool: 2}}", all),
            "field 'numbers.a_bool': '2' is neither true nor false; bool is needed");
  EXPECT_EQ(read("{numbers: 5}", all),
            "field 'numbers': '5' is no kinds/msg/Numbers, which is a map such as {a_bool: ...}");
  EXPECT_EQ(read("{shapes: {few: [1, 2, 3, 4]}}", all),
            "field 'shapes.few': a list of 4, at most 3 elements are allowed");
  EXPECT_EQ(read("{shapes: {bools: [true]}}", all), "field 'shapes.bools': a list of 1, but it has 3 elements");
  EXPECT_EQ(read("{shapes: {data: 5}}", all), "field 'shapes.data': '5' is no list");
  EXPECT_EQ(read("{shapes: {texts: [{}, {text: [1]}]}}", all), "field 'shapes.texts[1].text': a list is no string");
  EXPECT_EQ(read("{shapes: {short_strings: [hello]}}", all),
            "field 'shapes.short_strings[0]': a string of 5, at most 4 characters are allowed");
  EXPECT_EQ(read("{shapes: {short_strings: [hell]}}", all), "");
  EXPECT_THROW(all.shapes.short_strings[0].push_back('o'), std::length_error);
  EXPECT_EQ(read("hi", all), "'hi' is no kinds/msg/All, which is a map such as {numbers: ...}");
  EXPECT_EQ(read("{a: [}", all).substr(0, 19), "this is no YAML: li");
  EXPECT_NE(read(std::string(100'000, '['), all), "");
  EXPECT_NE(read(std::string(100'000, '{'), all), "");
}

TEST(Yaml, StartsElementsFromTheirDefaults) {
  kinds::Shapes message;
  message.texts.resize(1);
  message.texts[0].before = 9;
  EXPECT_EQ(read("texts: [{text: a}, {before: 2}]", message), "");
  ASSERT_EQ(message.texts.size(), 2u);
  EXPECT_EQ(message.texts[0].before, 0);
  EXPECT_EQ(message.texts[1].before, 2);
}

struct Time {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
};

struct Header {
  Time stamp;
  tandem::String frame_id;
};

struct Stamped {
  Header header;
  Time other;
};

}  // namespace

namespace tandem {

template <>
const MessageType & message_type<Time>() {
  static constexpr Field kFields[] = {
      {"sec", FieldKind::kInt32, FieldShape::kSingle, 0, 1, kUnbounded, nullptr, nullptr},
      {"nanosec", FieldKind::kUint32, FieldShape::kSingle, 4, 1, kUnbounded, nullptr, nullptr}};
  static constexpr MessageType kType = detail::make_message_type<Time>({"builtin_interfaces/msg/Time", {}, kFields, 2});
  return kType;
}

template <>
const MessageType & message_type<Header>() {
  static constexpr Field kFields[] = {
      {"stamp", FieldKind::kMessage, FieldShape::kSingle, 0, 1, kUnbounded, &message_type<Time>, nullptr},
      {"frame_id", FieldKind::kString, FieldShape::kSingle, 8, 1, kUnbounded, nullptr, nullptr}};
  static constexpr MessageType kType = detail::make_message_type<Header>({"std_msgs/msg/Header", {}, kFields, 2});
  return kType;
}

template <>
const MessageType & message_type<Stamped>() {
  static constexpr Field kFields[] = {
      {"header", FieldKind::kMessage, FieldShape::kSingle, 0, 1, kUnbounded, &message_type<Header>, nullptr},
      {"other", FieldKind::kMessage, FieldShape::kSingle, offsetof(Stamped, other), 1, kUnbounded, &message_type<Time>,
       nullptr}};
  static constexpr MessageType kType = detail::make_message_type<Stamped>({"test/msg/Stamped", {}, kFields, 2});
  return kType;
}

}  // namespace tandem

namespace {

TEST(Yaml, KnowsTheWordsForTheTimeOfPublishing) {
  Stamped message;
  EXPECT_EQ(read("{header: auto, other: now}", message, 3'000'000'007), "");
  EXPECT_EQ(message.header.stamp.sec, 3);
  EXPECT_EQ(message.header.stamp.nanosec, 7u);
  EXPECT_EQ(message.other.sec, 3);
  EXPECT_EQ(read("{header: {stamp: now, frame_id: map}}", message, 5'000'000'000), "");
  EXPECT_EQ(message.header.stamp.sec, 5);
  EXPECT_EQ(message.header.frame_id, "map");
  EXPECT_EQ(read("{header: auto}", message), "field 'header': 'auto' has no meaning here");
  EXPECT_NE(read("{header: now}", message, 1), "");
}

TEST(Csv, SeparatesValuesAsTopicEcho) {
  kinds::Shapes message;
  message.bools = {true, false, true};
  message.byte_list = {0, 'a', '\''};
  message.doubles = {0.5, 1e-7};
  message.strings[1] = "x";
  const std::string text = tandem::to_csv(tandem::value_of(type_of(message), &message));
  EXPECT_EQ(text.substr(0, 15), "True,False,True");
  EXPECT_NE(text.find(",,x,,b'\\x00',b'a',b\"'\",,0.5,1e-07,,"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto data = tandem::find_value(type_of(message), &message, "doubles");
  EXPECT_EQ(tandem::to_csv(*data, {.truncate_length = 1}), "0.5,...");
  EXPECT_EQ(tandem::to_csv(*data, {.no_arrays = true}), "<sequence type: float64, length: 2>");
}

TEST(Yaml, WritesPartsOfAMessage) {
  kinds::Shapes message;
  message.points = {{1, 2}};
  const auto part = [&](const char * path) {
    return tandem::to_yaml(*tandem::find_value(type_of(message), &message, path));
  };
  EXPECT_EQ(part("point"), "x: 0.0\ny: 0.0\n");
  EXPECT_EQ(part("points"), "- x: 1.0\n  y: 2.0\n");
  EXPECT_EQ(part("points[0].y"), "2.0\n");
  EXPECT_EQ(part("few"), "[]\n");
}

}  // namespace
