// Random values along the table of fields. Only operations whose results the standard fixes, so that seeds keep their
// meaning.
#include "random_message.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "fields/elements.hpp"
#include "text/unicode.hpp"

namespace tandem::oracle {
namespace {

using namespace detail;

class Randomizer {
 public:
  Randomizer(std::mt19937_64 & random, const RandomLimits & limits) : random_(random), limits_(limits) {}

  void message(const MessageType & type, void * memory) {
    for (std::size_t i = 0; i < type.field_count; ++i) {
      const Field & field = type.fields[i];
      void * const place = field_of(memory, field);
      if (field.shape == FieldShape::kSequence) {
        field.resize(place, below(std::min(field.count, limits_.elements) + 1));
      }
      const Elements elements = elements_of(field, place);
      for (std::size_t index = 0; index < elements.count; ++index) {
        value(field, const_cast<void *>(elements[index]));
      }
    }
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  void value(const Field & field, void * memory) {
    switch (field.kind) {
      case FieldKind::kString: string_at(memory) = text(std::min(field.string_bound, limits_.characters)); break;
      case FieldKind::kWstring:
        wstring_at(memory) = to_utf16(text(std::min(field.string_bound, limits_.characters)));
        break;
      case FieldKind::kMessage: message(field.message(), memory); break;
      default: number(field.kind, memory); break;
    }
  }

  /// Text of at most `most` bytes, and so of at most as many UTF-16 units.
  std::string text(std::size_t most) {
    static constexpr char32_t kRanges[][2] = {{' ', '~'},      {' ', '~'},       {1, 0x7F},          {0x80, 0x7FF},
                                              {0x800, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, 0x10FFFF}};
    std::string result;
    for (std::size_t wanted = below(most + 1); wanted > 0; --wanted) {
      const auto & range = kRanges[below(std::size(kRanges))];
      std::string more = result;
      append_utf8(more, range[0] + static_cast<char32_t>(below(range[1] - range[0] + 1)));
      if (more.size() <= most) {
        result = more;
      }
    }
    return result;
  }

  void number(FieldKind kind, void * memory) {
    with_number(kind, memory, [&](auto old) {
      using Number = decltype(old);
      Number value{};
      if constexpr (std::is_same_v<Number, bool>) {
        value = below(2) == 1;
      } else if constexpr (std::is_floating_point_v<Number>) {
        value = floating<Number>();
      } else if constexpr (std::is_same_v<Number, char16_t>) {
        value = static_cast<char16_t>(below(0xD800));
      } else {
        value = static_cast<Number>(below(4) == 0 ? extreme<Number>() : static_cast<Number>(random_()));
      }
      std::memcpy(memory, &value, sizeof value);
    });
  }

  template <class Number>
  Number extreme() {
    const Number values[] = {0, 1, std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max()};
    return values[below(std::size(values))];
  }

  template <class Number>
  Number floating() {
    using Limits = std::numeric_limits<Number>;
    const Number special[] = {Number(0),        -Number(0),           Number(1),          Limits::min(),
                              Limits::max(),    Limits::denorm_min(), Limits::infinity(), -Limits::infinity(),
                              Limits::lowest(), Limits::quiet_NaN(),  Number(0.1L),       Number(-1e-7L)};
    if (below(3) == 0) {
      return special[below(std::size(special))];
    }
    const auto mantissa = static_cast<std::int64_t>(random_());
    Number value = static_cast<Number>(mantissa);
    for (std::size_t halvings = below(80); halvings > 0; --halvings) {
      value /= 2;
    }
    return value;
  }

  std::mt19937_64 & random_;
  const RandomLimits & limits_;
};

}  // namespace

void randomize(const MessageType & type, void * message, std::mt19937_64 & random, const RandomLimits & limits) {
  Randomizer(random, limits).message(type, message);
}

}  // namespace tandem::oracle
