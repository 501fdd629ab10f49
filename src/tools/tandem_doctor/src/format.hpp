// Numbers, ages and tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::doctor {

std::string bytes(double count);   ///< "999 B", "12.1 MiB"
std::string count(double number);  ///< "950", "12.3k", "4.56M"
std::string number_of(std::uint64_t count, const std::string & one, const std::string & many);  ///< "1 topic"
std::string age(double seconds);    ///< "8 s", "3 m 12 s", "2 h 5 m", "3 d 1 h"
std::string percent(double share);  ///< "3 %"
std::string base_name(const std::string & path);
/// At most `width` characters, with "~" where something was left out in the middle.
std::string shorten(const std::string & text, std::size_t width);
/// Control characters and what is no UTF-8 as "?": names come from other processes, and go to a terminal.
std::string printable(const std::string & text);
/// Broken at spaces into lines of at most `width` characters; all but the first begin with `indent` spaces.
std::string wrap(const std::string & text, std::size_t width, std::size_t indent);

enum class Paint { kNone, kBold, kDim, kGood, kWarning, kBad };

/// Adds escape sequences where colour is wanted.
class Brush {
 public:
  explicit Brush(bool coloured) : coloured_(coloured) {}
  std::string operator()(Paint paint, const std::string & text) const;

 private:
  bool coloured_;
};

/// Whether `descriptor` is a terminal, and NO_COLOR (no-color.org) is not set.
bool wants_colour(int descriptor);

struct Cell {
  std::string text;
  Paint paint = Paint::kNone;
};

/// Columns as wide as they must be; the first one shrinks so that lines have at most `width` characters.
class Table {
 public:
  /// Columns whose titles begin with ">" are aligned to the right.
  explicit Table(const std::vector<std::string> & titles);
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  std::size_t size() const { return rows_.size(); }
  std::vector<std::string> lines(std::size_t width, std::size_t indent, const Brush & brush) const;

 private:
  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tandem::doctor
