// tandem::Vector: layout, bounds, aliasing, conversions, exceptions. test_vector_fuzz.cpp compares it with std::vector.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/heap.hpp"
#include "tandem/string.hpp"
#include "tandem/vector.hpp"
#include "tandem/vector_field.hpp"

using tandem::String;
using tandem::Vector;
using tandem::VectorField;

static_assert(sizeof(Vector<int>) == 24 && alignof(Vector<int>) == 8);
static_assert(sizeof(Vector<String, 7>) == 24 && std::is_standard_layout_v<Vector<String, 7>>);
static_assert(std::is_standard_layout_v<Vector<bool>> && std::is_same_v<Vector<bool>::reference, bool &>);
static_assert(std::is_nothrow_move_constructible_v<Vector<int>> && std::is_nothrow_move_assignable_v<Vector<int>>);
static_assert(std::is_nothrow_swappable_v<Vector<int>> && std::is_nothrow_default_constructible_v<Vector<int>>);
static_assert(std::is_convertible_v<std::vector<int>, Vector<int>>);
static_assert(std::is_convertible_v<Vector<int>, std::vector<int>>);
static_assert(std::is_convertible_v<std::vector<std::string>, Vector<String>>);
static_assert(std::is_convertible_v<Vector<Vector<String>>, std::vector<std::vector<std::string>>>);
static_assert(!std::is_convertible_v<std::vector<int>, Vector<double>>);
static_assert(!std::is_convertible_v<Vector<float>, std::vector<double>>);
static_assert(!std::is_convertible_v<std::size_t, Vector<int>>);

namespace {

/// An element that throws when the budget of constructions is used up, and counts those that live.
struct Fragile {
  explicit Fragile(int v = 0) : value(v) { count(); }
  Fragile(const Fragile & other) : value(other.value) { count(); }
  Fragile & operator=(const Fragile &) = default;
  ~Fragile() { --alive; }
  bool operator==(const Fragile & other) const { return value == other.value; }
  static void count() {
    if (budget-- == 0) {
      throw std::runtime_error("fragile");
    }
    ++alive;
  }
  int value;
  static inline int budget = 1 << 30;
  static inline int alive = 0;
};

}  // namespace

TEST(Vector, ZeroedMemoryIsEmpty) {
  alignas(Vector<String>) unsigned char memory[sizeof(Vector<String>)] = {};
  auto & v = *std::launder(reinterpret_cast<Vector<String> *>(memory));
  EXPECT_TRUE(v.empty());
  EXPECT_EQ(v.begin(), v.end());
  EXPECT_EQ(v.data(), nullptr);
  v.push_back("x");
  EXPECT_EQ(v.back(), "x");
  v.~Vector();
}

TEST(Vector, MovingKeepsTheElementsWhereTheyAre) {
  Vector<std::int64_t> a{1, 2, 3};
  const std::int64_t * const elements = a.data();
  a[0] = 10;
  auto b = std::make_unique<Vector<std::int64_t>>(std::move(a));
  EXPECT_EQ(b->data(), elements);
  EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): that it is empty is the promise
  EXPECT_EQ((*b)[0], 10);
  (*b)[0] = 11;
  Vector<std::int64_t> c;
  c.swap(*b);
  EXPECT_EQ(c.data(), elements);
  EXPECT_EQ(c[0], 11);
  std::vector<Vector<std::int64_t>> many;
  many.push_back(std::move(c));
  for (int i = 0; i < 100; ++i) {
    many.emplace_back(3, i);
  }
  EXPECT_EQ(many[0].data(), elements);
  EXPECT_EQ(many[0], (std::vector<std::int64_t>{11, 2, 3}));
}

TEST(Vector, SwapsItsCapacityWithAStdVector) {
  std::vector<double> theirs{1.0, 2.0};
  theirs.reserve(10);
  Vector<double> ours{3.0};
  ours.reserve(20);
  ours.swap(theirs);
  EXPECT_EQ(ours, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(ours.capacity(), 10u);
  EXPECT_EQ(theirs, std::vector<double>{3.0});
  EXPECT_GE(theirs.capacity(), 20u);
}

TEST(Vector, ElementsAreAlignedAndInTheHeap) {
  const Vector<double> v(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % alignof(double), 0u);
  EXPECT_TRUE(tandem::is_shared_allocation(v.data(), 100 * sizeof(double)));
  struct alignas(256) Wide {
    char byte;
  };
  const Vector<Wide> wide(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&wide[1]) % 256, 0u);
}

TEST(Vector, Nests) {
  Vector<Vector<Vector<String>>> v(2);
  v[1].emplace_back().push_back("deep");
  v.insert(v.begin(), 20, v[1]);
  const auto copy = v;
  v.erase(v.begin() + 1, v.begin() + 20);
  EXPECT_EQ(v.size(), 3u);
  EXPECT_EQ(copy.size(), 22u);
  EXPECT_EQ(v[2][0][0], "deep");
  const std::vector<std::vector<std::vector<std::string>>> theirs = copy;
  EXPECT_TRUE(theirs == copy);
  EXPECT_NE(theirs, v);
}

