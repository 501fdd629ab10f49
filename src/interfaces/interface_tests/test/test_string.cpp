// tandem::String: layout, bounds, conversions. test_string_fuzz.cpp compares it with std::string.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tandem/heap.hpp"
#include "tandem/string.hpp"
#include "tandem/string_field.hpp"

using tandem::BasicString;
using tandem::String;
using tandem::StringField;
using tandem::U16String;

static_assert(sizeof(String) == 24 && alignof(String) == 8 && std::is_standard_layout_v<String>);
static_assert(sizeof(U16String) == 24 && std::is_standard_layout_v<U16String>);
static_assert(std::is_nothrow_move_constructible_v<String> && std::is_nothrow_move_assignable_v<String>);
static_assert(std::is_nothrow_swappable_v<String> && std::is_nothrow_default_constructible_v<String>);
static_assert(std::is_convertible_v<String, std::string> && std::is_convertible_v<std::string, String>);
static_assert(std::is_convertible_v<String, std::string_view> && std::is_convertible_v<std::string_view, String>);
static_assert(std::is_convertible_v<const char *, String> && !std::is_convertible_v<int, String>);
static_assert(!std::is_convertible_v<String, std::wstring> && !std::is_convertible_v<String, U16String>);

TEST(String, ZeroedMemoryIsEmpty) {
  alignas(U16String) unsigned char memory[sizeof(U16String)] = {};
  auto & s = *std::launder(reinterpret_cast<U16String *>(memory));
  EXPECT_TRUE(s.empty());
  EXPECT_EQ(s.c_str()[0], u'\0');
  EXPECT_GE(reinterpret_cast<const unsigned char *>(s.c_str()), memory);
  s += u"ab";
  EXPECT_EQ(s, u"ab");
  s.~BasicString();
}

TEST(String, MovingKeepsTheCharactersWhereTheyAre) {
  String a = "x";
  const char * const characters = a.c_str();
  EXPECT_TRUE(tandem::is_shared_allocation(characters, 2));
  auto b = std::make_unique<String>(std::move(a));
  EXPECT_EQ(b->c_str(), characters);
  (*b)[0] = 'y';
  String c;
  c = std::move(*b);
  EXPECT_EQ(c.c_str(), characters);
  EXPECT_EQ(c, "y");
  EXPECT_STREQ(a.c_str(), "");  // NOLINT(bugprone-use-after-move): that it is empty is the promise
}

TEST(String, ABoundThrowsAndChangesNothing) {
  BasicString<char, 3> s = "abc";
  EXPECT_THROW(s += 'd', std::length_error);
  EXPECT_THROW(s.push_back('d'), std::length_error);
  EXPECT_THROW(s = "abcd", std::length_error);
  EXPECT_THROW(s.append(1, 'd'), std::length_error);
  EXPECT_THROW(s.insert(0, "d"), std::length_error);
  EXPECT_THROW(s.insert(0, 1, 'd'), std::length_error);
  EXPECT_THROW(s.resize(4), std::length_error);
  EXPECT_THROW(s.reserve(4), std::length_error);
  EXPECT_THROW(s.assign(4, 'x'), std::length_error);
  EXPECT_THROW(s.replace(0, 1, 2, 'x'), std::length_error);
  EXPECT_THROW((BasicString<char, 3>(std::string("abcd"))), std::length_error);
  EXPECT_EQ(s, "abc");
  s.replace(0, 2, "x");
  EXPECT_EQ(s, "xc");
  EXPECT_LE(s.capacity(), 3u);
  String wider = s;
  s = wider;
  EXPECT_EQ(s, wider);
}

TEST(String, PositionsAreChecked) {
  String s = "abc";
  EXPECT_THROW(s.at(3), std::out_of_range);
  EXPECT_THROW(s.insert(4, "x"), std::out_of_range);
  EXPECT_THROW(s.erase(4), std::out_of_range);
  EXPECT_THROW(s.replace(4, 1, "x"), std::out_of_range);
  EXPECT_THROW(s.substr(4), std::out_of_range);
  EXPECT_THROW(String(s, 4), std::out_of_range);
  EXPECT_THROW(String(std::size_t{1} << 62, 'x'), std::bad_alloc);
  EXPECT_EQ(s[3], '\0');
}

TEST(String, ComparesAndConcatenates) {
  const String s = "b";
  const std::string t = "b";
  const std::string_view v = "b";
  EXPECT_TRUE(s == t && t == s && s == v && v == s && s == "b" && "b" == s && s == s);
  EXPECT_TRUE(s != "c" && "a" < s && s < "c" && s >= t && t <= s && s > std::string("a"));
  EXPECT_EQ("a" + s + 'c' + s + std::string("d"), "abcbd");
  EXPECT_EQ(t + s, "bb");
  EXPECT_EQ(v + s, "bb");
  EXPECT_EQ('a' + s, "ab");
  EXPECT_EQ(std::hash<String>()(s), std::hash<std::string>()(t));
  const std::array<String, 2> ours{"a", "b"};
  const std::array<std::string, 2> theirs{"a", "b"};
  EXPECT_TRUE(ours == theirs && theirs == ours && ours == ours && !(ours != theirs) && !(theirs != ours));
  std::stringstream stream;
  stream << s << ' ' << s;
  String word;
  stream >> word;
  EXPECT_EQ(word, "b");
}

TEST(String, AssignsWhatConvertsToStdString) {
  String s = "a longer text than the path's";
  EXPECT_EQ(s = std::filesystem::path("/maps") / "rooms.yaml", "/maps/rooms.yaml");
  StringField<String> field;
  field = std::filesystem::path("/tmp");
  EXPECT_EQ(field, "/tmp");
  static_assert(!std::is_assignable_v<String &, int *> && !std::is_assignable_v<String &, std::wstring>);
}

TEST(String, HoldsZeroes) {
  const std::string with_zero("a\0b", 3);
  String s = with_zero;
  EXPECT_EQ(s.size(), 3u);
  s += s;
  EXPECT_EQ(std::string(s), with_zero + with_zero);
}

TEST(String, FieldsAreStringsThatAStdStringCanStandBeside) {
  using Field = StringField<String>;
  static_assert(sizeof(Field) == 24 && std::is_standard_layout_v<Field> && std::is_base_of_v<String, Field>);
  static_assert(std::is_nothrow_move_constructible_v<Field> && std::is_nothrow_move_assignable_v<Field>);
  static_assert(!std::is_convertible_v<std::string, Field> && std::is_assignable_v<Field &, std::string>);
  static_assert(!std::is_convertible_v<std::string, StringField<BasicString<char, 5>>>);
  const std::string text = "text";
  Field field = "field";
  static_assert(std::is_same_v<decltype(field.empty() ? text : field), const std::string>);
  static_assert(std::is_same_v<decltype(field.empty() ? field : std::string()), std::string>);
  EXPECT_EQ(field.empty() ? text : field, "field");
  EXPECT_EQ(std::hash<Field>()(field), std::hash<std::string>()("field"));
  const char * const characters = field.c_str();
  String string = std::move(field);
  EXPECT_EQ(string.c_str(), characters);
  field = std::move(string);
  EXPECT_EQ(field.c_str(), characters);
  field = text;
  EXPECT_EQ(field, text);
}
