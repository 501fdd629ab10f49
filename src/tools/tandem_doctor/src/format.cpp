#include "format.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace tandem::doctor {
namespace {

/// The bytes of the UTF-8 sequence that starts at `at`; 0 when none does.
std::size_t sequence(const std::string & text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const std::size_t length = byte < 0x80                   ? 1
                             : byte >= 0xc2 && byte < 0xe0 ? 2
                             : byte >= 0xe0 && byte < 0xf0 ? 3
                             : byte >= 0xf0 && byte < 0xf5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) {
      return 0;
    }
  }
  return length;
}

/// Characters, as far as a terminal is concerned (nearly).
std::size_t width_of(const std::string & text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string & text, std::size_t width, bool right) {
  const std::string spaces(width - std::min(width, width_of(text)), ' ');
  return right ? spaces + text : text + spaces;
}

}  // namespace

std::string bytes(double count) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; count >= 1023.5 && unit + 1 < kUnits.size(); ++unit) {
    count /= 1024;
  }
  return fmt::format("{:.{}f} {}", count, unit == 0 || count >= 99.95 ? 0 : 1, kUnits[unit]);
}

std::string count(double number) {
  constexpr std::array kUnits{"", "k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  for (; number >= 9999.5 && unit + 1 < kUnits.size(); ++unit) {
    number /= 1000;
  }
  const bool is_small = unit == 0 && number > 0 && number < 9.95 && number != std::floor(number);
  return fmt::format("{:.{}f}{}", number, is_small || (unit != 0 && number < 99.95) ? 1 : 0, kUnits[unit]);
}

std::string age(double seconds) {
  const auto total = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 1e12));
  if (total < 60) {
    return fmt::format("{} s", total);
  }
  if (total < 3600) {
    return fmt::format("{} m {} s", total / 60, total % 60);
  }
  if (total < 86400) {
    return fmt::format("{} h {} m", total / 3600, total % 3600 / 60);
  }
  return fmt::format("{} d {} h", total / 86400, total % 86400 / 3600);
}

std::string number_of(std::uint64_t count, const std::string & one, const std::string & many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string percent(double share) { return fmt::format("{:.0f} %", std::floor(share * 100)); }

std::string base_name(const std::string & path) { return path.substr(path.rfind('/') + 1); }

std::string shorten(const std::string & text, std::size_t width) {
  if (width_of(text) <= width) {
    return text;
  }
  if (width < 2) {
    return std::string(width, '~');
  }
  const std::size_t tail = (width - 1) / 2;
  const std::size_t head = width - 1 - tail;
  std::vector<std::string> characters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, sequence(text, at));
    characters.push_back(text.substr(at, length));
    at += length;
  }
  std::string result;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (i == head) {
      result += '~';
    }
    if (i < head || i >= characters.size() - tail) {
      result += characters[i];
    }
  }
  return result;
}

std::string printable(const std::string & text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool is_control =
        byte < 0x20 || byte == 0x7f || (byte == 0xc2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xa0);
    result += length == 0 || is_control ? "?" : text.substr(at, length);
    at += std::max<std::size_t>(1, length);
  }
  return result;
}

std::string wrap(const std::string & text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (column != 0 && column + 1 + width_of(word) + indent > width) {
      result += '\n' + std::string(indent, ' ');
      column = 0;
    } else if (column != 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width_of(word);
    at = end + 1;
  }
  return result;
}

std::string Brush::operator()(Paint paint, const std::string & text) const {
  if (!coloured_ || paint == Paint::kNone) {
    return text;
  }
  constexpr std::array kCodes{"0", "1", "2", "32", "33", "31"};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<std::size_t>(paint)], text);
}

bool wants_colour(int descriptor) {
  const char * no_colour = std::getenv("NO_COLOR");
  const char * terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string(terminal) != "dumb");
}

Table::Table(const std::vector<std::string> & titles) {
  for (const std::string & title : titles) {
    right_.push_back(title.starts_with('>'));
    titles_.push_back(title.substr(right_.back() ? 1 : 0));
  }
}

std::vector<std::string> Table::lines(std::size_t width, std::size_t indent, const Brush & brush) const {
  std::vector<std::size_t> widths;
  std::size_t sum = indent;
  for (std::size_t column = 0; column < titles_.size(); ++column) {
    std::size_t widest = width_of(titles_[column]);
    for (const auto & row : rows_) {
      widest = std::max(widest, width_of(row[column].text));
    }
    widths.push_back(widest);
    sum += widest + (column == 0 ? 0 : 2);
  }
  widths[0] = sum > width ? std::max<std::size_t>(10, widths[0] - std::min(widths[0], sum - width)) : widths[0];
  std::vector<std::string> result;
  const auto line = [&](const auto & cell) {
    std::string text(indent, ' ');
    for (std::size_t column = 0; column < titles_.size(); ++column) {
      const Cell each = cell(column);
      const bool is_last = column + 1 == titles_.size() && !right_[column];
      const std::string content = shorten(each.text, widths[column]);
      text += (column == 0 ? "" : "  ") +
              brush(each.paint, is_last ? content : padded(content, widths[column], right_[column]));
    }
    result.push_back(text);
  };
  line([&](std::size_t column) { return Cell{titles_[column], Paint::kDim}; });
  for (const auto & row : rows_) {
    line([&](std::size_t column) { return row[column]; });
  }
  return result;
}

}  // namespace tandem::doctor
