// The CSV log: the settings, a marker, one line of column names, one line per interval. Rates are per second.
#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <thread>

#include "output/outputs.hpp"

namespace performance_test {
namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;

void add_statistics(Columns & columns, const std::string & prefix, const Statistics & s) {
  // Milliseconds; the variance in ms^2. Nothing when there were no samples.
  const auto cell = [&](double value) { return s.n == 0 ? std::string() : fmt::format("{:.6f}", value); };
  columns.emplace_back(prefix + "_min (ms)", cell(s.min * 1e3));
  columns.emplace_back(prefix + "_max (ms)", cell(s.max * 1e3));
  columns.emplace_back(prefix + "_mean (ms)", cell(s.mean * 1e3));
  columns.emplace_back(prefix + "_variance (ms)", cell(s.variance() * 1e6));
}

void add_percentiles(Columns & columns, const std::string & prefix, const Histogram & histogram) {
  for (const double percent : kPercentiles) {
    const auto value = histogram.percentile(percent);
    columns.emplace_back(fmt::format("{}_p{:g} (ms)", prefix, percent),
                         value ? fmt::format("{:.6f}", static_cast<double>(*value) * 1e-6) : "");
  }
}

Columns columns_of(const Block & block) {
  const Totals & t = block.interval.totals;
  const auto rate = [&](std::uint64_t count) { return std::to_string(per_second(count, block.loop)); };
  Columns columns = {{"T_experiment", fmt::format("{:.6f}", block.experiment)},
                     {"T_loop", fmt::format("{:.6f}", block.loop)},
                     {"received", rate(t.received)},
                     {"sent", rate(t.sent)},
                     {"lost", rate(t.lost)},
                     {"relative_loss", fmt::format("{:.6f}", block.relative_loss())},
                     {"data_received", rate(t.bytes_received)}};
  add_statistics(columns, "latency", t.latency);
  add_statistics(columns, "pub_loop_res", t.publisher_reserve);
  add_statistics(columns, "sub_loop_res", t.subscriber_reserve);
  for (const auto & [name, value] : usage_figures(block.usage.self)) {
    columns.emplace_back(std::string("ru_") + name, std::to_string(value));
  }
  columns.emplace_back("cpu_usage (%)", fmt::format("{:.3f}", block.cpu_percent));
  add_percentiles(columns, "latency", block.interval.latency);
  add_percentiles(columns, "intended_latency", block.interval.intended_latency);
  columns.emplace_back("failed_borrows", std::to_string(t.failed_borrows));
  columns.emplace_back("failed_publishes", std::to_string(t.failed_publishes));
  columns.emplace_back("torn", std::to_string(t.torn));
  columns.emplace_back("not_filled", std::to_string(t.unfilled));
  columns.emplace_back("allocations", std::to_string(t.allocations));
  return columns;
}

class CsvOutput : public Output {
 public:
  explicit CsvOutput(const std::string & path) : file_(path) {
    if (!file_) throw std::runtime_error(fmt::format("cannot write the log '{}'; choose another --csv-logfile", path));
  }

  void begin(const Header & header) override {
    for (const auto & [name, value] : describe(header.options)) file_ << name << ": " << value << '\n';
    file_ << "Message size: " << header.message_size << "\nMiddleware: " << header.middleware
          << "\nDomain: " << header.domain << "\nEnvironment: " << header.options.environment
          << "\n\n---EXPERIMENT-START---\n";
    write_line(columns_of(Block()), true);
  }

  void add(const Block & block) override { write_line(columns_of(block), false); }
  void end(const Block &, const std::string &) override { file_.flush(); }

 private:
  void write_line(const Columns & columns, bool names) {
    const char * separator = "";
    for (const auto & [name, value] : columns) {
      file_ << separator << (names ? name : value);
      separator = ",";
    }
    file_ << '\n';
    file_.flush();
  }

  std::ofstream file_;
};

}  // namespace

std::unique_ptr<Output> make_csv_output(const std::string & path) { return std::make_unique<CsvOutput>(path); }

}  // namespace performance_test
