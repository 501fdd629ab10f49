// Looking at messages.
#include "tandem/content_filter.hpp"

#include "fields/elements.hpp"
#include "filter/filter_lexer.hpp"
#include "filter/filter_program.hpp"

namespace tandem {
namespace {

using namespace detail;

__extension__ using Integer = __int128;

/// Where a field is; null when a sequence has no such element.
const void * locate(const FilterOperand & operand, const void * message) noexcept {
  const char * at = static_cast<const char *>(message);
  for (const PathStep & step : operand.path) {
    at += step.offset;
    if (step.element_size == 0) continue;
    const RawContainer container(at);
    if (step.index >= container.used_bytes() / step.element_size) return nullptr;
    at = static_cast<const char *>(container.data()) + step.index * step.element_size;
  }
  return at;
}

/// \return whether there is a value.
template <class T>
bool load_number(const FilterOperand & operand, const void * message, T & value) noexcept {
  if (!operand.is_field) {
    if (operand.kind == FieldKind::kFloat64) {
      value = static_cast<T>(operand.floating);
    } else if (operand.kind == FieldKind::kUint64) {
      value = static_cast<T>(static_cast<std::uint64_t>(operand.integer));
    } else {
      value = static_cast<T>(operand.integer);
    }
    return true;
  }
  const void * const at = locate(operand, message);
  if (at == nullptr) return false;
  value = with_number(operand.kind, at, [](auto number) { return static_cast<T>(number); });
  return true;
}

bool load_text(const FilterOperand & operand, const void * message, std::string_view & text) noexcept {
  if (!operand.is_field) {
    text = operand.text;
    return true;
  }
  const void * const at = locate(operand, message);
  if (at == nullptr) return false;
  text = string_at(at);
  return true;
}

template <class T>
bool compare(const T & left, Relation relation, const T & right) noexcept {
  switch (relation) {
    case Relation::kEqual: return left == right;
    case Relation::kUnequal: return left != right;
    case Relation::kLess: return left < right;
    case Relation::kLessOrEqual: return left <= right;
    case Relation::kGreater: return left > right;
    case Relation::kGreaterOrEqual: return left >= right;
    default: return false;
  }
}

template <class T>
bool compare_numbers(const FilterTest & test, const void * message) noexcept {
  T left;
  T right;
  return load_number(test.left, message, left) && load_number(test.right, message, right) &&
         compare(left, test.relation, right);
}

/// % stands for any text, _ for one character. At a mismatch only the last % is tried again, further on: so the time is the
/// product of the lengths at most.
bool is_like(std::string_view text, std::string_view pattern) noexcept {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t last_any = kNone;  // behind the last %
  std::size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      last_any = ++p;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '_' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (last_any != kNone) {
      p = last_any;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('%', p) == kNone;
}

bool compare_texts(const FilterTest & test, const void * message) noexcept {
  std::string_view left;
  std::string_view right;
  if (!load_text(test.left, message, left) || !load_text(test.right, message, right)) return false;
  if (test.relation == Relation::kLike) return is_like(left, right);
  if (test.relation != Relation::kMatch) return compare(left, test.relation, right);
  const auto size = static_cast<regoff_t>(left.size());
  regmatch_t match{0, size};
  // What it finds is the first match, and of these the longest: the whole text if that matches.
  return regexec(test.pattern.get(), left.empty() ? "" : left.data(), 1, &match, REG_STARTEND) == 0 &&
         match.rm_so == 0 && match.rm_eo == size;
}

bool holds(const FilterTest & test, const void * message) noexcept {
  switch (test.domain) {
    case Domain::kSigned: return compare_numbers<std::int64_t>(test, message);
    case Domain::kInteger: return compare_numbers<Integer>(test, message);
    case Domain::kFloating: return compare_numbers<double>(test, message);
    case Domain::kWide: return compare_numbers<long double>(test, message);
    case Domain::kText: return compare_texts(test, message);
  }
  return false;
}

}  // namespace

tl::expected<ContentFilter, std::string> ContentFilter::compile(const MessageType & type, std::string_view expression,
                                                                const std::vector<std::string> & parameters) {
  try {
    return ContentFilter(std::make_shared<const FilterProgram>(compile_filter(type, expression, parameters)));
  } catch (const FilterError & error) {
    return tl::make_unexpected(std::string(error.what()));
  }
}

bool ContentFilter::matches(const void * message) const noexcept {
  std::size_t next = program_->first;
  while (next < program_->tests.size()) {
    const FilterTest & test = program_->tests[next];
    next = holds(test, message) ? test.if_true : test.if_false;
  }
  return next == FilterProgram::kAccept;
}

}  // namespace tandem
