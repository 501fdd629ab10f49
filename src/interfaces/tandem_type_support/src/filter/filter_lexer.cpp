// Words by their first character.
#include "filter/filter_lexer.hpp"

#include <algorithm>

namespace tandem::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

template <class Predicate>
std::size_t run(std::string_view text, std::size_t from, const Predicate & goes_on) {
  while (from < text.size() && goes_on(text[from])) ++from;
  return from;
}

bool is_of_path(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '[' || c == ']'; }

/// A sign only at the beginning and behind an exponent's letter.
std::size_t number_length(std::string_view text) {
  std::size_t end = text[0] == '+' || text[0] == '-' ? 1 : 0;
  while (end < text.size()) {
    const bool is_sign = text[end] == '+' || text[end] == '-';
    const bool after_exponent = end > 0 && upper(text[end - 1]) == 'E';
    if (!is_digit(text[end]) && !is_letter(text[end]) && text[end] != '.' && !(is_sign && after_exponent)) break;
    ++end;
  }
  return end;
}

}  // namespace

bool Word::is(std::string_view keyword) const {
  return kind == WordKind::kName && std::equal(text.begin(), text.end(), keyword.begin(), keyword.end(),
                                               [](char a, char b) { return upper(a) == b; });
}

Word FilterLexer::take() {
  const Word taken = next_;
  advance();
  return taken;
}

void FilterLexer::advance() {
  rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(" \t\r\n")));
  next_ = {WordKind::kEnd, {}, whole_.size() - rest_.size()};
  if (rest_.empty()) return;
  const std::size_t length = length_of(next_.kind);
  next_.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
  if (next_.kind == WordKind::kParameter) next_.text.remove_prefix(1);
  if (next_.kind != WordKind::kText) return;
  next_.text.remove_prefix(1);
  next_.text.remove_suffix(1);
}

std::size_t FilterLexer::length_of(WordKind & kind) const {
  const char first = rest_.front();
  const char second = rest_.size() > 1 ? rest_[1] : '\0';
  if (first == '(' || first == ')') {
    kind = first == '(' ? WordKind::kOpen : WordKind::kClose;
    return 1;
  }
  if (first == '\'' || first == '`') {
    const std::size_t end = rest_.find('\'', 1);
    if (end == std::string_view::npos) throw FilterError(next_.position, "a text has no closing quote");
    kind = WordKind::kText;
    return end + 1;
  }
  if (first == '%') {
    kind = WordKind::kParameter;
    return run(rest_, 1, is_digit);
  }
  if (first == '<' || first == '>' || first == '=' || first == '!') {
    kind = WordKind::kOperator;
    return second == '=' || (first == '<' && second == '>') ? 2 : 1;
  }
  if (is_letter(first)) {
    kind = WordKind::kName;
    return run(rest_, 0, is_of_path);
  }
  if (is_digit(first) || first == '.' || first == '-' || first == '+') {
    kind = WordKind::kNumber;
    return number_length(rest_);
  }
  throw FilterError(next_.position, std::string("'") + first + "' begins nothing that is known");
}

}  // namespace tandem::detail