TEST(Vector, ABoundThrowsAndChangesNothing) {
  Vector<int, 3> v{1, 2, 3};
  const std::vector<int> before = v;
  const std::vector<int> four(4);
  EXPECT_THROW(v.push_back(4), std::length_error);
  EXPECT_THROW(v.emplace_back(), std::length_error);
  EXPECT_THROW(v.insert(v.begin(), 4), std::length_error);
  EXPECT_THROW(v.insert(v.begin(), four.begin(), four.end()), std::length_error);
  EXPECT_THROW(v.resize(4), std::length_error);
  EXPECT_THROW(v.reserve(4), std::length_error);
  EXPECT_THROW(v.assign(4, 0), std::length_error);
  EXPECT_THROW(v = four, std::length_error);
  EXPECT_THROW((v = {1, 2, 3, 4}), std::length_error);
  EXPECT_THROW((Vector<int, 3>(four)), std::length_error);
  std::istringstream numbers("1 2 3 4");
  EXPECT_THROW((Vector<int, 3>(std::istream_iterator<int>(numbers), {})), std::length_error);
  EXPECT_EQ(v, before);
  EXPECT_EQ(v.max_size(), 3u);
  EXPECT_LE(v.capacity(), 3u);
  const Vector<int> wider = v;
  v = wider;
  EXPECT_THROW(Vector<int>(std::size_t{1} << 62), std::length_error);
  EXPECT_THROW(Vector<char>(std::size_t{1} << 62), std::bad_alloc);
}

TEST(Vector, AtThrows) {
  Vector<int> v{1};
  EXPECT_EQ(v.at(0), 1);
  EXPECT_THROW(v.at(1), std::out_of_range);
  EXPECT_THROW(static_cast<void>(Vector<int>().at(0)), std::out_of_range);
}

TEST(Vector, AThrowingElementChangesAndLeaksNothing) {
  {
    Vector<Fragile> v;
    for (int i = 0; i < 10; ++i) {
      v.emplace_back(i);
    }
    v.shrink_to_fit();
    const std::vector<Fragile> before(v.begin(), v.end());
    const Fragile one(1);
    for (int budget = 0; budget < 11; ++budget) {
      Fragile::budget = budget;
      EXPECT_THROW(v.push_back(one), std::runtime_error);
      Fragile::budget = budget;
      EXPECT_THROW(v.resize(30), std::runtime_error);
      Fragile::budget = budget;
      EXPECT_THROW(v.insert(v.begin(), 3, one), std::runtime_error);
      Fragile::budget = budget < 10 ? budget : 9;
      EXPECT_THROW(v.reserve(20), std::runtime_error);
      Fragile::budget = budget < 10 ? budget : 9;
      EXPECT_THROW(Vector<Fragile>{v}, std::runtime_error);
      ASSERT_EQ(v, before);
    }
    Fragile::budget = 1 << 30;
  }
  EXPECT_EQ(Fragile::alive, 0);
}

TEST(Vector, TakesItsOwnElements) {
  Vector<String> v{"a", "b", "c"};
  for (int i = 0; i < 40; ++i) {
    v.push_back(v[0]);
    v.insert(v.begin() + 1, v.back());
    v.emplace(v.begin(), v[1]);
  }
  EXPECT_EQ(v.size(), 123u);
  v.assign(2, v[1]);
  EXPECT_EQ(v, (std::vector<std::string>{"a", "a"}));
  v.assign(50, v[1]);
  v.resize(200, v[0]);
  EXPECT_EQ(v[199], "a");
  v.assign(v.begin() + 198, v.end());
  EXPECT_EQ(v.size(), 2u);
  auto & self = v;
  v = std::move(self);
  EXPECT_EQ(v, (std::vector<std::string>{"a", "a"}));
}

TEST(Vector, CopiesLargeAmountsWhole) {
  constexpr std::size_t kSize = (std::size_t{8} << 20) + 77;
  const auto byte_at = [](std::size_t i) { return static_cast<std::uint8_t>(i * 31 + (i >> 9)); };
  Vector<std::uint8_t> v(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    v[i] = byte_at(i);
  }
  const Vector<std::uint8_t> copy(v);
  EXPECT_TRUE(copy == v);
  Vector<std::uint8_t> other{1, 2, 3};
  other.insert(other.end(), v.begin(), v.end());  // to an odd place
  EXPECT_TRUE(std::equal(v.begin(), v.end(), other.begin() + 3));
  other = v;
  EXPECT_TRUE(other == v);
  const std::uint8_t * const middle = v.data() + 1000;
  v.assign(middle, middle + kSize - 1000);  // of itself, overlapping
  ASSERT_EQ(v.size(), kSize - 1000);
  EXPECT_TRUE(std::equal(v.begin(), v.end(), copy.begin() + 1000));
}

TEST(Vector, OfBoolHoldsBools) {
  Vector<bool> v{true, false};
  bool & first = v[0];
  first = false;
  v = std::vector<bool>{true, true, false};
  bool * const data = v.data();
  data[2] = true;
  const std::vector<bool> theirs = v;
  EXPECT_EQ(theirs, (std::vector<bool>{true, true, true}));
  EXPECT_TRUE(v == theirs && theirs == v);
  v.resize(5);
  EXPECT_FALSE(v[4]);
}

