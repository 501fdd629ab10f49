// The words of a filter expression.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tandem::detail {

/// Why an expression is none. Leaves ContentFilter::compile() as its error.
class FilterError : public std::runtime_error {
 public:
  FilterError(std::size_t position, const std::string & what)
      : std::runtime_error("at character " + std::to_string(position + 1) + ": " + what) {}
};

enum class WordKind { kEnd, kName, kNumber, kText, kParameter, kOperator, kOpen, kClose };

struct Word {
  WordKind kind = WordKind::kEnd;
  std::string_view text;     ///< of a text without its quotes, of a parameter without its %
  std::size_t position = 0;  ///< from 0

  /// Of a name: whether it is this keyword, which is given in capitals.
  bool is(std::string_view keyword) const;
  /// For people.
  std::string shown() const { return kind == WordKind::kEnd ? "the end" : "'" + std::string(text) + "'"; }
};

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view expression) : rest_(expression), whole_(expression) { advance(); }
  const Word & next() const { return next_; }
  Word take();

 private:
  void advance();
  std::size_t length_of(WordKind & kind) const;

  std::string_view rest_;
  const std::string_view whole_;
  Word next_;
};

}  // namespace tandem::detail
