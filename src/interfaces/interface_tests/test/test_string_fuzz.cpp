// tandem::String against std::string: random operations on both. Run twice, once with sanitizers over private memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "tandem/heap.hpp"
#include "tandem/string.hpp"

using tandem::BasicString;

namespace {

/// One random operation on a string of ours and on the std one that it must equal.
template <class Char>
class Twins {
 public:
  using Ours = BasicString<Char>;
  using Theirs = std::basic_string<Char>;

  explicit Twins(std::uint32_t seed) : random_(seed) {}

  void step() {
    const auto operation = static_cast<std::uint32_t>(random_() % 28);
    if (operation < 15) {
      both([&](auto & s, const auto & text) { change(s, text, operation); });
    } else if (operation < 23) {
      both([&](auto & s, const auto &) { splice_itself(s, operation - 3); });
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
      case 10: s = text, s.assign(text), s.assign(s); break;
      case 11: s.replace(index_, count_, text, text.size() / 2, count_); break;
      case 12: s.replace(at, s.end(), count_, c_); break;
      case 13: s.replace(s.begin(), at, {c_, Char('z'), c_}); break;
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
    Theirs other(3, Char('z'));
    moved->swap(other);
    ASSERT_EQ(other, theirs_);
    ASSERT_EQ(*moved, Theirs(3, Char('z')));
  }

  void look() {
    const Theirs text(1 + random_() % 3, static_cast<Char>('a' + random_() % 3));
    const std::size_t from = random_() % (theirs_.size() + 2);
    ASSERT_EQ(ours_.find(text, from), theirs_.find(text, from));
    ASSERT_EQ(ours_.rfind(text), theirs_.rfind(text));
    ASSERT_EQ(ours_.find_first_of(text, from), theirs_.find_first_of(text, from));
    ASSERT_EQ(ours_.find_first_not_of(text.c_str(), from, 1), theirs_.find_first_not_of(text.c_str(), from, 1));
    ASSERT_EQ(ours_.find_last_of(text.c_str(), from, 1), theirs_.find_last_of(text.c_str(), from, 1));
    ASSERT_EQ(ours_.starts_with(text), theirs_.compare(0, text.size(), text) == 0);
    ASSERT_EQ(ours_.ends_with(text),
              theirs_.size() >= text.size() && theirs_.compare(theirs_.size() - text.size(), text.size(), text) == 0);
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

}  // namespace

TEST(StringFuzz, Char) { run_twins<char>(); }
TEST(StringFuzz, Char16) { run_twins<char16_t>(); }
