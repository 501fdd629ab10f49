// From an expression to tests. Conditions nest by parentheses only so deep; the rest is loops.
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "fields/elements.hpp"
#include "filter/filter_lexer.hpp"
#include "filter/filter_program.hpp"
#include "tandem/introspection.hpp"

namespace tandem::detail {
namespace {

constexpr std::size_t kDeepest = 200;  // parentheses in each other

struct Condition {
  enum class Kind : std::uint8_t { kTest, kAll, kAny };
  Kind kind = Kind::kTest;
  bool is_negated = false;
  std::size_t test = 0;
  std::vector<Condition> parts;  ///< of kAll and kAny
};

class Compiler {
 public:
  Compiler(const MessageType & type, std::string_view expression, const std::vector<std::string> & parameters)
      : type_(type), lexer_(expression), parameters_(parameters) {}

  FilterProgram compile() {
    const Condition whole = any();
    if (lexer_.next().kind != WordKind::kEnd) {
      throw FilterError(lexer_.next().position, "expected AND, OR or the end, but found " + lexer_.next().shown());
    }
    program_.first = arrange(whole, FilterProgram::kAccept, FilterProgram::kReject, false);
    return std::move(program_);
  }

 private:
  bool accept(std::string_view keyword) {
    const bool is_next = lexer_.next().is(keyword);
    if (is_next) lexer_.take();
    return is_next;
  }

  Condition any() { return list(Condition::Kind::kAny, "OR", &Compiler::all); }
  Condition all() { return list(Condition::Kind::kAll, "AND", &Compiler::one); }

  Condition list(Condition::Kind kind, std::string_view keyword, Condition (Compiler::*part)()) {
    Condition first = (this->*part)();
    if (!lexer_.next().is(keyword)) return first;
    Condition result;
    result.kind = kind;
    result.parts.push_back(std::move(first));
    while (accept(keyword)) result.parts.push_back((this->*part)());
    return result;
  }

  Condition one() {
    bool is_negated = false;
    while (accept("NOT")) is_negated = !is_negated;
    Condition result;
    if (lexer_.next().kind == WordKind::kOpen) {
      const Word open = lexer_.take();
      if (++depth_ > kDeepest) {
        throw FilterError(open.position, "more than " + std::to_string(kDeepest) + " parentheses in each other");
      }
      result = any();
      --depth_;
      if (lexer_.next().kind != WordKind::kClose) {
        throw FilterError(lexer_.next().position, "expected ')', but found " + lexer_.next().shown());
      }
      lexer_.take();
    } else {
      result = comparison();
    }
    result.is_negated = result.is_negated != is_negated;
    return result;
  }

  Condition comparison() {
    FilterOperand left = operand();
    const Word word = lexer_.take();
    if (word.is("BETWEEN")) return between(std::move(left), word.position);
    if (word.is("NOT")) {
      const Word behind = lexer_.take();
      if (!behind.is("BETWEEN")) throw FilterError(behind.position, "expected BETWEEN after NOT");
      Condition result = between(std::move(left), behind.position);
      result.is_negated = true;
      return result;
    }
    const Relation relation = relation_of(word);
    return test(make_test(std::move(left), relation, operand(), word.position));
  }

  Condition between(FilterOperand && value, std::size_t position) {
    if (!value.is_field) throw FilterError(position, "what stands before BETWEEN is no field");
    Condition result;
    result.kind = Condition::Kind::kAll;
    result.parts.push_back(test(make_test(value, Relation::kGreaterOrEqual, operand(), position)));
    const Word word = lexer_.take();
    if (!word.is("AND")) throw FilterError(word.position, "expected AND and the upper end, but found " + word.shown());
    result.parts.push_back(test(make_test(std::move(value), Relation::kLessOrEqual, operand(), position)));
    return result;
  }

  Condition test(FilterTest && made) {
    program_.tests.push_back(std::move(made));
    Condition result;
    result.test = program_.tests.size() - 1;
    return result;
  }

