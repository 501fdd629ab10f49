// Which messages a subscription wants, by a condition on their fields.
//
// The language is that of DDS's ContentFilteredTopic, a part of SQL:
//
//   condition   condition AND condition · condition OR condition · NOT condition · ( condition ) · comparison
//   comparison  operand = <> != < <= > >= operand · field [NOT] BETWEEN operand AND operand
//               field LIKE text · field MATCH text
//   operand     field · literal · %0 ... %99, which stands for the literal that is the parameter of this number
//   field       a · a.b · a[2].b
//   literal     12 · 0x1F · -2.5e3 · 'text' · TRUE · FALSE
//
// NOT binds stronger than AND, AND stronger than OR. Keywords are of either case. LIKE knows % for any text and _ for one
// byte; MATCH takes a POSIX extended regular expression for the whole text. Numbers compare by value; text by its
// bytes; a literal is rounded to float32 when it is compared with such a field. A char or a byte also compares with a text of
// one character. An element that a sequence does not have compares false.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "tandem/message_type.hpp"

namespace tandem {

namespace detail {
struct FilterProgram;
}

/// Immutable, cheap to copy, thread-safe.
class ContentFilter {
 public:
  /// \param type  outlives the filter. \return an error that names the place in the expression, for people.
  static tl::expected<ContentFilter, std::string> compile(const MessageType & type, std::string_view expression,
                                                          const std::vector<std::string> & parameters);

  /// \param message  of the type. Allocates nothing, but for MATCH.
  bool matches(const void * message) const noexcept;

 private:
  explicit ContentFilter(std::shared_ptr<const detail::FilterProgram> program) : program_(std::move(program)) {}

  std::shared_ptr<const detail::FilterProgram> program_;
};

}  // namespace tandem
