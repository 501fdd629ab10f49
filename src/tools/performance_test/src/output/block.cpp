// The tables on the terminal. Their layout is pinned by test/golden.
#include "output/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace performance_test {
namespace {

using Row = std::vector<std::string>;
using Lines = std::vector<std::string>;

constexpr std::size_t kGap = 3;

/// A line between all rows; all cells of a column as wide as its widest.
Lines table(const std::vector<Row> & rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row & row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string border = "+";
  for (const std::size_t width : widths) border += std::string(width + 2, '-') + "+";
  Lines lines = {border};
  for (const Row & row : rows) {
    std::string line = "|";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}} |", row[i], widths[i]);
    lines.push_back(line);
    lines.push_back(border);
  }
  return lines;
}

/// Title, empty line, table, empty line.
std::string section(const std::string & title, const Lines & lines) {
  return fmt::format("{}\n\n{}\n\n", title, fmt::join(lines, "\n"));
}

/// Two titled tables beside each other; the right one begins at column `width`.
std::string pair_of_sections(const std::array<std::string, 2> & titles, const Lines & left, const Lines & right,
                             std::size_t width) {
  std::string text = fmt::format("{:<{}}{}\n\n", titles[0], width, titles[1]);
  for (std::size_t i = 0; i < left.size(); ++i) text += fmt::format("{:<{}}{}\n", left[i], width, right[i]);
  return text + "\n";
}

Lines statistics_table(const Statistics & s) {
  const auto cell = [&](double value) { return s.n == 0 ? std::string("-") : fmt::format("{:.6f}", value); };
  return table({{"min", "max", "mean", "variance"}, {cell(s.min), cell(s.max), cell(s.mean), cell(s.variance())}});
}

Lines samples_table(const Block & block) {
  const Totals & t = block.interval.totals;
  const auto rate = [&](std::uint64_t count) { return std::to_string(per_second(count, block.loop)); };
  return table({{"recv", "sent", "lost", "data_recv", "relative_loss"},
                {rate(t.received), rate(t.sent), rate(t.lost), rate(t.bytes_received),
                 fmt::format("{:.6f}", block.relative_loss())}});
}

Lines usage_table(const rusage & usage) {
  std::vector<Row> rows(4);
  const auto figures = usage_figures(usage);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::size_t row = i < 8 ? 0 : 2;
    rows[row].emplace_back(figures[i].name);
    rows[row + 1].push_back(std::to_string(figures[i].value));
  }
  return table(rows);
}

Row percentile_row(const char * name, const Histogram & histogram) {
  Row row = {name, std::to_string(histogram.count())};
  for (const double percent : kPercentiles) row.push_back(format_percentile(histogram, percent));
  row.push_back(format_percentile(histogram, 100));
  return row;
}

}  // namespace

double Block::relative_loss() const noexcept {
  const Totals & t = interval.totals;
  const std::uint64_t of = t.sent > 0 ? t.sent : t.lost + t.received;
  return of == 0 ? 0 : static_cast<double>(t.lost) / static_cast<double>(of);
}

std::uint64_t per_second(std::uint64_t count, double seconds) noexcept {
  return seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(count) / seconds) : 0;
}

std::array<UsageFigure, 16> usage_figures(const rusage & u) noexcept {
  return {{{"utime", tandem::measure::to_ns(u.ru_utime)},
           {"stime", tandem::measure::to_ns(u.ru_stime)},
           {"maxrss", u.ru_maxrss},
           {"ixrss", u.ru_ixrss},
           {"idrss", u.ru_idrss},
           {"isrss", u.ru_isrss},
           {"minflt", u.ru_minflt},
           {"majflt", u.ru_majflt},
           {"nswap", u.ru_nswap},
           {"inblock", u.ru_inblock},
           {"oublock", u.ru_oublock},
           {"msgsnd", u.ru_msgsnd},
           {"msgrcv", u.ru_msgrcv},
           {"nsignals", u.ru_nsignals},
           {"nvcsw", u.ru_nvcsw},
           {"nivcsw", u.ru_nivcsw}}};
}

std::string format_percentile(const Histogram & histogram, double percent) {
  const auto value = histogram.percentile(percent);
  return value ? fmt::format("{:.6f}", static_cast<double>(*value) * 1e-9) : "-";
}

std::string format_tables(const Block & block) {
  const Totals & t = block.interval.totals;
  const Lines samples = samples_table(block);
  const Lines publisher = statistics_table(t.publisher_reserve);
  const std::size_t width = std::max(samples[0].size(), publisher[0].size()) + kGap;
  std::string text = section(
      "run time",
      table({{"T_experiment", fmt::format("{:.6f}", block.experiment), "T_loop", fmt::format("{:.6f}", block.loop)}}));
  text += pair_of_sections({"samples", "latency"}, samples, statistics_table(t.latency), width);
  text +=
      pair_of_sections({"publisher loop", "subscriber loop"}, publisher, statistics_table(t.subscriber_reserve), width);
  text += section("system usage", usage_table(block.usage.self));
  text.pop_back();
  return text;
}

std::string format_more_tables(const Block & block) {
  const Totals & t = block.overall.totals;
  std::string text = section("latency since the start, from the send stamp and from the time at which it was due",
                             table({{"from", "samples", "p50", "p90", "p99", "p99.9", "max"},
                                    percentile_row("sent", block.overall.latency),
                                    percentile_row("due", block.overall.intended_latency)}));
  text += section("what went wrong since the start",
                  table({{"lost", "failed borrows", "failed publishes", "torn", "not filled", "allocations"},
                         {std::to_string(t.lost), std::to_string(t.failed_borrows), std::to_string(t.failed_publishes),
                          std::to_string(t.torn), std::to_string(t.unfilled), std::to_string(t.allocations)}}));
  text.pop_back();
  return text;
}

}  // namespace performance_test