  static Relation relation_of(const Word & word) {
    if (word.is("LIKE")) return Relation::kLike;
    if (word.is("MATCH")) return Relation::kMatch;
    constexpr std::array<std::pair<std::string_view, Relation>, 7> kOperators{{{"=", Relation::kEqual},
                                                                               {"<>", Relation::kUnequal},
                                                                               {"!=", Relation::kUnequal},
                                                                               {"<", Relation::kLess},
                                                                               {"<=", Relation::kLessOrEqual},
                                                                               {">", Relation::kGreater},
                                                                               {">=", Relation::kGreaterOrEqual}}};
    for (const auto & [text, relation] : kOperators) {
      if (word.kind == WordKind::kOperator && word.text == text) return relation;
    }
    throw FilterError(word.position,
                      "expected a comparison (= <> < <= > >= BETWEEN LIKE MATCH), but found " + word.shown());
  }

  FilterOperand operand() {
    const Word word = lexer_.take();
    if (word.kind == WordKind::kParameter) return parameter(word);
    if (word.kind == WordKind::kName && !word.is("TRUE") && !word.is("FALSE")) return field(word);
    return literal(word);
  }

  FilterOperand parameter(const Word & word) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), number);
    if (error != std::errc() || end != word.text.data() + word.text.size() || number > 99) {
      throw FilterError(word.position, "a parameter is % and a number from 0 to 99");
    }
    if (number >= parameters_.size()) {
      throw FilterError(word.position, "there is no parameter %" + std::to_string(number) + ", but only " +
                                           std::to_string(parameters_.size()));
    }
    FilterLexer lexer(parameters_[number]);
    const Word value = lexer.take();
    if (value.kind == WordKind::kEnd || value.kind == WordKind::kParameter || lexer.next().kind != WordKind::kEnd ||
        (value.kind == WordKind::kName && !value.is("TRUE") && !value.is("FALSE"))) {
      throw FilterError(word.position, "parameter %" + std::to_string(number) + " is \"" + parameters_[number] +
                                           "\", which is no number, TRUE, FALSE or text in single quotes");
    }
    return literal({value.kind, value.text, word.position});
  }

  static FilterOperand literal(const Word & word) {
    FilterOperand result;
    if (word.is("TRUE") || word.is("FALSE")) {
      result.kind = FieldKind::kBool;
      result.integer = word.is("TRUE") ? 1 : 0;
    } else if (word.kind == WordKind::kText) {
      result.kind = FieldKind::kString;
      result.text = word.text;
    } else if (word.kind == WordKind::kNumber) {
      number(word, result);
    } else {
      throw FilterError(word.position, "expected a field or a value, but found " + word.shown());
    }
    return result;
  }

  static void number(const Word & word, FilterOperand & result) {
    std::string_view digits = word.text;
    const bool is_negative = digits.front() == '-';
    if (digits.front() == '-' || digits.front() == '+') digits.remove_prefix(1);
    const bool is_hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (is_hex) digits.remove_prefix(2);
    const char * const end = digits.data() + digits.size();
    std::uint64_t magnitude = 0;
    const auto integer = std::from_chars(digits.data(), end, magnitude, is_hex ? 16 : 10);
    constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
    if (integer.ec == std::errc() && integer.ptr == end && (!is_negative || magnitude <= kSignBit)) {
      result.kind = magnitude < kSignBit || is_negative ? FieldKind::kInt64 : FieldKind::kUint64;
      result.integer = static_cast<std::int64_t>(is_negative ? -magnitude : magnitude);
      return;
    }
    const auto floating = std::from_chars(digits.data(), end, result.floating);
    if (is_hex || floating.ec != std::errc() || floating.ptr != end) {
      throw FilterError(word.position, word.shown() + " is no number, or too large for one");
    }
    result.kind = FieldKind::kFloat64;
    if (is_negative) result.floating = -result.floating;
  }

  /// A walk over the tables, as there is no message yet.
  FilterOperand field(const Word & word) const {
    FilterOperand result;
    result.is_field = true;
    result.path.emplace_back();
    const MessageType * type = &type_;
    std::string_view rest = word.text;
    for (;;) {
      if (type == nullptr)
        throw FilterError(word.position, word.shown() + " goes on behind a field that has no fields");
      const std::string_view name = rest.substr(0, rest.find_first_of(".[]"));
      const Field & found = find(*type, name, word);
      rest.remove_prefix(name.size());
      result.path.back().offset += found.offset;
      if (found.shape != FieldShape::kSingle) {
        index(found, rest, result.path, word);
      }
      type = message_of(found);
      if (rest.empty()) {
        result.kind = found.kind;
        break;
      }
      if (rest.front() != '.') throw FilterError(word.position, word.shown() + " is no field: a dot is missing");
      rest.remove_prefix(1);
    }
    if (type != nullptr) throw FilterError(word.position, word.shown() + " is a message; name one of its fields");
    if (result.kind == FieldKind::kWstring) {
      throw FilterError(word.position, word.shown() + " is a wstring, which filters cannot compare");
    }
    return result;
  }

  static const Field & find(const MessageType & type, std::string_view name, const Word & word) {
    std::string names;
    for (std::size_t i = 0; i < type.field_count; ++i) {
      if (name == type.fields[i].name) return type.fields[i];
      names += (i == 0 ? "" : ", ") + std::string(type.fields[i].name);
    }
    throw FilterError(word.position, std::string(type.name) + " has no field '" + std::string(name) +
                                         "'; its fields are: " + (names.empty() ? "none" : names));
  }

  static void index(const Field & found, std::string_view & rest, std::vector<PathStep> & path, const Word & word) {
    const std::size_t close = rest.find(']');
    std::size_t number = 0;
    if (rest.empty() || rest.front() != '[' || close == std::string_view::npos) {
      throw FilterError(word.position, word.shown() + " has many elements; name one by its index: [0]");
    }
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + close, number);
    if (error != std::errc() || end != rest.data() + close || number > found.count) {
      throw FilterError(word.position, word.shown() + " has an index that is none, or too large");
    }
    rest.remove_prefix(close + 1);
    if (found.shape == FieldShape::kSequence) {
      path.back().element_size = element_size(found);
      path.back().index = number;
      path.emplace_back();
    } else if (number < found.count) {
      path.back().offset += number * element_size(found);
    } else {
      throw FilterError(word.position, word.shown() + " has an index that is too large");
    }
  }

  /// Says of each test what follows. \return the first test, or where to go at once.
  std::size_t arrange(const Condition & condition, std::size_t if_true, std::size_t if_false, bool is_negated) {
    is_negated = is_negated != condition.is_negated;
    if (condition.kind == Condition::Kind::kTest) {
      auto & made = program_.tests[condition.test];
      made.if_true = is_negated ? if_false : if_true;
      made.if_false = is_negated ? if_true : if_false;
      return condition.test;
    }
    if (is_negated) std::swap(if_true, if_false);
    const bool all = condition.kind == Condition::Kind::kAll;
    std::size_t next = all ? if_true : if_false;
    for (auto part = condition.parts.rbegin(); part != condition.parts.rend(); ++part) {
      next = all ? arrange(*part, next, if_false, false) : arrange(*part, if_true, next, false);
    }
    return next;
  }

  const MessageType & type_;
  FilterLexer lexer_;
  const std::vector<std::string> & parameters_;
  FilterProgram program_;
  std::size_t depth_ = 0;
};

}  // namespace

FilterProgram compile_filter(const MessageType & type, std::string_view expression,
                             const std::vector<std::string> & parameters) {
  return Compiler(type, expression, parameters).compile();
}

}  // namespace tandem::detail
