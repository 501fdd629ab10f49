// See hlog.hpp. Format: [Tag=name,]start,length,max,histogram - start and length in s, max in ms.
#include "tandem/measure/hlog.hpp"

#include <fmt/format.h>

#include <charconv>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace tandem::measure {
namespace {

constexpr std::string_view kTag = "Tag=";

/// The text up to the next comma, taken off `rest`.
std::string_view next_field(std::string_view & rest) {
  const auto comma = rest.find(',');
  if (comma == std::string_view::npos) throw std::invalid_argument("a field is missing");
  const auto field = rest.substr(0, comma);
  rest.remove_prefix(comma + 1);
  return field;
}

double number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(fmt::format("'{}' is not a number", text));
  }
  return value;
}

HlogEntry parse(std::string_view line) {
  HlogEntry entry;
  if (line.starts_with(kTag)) {
    line.remove_prefix(kTag.size());
    entry.tag = next_field(line);
  }
  entry.start = number(next_field(line));
  entry.length = number(next_field(line));
  number(next_field(line));
  entry.histogram = Histogram::decode(line);
  return entry;
}

}  // namespace

void write_hlog_header(std::ostream & out, double start_time, std::string_view program) {
  out << fmt::format("#[Logged with {}]\n#[Histogram log format version 1.3]\n", program)
      << fmt::format("#[StartTime: {:.3f} (seconds since epoch)]\n", start_time)
      << "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";
}

void write_hlog_entry(std::ostream & out, const HlogEntry & entry) {
  if (!entry.tag.empty()) out << kTag << entry.tag << ',';
  out << fmt::format("{:.3f},{:.3f},{:.3f},", entry.start, entry.length,
                     static_cast<double>(entry.histogram.max()) / 1e6)
      << entry.histogram.encode() << '\n';
}

std::vector<HlogEntry> read_hlog(std::istream & in) {
  std::vector<HlogEntry> entries;
  std::string line;
  for (int number_of_line = 1; std::getline(in, line); ++number_of_line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line[0] == '#' || line[0] == '"') continue;
    try {
      entries.push_back(parse(line));
    } catch (const std::invalid_argument & error) {
      throw std::invalid_argument(fmt::format("line {}: {}", number_of_line, error.what()));
    }
  }
  return entries;
}

}  // namespace tandem::measure