TEST(Vector, Compares) {
  const Vector<int> v{1, 2};
  const Vector<int, 5> bounded{1, 2};
  EXPECT_TRUE(v == bounded && v <= bounded && v >= bounded && !(v != bounded) && !(v < bounded) && !(v > bounded));
  const std::array<int, 2> array{1, 3};
  EXPECT_TRUE(v < array && v != array && array > v);
  EXPECT_TRUE((std::vector<int>{0, 9} < v));
  const Vector<float> nan{std::numeric_limits<float>::quiet_NaN()};
  EXPECT_FALSE(nan == nan);
}

TEST(Vector, FieldsAreVectorsThatAStdVectorCanStandBeside) {
  using Doubles = Vector<double>;
  using Field = VectorField<Doubles>;
  using Strings = VectorField<Vector<String>>;
  static_assert(sizeof(Field) == 24 && std::is_standard_layout_v<Field> && std::is_base_of_v<Doubles, Field>);
  static_assert(std::is_nothrow_move_constructible_v<Field> && std::is_nothrow_move_assignable_v<Field>);
  static_assert(!std::is_convertible_v<std::vector<double>, Field>);
  static_assert(std::is_assignable_v<Field &, std::vector<double>> && std::is_assignable_v<Field &, Doubles>);
  static_assert(std::is_assignable_v<Strings &, std::vector<std::string>>);
  const std::vector<double> other = {1, 2};
  Field field;
  static_assert(std::is_same_v<decltype(field.empty() ? other : field), const std::vector<double>>);
  static_assert(std::is_same_v<decltype(field.empty() ? field : std::vector<double>()), std::vector<double>>);
  EXPECT_EQ(field.empty() ? other : field, other);
  field = other;
  EXPECT_EQ(field, other);
  field = {3.0};
  const double * const elements = field.data();
  const Doubles moved = std::move(field);
  EXPECT_EQ(moved.data(), elements);
  EXPECT_EQ(moved, std::vector<double>{3});
}

TEST(Vector, IteratorsAreThoseOfAStdVector) {
  static_assert(std::is_same_v<Vector<int>::iterator, std::vector<int>::iterator>);
  static_assert(std::is_same_v<Vector<String>::const_iterator, std::vector<String>::const_iterator>);
  static_assert(std::is_same_v<Vector<bool>::iterator, bool *>);
  Vector<int> v = {1, 2, 3};
  const std::vector<int>::iterator second = v.erase(v.begin());
  EXPECT_EQ(&*second, v.data());
  const Vector<int> copy(second, v.end());
  EXPECT_EQ(copy, (std::vector<int>{2, 3}));
}

TEST(RawContainer, ReadsWhatAContainerHolds) {
  using tandem::detail::RawContainer;
  Vector<std::int32_t> v;
  EXPECT_FALSE(RawContainer(&v).has_block());
  EXPECT_EQ(RawContainer(&v).data(), nullptr);
  EXPECT_TRUE(RawContainer(&v).is_plausible(4, 0));
  v.reserve(10);
  v.assign({1, 2, 3});
  const RawContainer raw(&v);
  EXPECT_EQ(raw.data(), v.data());
  EXPECT_EQ(raw.used_bytes(), 3 * sizeof(std::int32_t));
  EXPECT_EQ(raw.block_bytes(), v.capacity() * sizeof(std::int32_t));
  EXPECT_TRUE(raw.is_plausible(4, 0) && !raw.is_plausible(8, 0) && !raw.is_plausible(4, 8));
  String s = "text";
  s.shrink_to_fit();
  const RawContainer text(&s);
  EXPECT_TRUE(text.data() == s.data() && text.used_bytes() == 4 && text.block_bytes() == 5);
  EXPECT_TRUE(text.is_plausible(1, 1) && !text.is_plausible(1, 2));
}

TEST(RawContainer, FindsWhatNoContainerHolds) {
  using tandem::detail::RawContainer;
  const auto is_plausible = [](long long begin, long long end, long long limit) {
    const long long words[3] = {begin, end, limit};
    return RawContainer(words).is_plausible(4, 1);
  };
  EXPECT_TRUE(is_plausible(0, 0, 0));
  EXPECT_TRUE(is_plausible(64, 72, 76));
  EXPECT_TRUE(is_plausible(-64, -64, -60));
  EXPECT_FALSE(is_plausible(0, 8, 16));
  EXPECT_FALSE(is_plausible(0, 0, 4));
  EXPECT_FALSE(is_plausible(64, 60, 128));  // ends before it begins
  EXPECT_FALSE(is_plausible(64, 72, 68));   // beyond the block
  EXPECT_FALSE(is_plausible(64, 72, 72));   // no room for the terminator
  EXPECT_FALSE(is_plausible(64, 70, 128));  // half an element
  EXPECT_FALSE(is_plausible(64, std::numeric_limits<long long>::min(), 128));
  EXPECT_FALSE(is_plausible(1, std::numeric_limits<long long>::max(), -1));
}
