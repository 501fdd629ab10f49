// tandem::String against std::string: random operations, layout, bounds, aliasing; and the ways in which source that
// was written for std types uses the two containers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tandem/heap.hpp"
#include "tandem/string.hpp"
#include "tandem/vector.hpp"

using tandem::BasicString;
using tandem::String;
using tandem::U16String;
using tandem::Vector;

static_assert(sizeof(String) == 24 && alignof(String) == 8 && std::is_standard_layout_v<String>);
static_assert(sizeof(U16String) == 24 && std::is_standard_layout_v<U16String>);
static_assert(std::is_nothrow_move_constructible_v<String> && std::is_nothrow_move_assignable_v<String>);
static_assert(std::is_nothrow_swappable_v<String> && std::is_nothrow_default_constructible_v<String>);
static_assert(std::is_convertible_v<String, std::string> && std::is_convertible_v<std::string, String>);
static_assert(std::is_convertible_v<String, std::string_view> && std::is_convertible_v<std::string_view, String>);
static_assert(std::is_convertible_v<const char *, String> && !std::is_convertible_v<int, String>);
static_assert(!std::is_convertible_v<String, std::wstring> && !std::is_convertible_v<String, U16String>);

namespace {

/// One random operation on a string of ours and on the std one that it must equal.
template <class Char>
class Twins {
 public:
  using Ours = BasicString<Char>;
  using Theirs = std::basic_string<Char>;

  explicit Twins(std::uint32_t seed) : random_(seed) {}

  void step() {
    const auto operation = static_cast<std::uint32_t>(random_() % 24);
    if (operation < 12) {
      both([&](auto & s, const auto & text) { change(s, text, operation); });
    } else if (operation < 20) {
      both([&](auto & s, const auto &) { splice_itself(s, operation); });
    } else {
      relocate();
    }
    if (theirs_.size() > 400) {
      ours_.clear();
      theirs_.clear();
    }
    ASSERT_TRUE(ours_ == theirs_) << "operation " << operation;
    ASSERT_EQ(ours_.c_str()[ours_.size()], Char()) << "operation " << operation;
    ASSERT_EQ(Theirs(ours_.c_str()), theirs_);
    look();
  }

 private:
  /// Draws once, applies to both.
  template <class Function>
  void both(Function function) {
    index_ = random_() % (theirs_.size() + 1);
    count_ = random_() % 12;
    source_ = random_() % (theirs_.size() + 1);
    c_ = static_cast<Char>('a' + random_() % 3);
    const Theirs text(random_() % 80 == 0 ? 90 : random_() % 9, c_);
    function(ours_, text);
    function(theirs_, text);
  }

  template <class String_>
  void change(String_ & s, const Theirs & text, std::uint32_t operation) const {
    const auto at = s.begin() + static_cast<std::ptrdiff_t>(index_);
    switch (operation) {
      case 0: s.push_back(c_); break;
      case 1: s.append(text).append(count_, c_); break;
      case 2: s.insert(index_, text); break;
      case 3: s.insert(at, count_, c_); break;
      case 4: s.insert(at, text.begin(), text.end()); break;
      case 5: s.erase(index_, count_); break;
      case 6: s.erase(at, s.end()); break;
      case 7: s.replace(index_, count_, text.c_str()); break;
      case 8: s.replace(index_, count_, count_, c_); break;
      case 9: s.resize(index_ + count_, c_); break;
      case 10: s = text; break;
      default: s.assign(text.c_str(), text.size() / 2), s += c_, s += text.c_str(); break;
    }
  }

  template <class String_>
  void splice_itself(String_ & s, std::uint32_t operation) const {
    const std::basic_string_view<Char> own(s.data() + source_, s.size() - source_);
    switch (operation) {
      case 12: s.append(s); break;
      case 13: s += own; break;
      case 14: s.insert(index_, own); break;
      case 15: s.replace(index_, count_, own); break;
      case 16: s.assign(own); break;
      case 17: s = s.c_str() + source_; break;
      case 18: s.reserve(source_ + 100), s.shrink_to_fit(); break;
      default: {
        auto & self = s;
        s = self;
        break;
      }
    }
  }

  void relocate() {
    auto moved = std::make_unique<Ours>(std::move(ours_));
    ASSERT_TRUE(ours_.empty());
    ASSERT_EQ(*ours_.c_str(), Char());
    Ours copy(*moved);
    std::swap(copy, *moved);
    ours_ = std::move(copy);
    ASSERT_TRUE(*moved == ours_);
    const Theirs out = *moved;
    ASSERT_EQ(out, theirs_);
  }

