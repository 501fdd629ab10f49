// What a filter expression is compiled to: tests, each with the test that follows if it is true and if it is not. Nothing
// recurses when a message is looked at.
#pragma once

#include <regex.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tandem/message_type.hpp"

namespace tandem::detail {

enum class Relation : std::uint8_t { kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kLike, kMatch };

/// How the two sides of a test compare.
enum class Domain : std::uint8_t {
  kSigned,    ///< both fit int64_t
  kInteger,   ///< one is a uint64_t
  kFloating,  ///< both are double's values
  kWide,      ///< a floating-point number with a 64-bit integer or a long double
  kText,
};

/// One step towards a field: to an offset, then perhaps to an element of the sequence there.
struct PathStep {
  std::size_t offset = 0;
  std::size_t element_size = 0;  ///< 0: no sequence
  std::size_t index = 0;
};

struct FilterOperand {
  bool is_field = false;
  FieldKind kind = FieldKind::kInt64;  ///< of a field; of a literal kBool, kInt64, kUint64, kFloat64 or kString
  std::vector<PathStep> path;
  std::int64_t integer = 0;  ///< a literal, as its kind says; of kUint64 its bits
  double floating = 0;
  std::string text;
};

using Pattern = std::unique_ptr<regex_t, void (*)(regex_t *)>;

struct FilterTest {
  FilterOperand left;
  FilterOperand right;
  Relation relation = Relation::kEqual;
  Domain domain = Domain::kSigned;
  Pattern pattern{nullptr, nullptr};  ///< of kMatch
  std::size_t if_true = 0;
  std::size_t if_false = 0;
};

struct FilterProgram {
  static constexpr std::size_t kAccept = static_cast<std::size_t>(-1);
  static constexpr std::size_t kReject = static_cast<std::size_t>(-2);

  std::vector<FilterTest> tests;
  std::size_t first = kAccept;
};

/// Compiles. \throws FilterError.
FilterProgram compile_filter(const MessageType & type, std::string_view expression,
                             const std::vector<std::string> & parameters);

/// A test of these operands. \param position  of the relation, for errors. \throws FilterError.
FilterTest make_test(FilterOperand left, Relation relation, FilterOperand right, std::size_t position);

}  // namespace tandem::detail
