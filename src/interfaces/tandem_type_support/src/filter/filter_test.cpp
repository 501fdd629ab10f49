// Which operands compare, and how.
#include <array>
#include <cmath>
#include <limits>

#include "filter/filter_lexer.hpp"
#include "filter/filter_program.hpp"

namespace tandem::detail {
namespace {

constexpr std::size_t kLongestPattern = 256;  // the compiler of regular expressions recurses

bool is_text(const FilterOperand & operand) { return operand.kind == FieldKind::kString; }
bool is_bool(const FilterOperand & operand) { return operand.kind == FieldKind::kBool; }
bool is_floating(const FilterOperand & operand) {
  return operand.kind == FieldKind::kFloat32 || operand.kind == FieldKind::kFloat64 ||
         operand.kind == FieldKind::kLongDouble;
}
bool is_long(const FilterOperand & operand) {
  const bool is_integer = operand.kind == FieldKind::kInt64 || operand.kind == FieldKind::kUint64;
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const bool is_small =
      !operand.is_field && operand.kind == FieldKind::kInt64 && operand.integer <= kExact && operand.integer >= -kExact;
  return (is_integer && !is_small) || operand.kind == FieldKind::kLongDouble;
}
bool is_character(const FilterOperand & operand) {
  return operand.is_field && (operand.kind == FieldKind::kChar || operand.kind == FieldKind::kOctet ||
                              operand.kind == FieldKind::kUint8 || operand.kind == FieldKind::kWchar);
}

/// A literal takes the kind of the field that it is compared with, where that loses nothing that is meant.
void adapt(FilterOperand & literal, const FilterOperand & field) {
  if (literal.is_field || !field.is_field) return;
  if (is_text(literal) && is_character(field) && literal.text.size() == 1) {
    literal.kind = FieldKind::kInt64;
    literal.integer = static_cast<unsigned char>(literal.text.front());
  }
  if (field.kind != FieldKind::kFloat32 || literal.kind != FieldKind::kFloat64) return;
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (std::abs(literal.floating) <= kLargest) literal.floating = static_cast<float>(literal.floating);
}

const char * kind_of(const FilterOperand & operand) {
  if (is_text(operand)) return "text";
  return is_bool(operand) ? "a bool" : "a number";
}

Pattern make_pattern(const std::string & text, std::size_t position) {
  if (text.size() > kLongestPattern) {
    throw FilterError(position, "the pattern of MATCH is longer than " + std::to_string(kLongestPattern));
  }
  auto compiled = std::make_unique<regex_t>();
  if (const int error = regcomp(compiled.get(), text.c_str(), REG_EXTENDED); error != 0) {
    std::array<char, 128> why{};
    regerror(error, compiled.get(), why.data(), why.size());
    throw FilterError(position, "'" + text + "' is no regular expression: " + why.data());
  }
  return {compiled.release(), [](regex_t * pattern) {
            regfree(pattern);
            delete pattern;
          }};
}

}  // namespace

FilterTest make_test(FilterOperand left, Relation relation, FilterOperand right, std::size_t position) {
  if (!left.is_field && !right.is_field) throw FilterError(position, "neither side of the comparison is a field");
  adapt(left, right);
  adapt(right, left);
  const bool is_pattern = relation == Relation::kLike || relation == Relation::kMatch;
  if (is_pattern && !(left.is_field && is_text(left) && !right.is_field && is_text(right))) {
    throw FilterError(position, "LIKE and MATCH compare a field that is text with a text in single quotes");
  }
  if (is_text(left) != is_text(right) || is_bool(left) != is_bool(right)) {
    throw FilterError(position, std::string("cannot compare ") + kind_of(left) + " with " + kind_of(right));
  }
  FilterTest test;
  if (is_text(left)) {
    test.domain = Domain::kText;
  } else if (is_floating(left) || is_floating(right)) {
    test.domain = is_long(left) || is_long(right) ? Domain::kWide : Domain::kFloating;
  } else {
    const bool is_unsigned = left.kind == FieldKind::kUint64 || right.kind == FieldKind::kUint64;
    test.domain = is_unsigned ? Domain::kInteger : Domain::kSigned;
  }
  if (relation == Relation::kMatch) test.pattern = make_pattern(right.text, position);
  test.relation = relation;
  test.left = std::move(left);
  test.right = std::move(right);
  return test;
}

}  // namespace tandem::detail