  void look() {
    const Theirs text(1 + random_() % 3, static_cast<Char>('a' + random_() % 3));
    const std::size_t from = random_() % (theirs_.size() + 2);
    ASSERT_EQ(ours_.find(text, from), theirs_.find(text, from));
    ASSERT_EQ(ours_.rfind(text), theirs_.rfind(text));
    ASSERT_EQ(ours_.find_first_of(text, from), theirs_.find_first_of(text, from));
    ASSERT_EQ(ours_.find_last_not_of(text[0]), theirs_.find_last_not_of(text[0]));
    ASSERT_EQ(ours_.compare(text) < 0, theirs_.compare(text) < 0);
    ASSERT_EQ(ours_ < text, theirs_ < text);
    if (from <= theirs_.size()) {
      ASSERT_EQ(ours_.substr(from, 5), theirs_.substr(from, 5));
    }
  }

  std::mt19937 random_;
  Ours ours_;
  Theirs theirs_;
  std::size_t index_ = 0, count_ = 0, source_ = 0;
  Char c_{};
};

template <class Char>
void run_twins() {
  const std::size_t in_use = tandem::heap_statistics().in_use;
  const std::uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::cout << "seed " << seed << std::endl;
  {
    Twins<Char> twins(seed);
    for (int i = 0; i < 20000 && !testing::Test::HasFatalFailure(); ++i) {
      twins.step();
    }
  }
  EXPECT_EQ(tandem::heap_statistics().in_use, in_use) << "memory was lost";
}

std::size_t length_of(const std::string & text) { return text.size(); }
std::size_t sum_of(const std::vector<int> & numbers) { return static_cast<std::size_t>(numbers.at(0) + numbers.at(1)); }

struct Message {
  String name;
  Vector<int> numbers;
  Vector<String> names;
  Vector<double, 4> bounded;
  Vector<std::uint8_t> data;
};

}  // namespace

TEST(String, EqualsStdString) { run_twins<char>(); }
TEST(String, EqualsStdU16String) { run_twins<char16_t>(); }

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
  std::stringstream stream;
  stream << s << ' ' << s;
  String word;
  stream >> word;
  EXPECT_EQ(word, "b");
}

TEST(String, HoldsZeroes) {
  const std::string with_zero("a\0b", 3);
  String s = with_zero;
  EXPECT_EQ(s.size(), 3u);
  s += s;
  EXPECT_EQ(std::string(s), with_zero + with_zero);
}

TEST(Idioms, OfStrings) {
  Message m;
  m.name = "map";                              // 1
  m.name = std::string("odom");                // 2
  m.name = std::string_view("odom");           // 3
  std::string out = m.name;                    // 4
  out = m.name;                                // 5
  const std::string & bound = m.name;          // 6
  const std::string_view view = m.name;        // 7
  EXPECT_EQ(length_of(m.name), 4u);            // 8
  EXPECT_EQ(std::strlen(m.name.c_str()), 4u);  // 9
  const std::string direct(m.name);            // 10
  EXPECT_TRUE(out == m.name && bound == m.name && view == m.name && direct == m.name);
  const std::string joined = m.name + "/" + std::to_string(1);  // 11
  EXPECT_EQ(joined, "odom/1");
  m.name += "_frame";                           // 12
  m.name = m.name.substr(0, m.name.find('_'));  // 13
  std::map<std::string, int> by_name;
  by_name[m.name] = 1;                             // 14
  EXPECT_EQ(by_name.count(m.name), 1u);            // 15
  EXPECT_NE(by_name.find(m.name), by_name.end());  // 16
  by_name.emplace(m.name, 2);                      // 17
  std::unordered_map<String, int> ours;
  ours[m.name]++;  // 18
  EXPECT_EQ(ours.at("odom"), 1);
  EXPECT_THROW(throw std::runtime_error(m.name), std::runtime_error);  // 19
  m.name = "12";
  EXPECT_EQ(std::stoi(m.name), 12);                                                                                // 20
  m.name = std::to_string(7);                                                                                      // 21
  m.name.assign("abc");                                                                                            // 22
  std::transform(m.name.begin(), m.name.end(), m.name.begin(), [](char c) { return static_cast<char>(c - 32); });  // 23
  EXPECT_EQ(m.name, "ABC");
  std::reverse(m.name.begin(), m.name.end());       // 24
  const std::optional<std::string> maybe = m.name;  // 25
  EXPECT_EQ(*maybe, "CBA");
  std::vector<std::string> list;
  list.push_back(m.name);                                              // 26
  list.emplace_back(m.name);                                           // 27
  EXPECT_NE(std::find(list.begin(), list.end(), m.name), list.end());  // 28
  const std::ifstream file(m.name);                                    // 29
  m.name = std::move(out);  // 30 NOLINT(performance-move-const-arg): it copies
  m.name = {};              // 31
  EXPECT_TRUE(m.name.empty());
  std::set<std::string> set{m.name, "x"};    // 32
  auto chosen = set.empty() ? m.name : "x";  // 33
  m.name.erase(0);                           // 34
  m.name.insert(0, 1, '/');                  // 35
  EXPECT_EQ(m.name + chosen, "/x");
  std::ostringstream stream;
  stream << "name: " << m.name;  // 36
  m.name = stream.str();         // 37
  for (const char c : m.name) {  // 38
    EXPECT_NE(c, '\0');
  }
  static_cast<void>(file.good());
}

