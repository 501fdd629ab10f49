// tandem::Vector against std::vector: random operations on both. Run twice, once with sanitizers over private memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/heap.hpp"
#include "tandem/string.hpp"
#include "tandem/vector.hpp"

using tandem::String;
using tandem::Vector;

namespace {

/// A number as an element: itself, a string, or a sequence of such, so that all kinds of code paths are taken.
template <class T>
T element(std::uint32_t number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else if constexpr (!std::is_constructible_v<T, const char *>) {
    return T(number % 5, element<typename T::value_type>(number));
  } else {
    return T(std::string(number % 40, static_cast<char>('a' + number % 26)).c_str());
  }
}

/// One random operation on a Vector and on the std::vector it must equal.
template <class Ours, class Theirs>
class Twins {
 public:
  explicit Twins(std::uint32_t seed) : random_(seed) {}

  void step() {
    const std::uint32_t operation = draw() % 21;
    if (operation < 8) {
      add(operation);
    } else if (operation < 14) {
      change(operation);
    } else {
      exchange(operation);
    }
    if (theirs_.size() > 300) {
      ours_.clear();
      theirs_.clear();
    }
    ASSERT_EQ(ours_.size(), theirs_.size()) << "operation " << operation;
    ASSERT_TRUE(ours_ == theirs_ && theirs_ == ours_) << "operation " << operation;
    ASSERT_EQ(ours_ < theirs_other_, theirs_ < theirs_other_);
    ASSERT_GE(ours_.capacity(), ours_.size());
  }

 private:
  using Mine = typename Ours::value_type;
  using Yours = typename Theirs::value_type;

  std::uint32_t draw() { return static_cast<std::uint32_t>(random_()); }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  std::ptrdiff_t place() { return static_cast<std::ptrdiff_t>(below(theirs_.size() + 1)); }

  void add(std::uint32_t operation) {
    const std::uint32_t number = draw();
    const std::size_t count = below(9);
    const std::ptrdiff_t at = place();
    switch (operation) {
      case 0: ours_.push_back(element<Mine>(number)), theirs_.push_back(element<Yours>(number)); break;
      case 1: ours_.emplace_back(element<Mine>(number)), theirs_.emplace_back(element<Yours>(number)); break;
      case 2:
        same(ours_.insert(ours_.begin() + at, element<Mine>(number)), at),
            theirs_.insert(theirs_.begin() + at, element<Yours>(number));
        break;
      case 3:
        same(ours_.insert(ours_.begin() + at, count, element<Mine>(number)), at),
            theirs_.insert(theirs_.begin() + at, count, element<Yours>(number));
        break;
      case 4: {
        const std::vector<Yours> more(count, element<Yours>(number));
        same(ours_.insert(ours_.cbegin() + at, more.begin(), more.end()), at);
        theirs_.insert(theirs_.begin() + at, more.begin(), more.end());
        break;
      }
      case 5: {  // a range of its own: std needs a copy
        const auto from = static_cast<std::ptrdiff_t>(below(theirs_.size() + 1));
        const std::vector<Yours> more(theirs_.begin() + from, theirs_.end());
        same(ours_.insert(ours_.begin() + at, ours_.begin() + from, ours_.end()), at);
        theirs_.insert(theirs_.begin() + at, more.begin(), more.end());
        break;
      }
      case 6:
        if (!theirs_.empty()) {
          const std::size_t i = below(theirs_.size());
          ours_.push_back(ours_[i]);
          theirs_.push_back(Yours(theirs_[i]));
          ours_.insert(ours_.begin() + at, ours_[i]);
          theirs_.insert(theirs_.begin() + at, Yours(theirs_[i]));
        }
        break;
      default: ours_.emplace(ours_.begin() + at), theirs_.emplace(theirs_.begin() + at); break;
    }
  }

  void change(std::uint32_t operation) {
    const std::uint32_t number = draw();
    const std::size_t count = below(2 * theirs_.size() + 5);
    const std::ptrdiff_t first = place();
    const std::ptrdiff_t last =
        first + static_cast<std::ptrdiff_t>(below(theirs_.size() - static_cast<std::size_t>(first) + 1));
    switch (operation) {
      case 8: ours_.resize(count), theirs_.resize(count); break;
      case 9: ours_.resize(count, element<Mine>(number)), theirs_.resize(count, element<Yours>(number)); break;
      case 10: ours_.assign(count, element<Mine>(number)), theirs_.assign(count, element<Yours>(number)); break;
      case 11:
        same(ours_.erase(ours_.begin() + first, ours_.begin() + last), first),
            theirs_.erase(theirs_.begin() + first, theirs_.begin() + last);
        break;
      case 12:
        if (static_cast<std::size_t>(first) < theirs_.size()) {
          same(ours_.erase(ours_.begin() + first), first);
          theirs_.erase(theirs_.begin() + first);
        }
        break;
      default:
        if (!theirs_.empty()) {
          ours_.pop_back();
          theirs_.pop_back();
        }
        break;
    }
  }

  void exchange(std::uint32_t operation) {
    switch (operation) {
      case 14: ours_.reserve(below(400)); break;
      case 15: ours_.shrink_to_fit(); break;
      case 16: {  // through copies and moves to other addresses
        auto moved = std::make_unique<Ours>(std::move(ours_));
        ASSERT_TRUE(ours_.empty());
        Ours copy(*moved);
        ours_ = copy;
        ASSERT_TRUE(*moved == ours_);
        copy = std::move(*moved);
        ours_ = std::move(copy);
        break;
      }
      case 17: {
        Ours & self = ours_;
        ours_ = self;
        std::swap(ours_, ours_other_);
        std::swap(theirs_, theirs_other_);
        break;
      }
      case 18: {
        const Theirs copy = ours_;
        ours_ = copy;
        break;
      }
      case 19: {
        Theirs other = theirs_other_;
        ours_.swap(other);
        ASSERT_EQ(other, theirs_);
        theirs_ = theirs_other_;
        break;
      }
      default: {
        const std::list<Yours> list(theirs_other_.begin(), theirs_other_.end());
        ours_.assign(list.begin(), list.end());
        theirs_.assign(list.begin(), list.end());
        break;
      }
    }
  }

  void same(typename Ours::iterator got, std::ptrdiff_t index) { ASSERT_EQ(got - ours_.begin(), index); }

  std::mt19937 random_;
  Ours ours_, ours_other_;
  Theirs theirs_, theirs_other_;
};

template <class Ours, class Theirs>
void run_twins() {
  const std::size_t in_use = tandem::heap_statistics().in_use;
  const std::uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::cout << "seed " << seed << std::endl;
  {
    Twins<Ours, Theirs> twins(seed);
    for (int i = 0; i < 20000 && !testing::Test::HasFatalFailure(); ++i) {
      twins.step();
    }
  }
  EXPECT_EQ(tandem::heap_statistics().in_use, in_use) << "memory was lost";
}

}  // namespace

TEST(VectorFuzz, Numbers) { run_twins<Vector<int>, std::vector<int>>(); }
TEST(VectorFuzz, Bytes) { run_twins<Vector<std::uint8_t>, std::vector<std::uint8_t>>(); }
TEST(VectorFuzz, Strings) { run_twins<Vector<String>, std::vector<std::string>>(); }
TEST(VectorFuzz, Nested) { run_twins<Vector<Vector<String>>, std::vector<std::vector<std::string>>>(); }