TEST(Idioms, OfSequences) {
  Message m;
  m.numbers = {3, 1, 2};                                             // 1
  m.numbers = std::vector<int>{3, 1, 2};                             // 2
  std::vector<int> out = m.numbers;                                  // 3
  out = m.numbers;                                                   // 4
  const std::vector<int> direct(m.numbers);                          // 5
  const std::vector<int> range(m.numbers.begin(), m.numbers.end());  // 6
  EXPECT_EQ(sum_of(m.numbers), 4u);                                  // 7
  EXPECT_TRUE(out == m.numbers && m.numbers == direct && range == m.numbers);
  std::sort(m.numbers.begin(), m.numbers.end());                                         // 8
  EXPECT_EQ(std::accumulate(m.numbers.cbegin(), m.numbers.cend(), 0), 6);                // 9
  std::copy(out.begin(), out.end(), std::back_inserter(m.numbers));                      // 10
  m.numbers.erase(std::remove(m.numbers.begin(), m.numbers.end(), 3), m.numbers.end());  // 11
  EXPECT_EQ(m.numbers, (std::vector<int>{1, 2, 1, 2}));
  m.numbers.insert(m.numbers.end(), out.begin(), out.end());  // 12
  m.numbers.assign(out.rbegin(), out.rend());                 // 13
  m.numbers = {};                                             // 14
  m.numbers.resize(4, -1);                                    // 15
  std::fill(m.numbers.begin(), m.numbers.end(), 5);           // 16
  for (auto & n : m.numbers) {                                // 17
    n += 1;
  }
  EXPECT_EQ(std::size(m.numbers), 4u);                                          // 18
  EXPECT_EQ(*std::max_element(std::begin(m.numbers), std::end(m.numbers)), 6);  // 19
  m.names = {"a", "b"};                                                         // 20
  m.names = std::vector<std::string>{"c", "d"};                                 // 21
  const std::vector<std::string> names = m.names;                               // 22
  EXPECT_EQ(names[1], "d");
  m.names.push_back("e");                                                       // 23
  m.names.push_back(names[0]);                                                  // 24
  m.names.emplace_back(names[0]);                                               // 25
  m.names[0] = names[1];                                                        // 26
  EXPECT_NE(std::find(m.names.begin(), m.names.end(), "e"), m.names.end());     // 27
  const auto at = std::find(m.names.begin(), m.names.end(), std::string("e"));  // 28
  EXPECT_EQ(std::distance(m.names.begin(), at), 2);                             // 29
  for (const std::string name : m.names) {                                      // 30
    EXPECT_EQ(name.size(), 1u);
  }
  m.data.resize(8);
  const double value = 1.5;
  std::memcpy(m.data.data(), &value, sizeof value);                 // 31
  EXPECT_EQ(*reinterpret_cast<const double *>(&m.data[0]), value);  // 32
  const std::array<double, 3> array{1, 2, 3};
  m.bounded.assign(array.begin(), array.end());             // 33
  EXPECT_TRUE(m.bounded == array);                          // 34
  m.bounded = std::vector<double>(4);                       // 35
  EXPECT_THROW(m.bounded.push_back(1), std::length_error);  // 36
  std::vector<double> from_bounded{m.bounded};              // 37
  EXPECT_EQ(from_bounded.size(), 4u);
  const std::function<void(Message)> by_value = [](Message x) { x.numbers.clear(); };
  by_value(m);                                                  // 38
  Message moved = std::move(m);                                 // 39
  EXPECT_EQ(moved.numbers.front() + moved.numbers.back(), 12);  // 40
  const auto copy = std::make_shared<Message>(moved);           // 41
  std::swap(copy->names, moved.names);                          // 42
  EXPECT_EQ(copy->names, moved.names);
}
