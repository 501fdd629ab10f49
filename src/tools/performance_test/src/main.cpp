// perf_test: measures latency, loss and cost of publish/subscribe. See README.md.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <rclcpp/utilities.hpp>

#include "communication/communication.hpp"
#include "experiment/child.hpp"
#include "experiment/experiment.hpp"
#include "measuring/measure.hpp"
#include "options/message_names.hpp"
#include "options/options.hpp"
#include "options/realtime.hpp"
#include "output/block.hpp"

namespace {

using namespace performance_test;  // NOLINT

int list_messages() {
  for (const std::string & name : message_names()) fmt::print("{}\n", name);
  return 0;
}

/// Percentiles by tag, over all files together.
int summarize_logs(const std::vector<std::string> & paths) {
  std::map<std::string, Histogram> merged;
  for (const std::string & path : paths) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(fmt::format("cannot read '{}'", path));
    try {
      for (const HlogEntry & entry : read_hlog(file)) merged[entry.tag].merge(entry.histogram);
    } catch (const std::invalid_argument & error) {
      throw std::runtime_error(fmt::format("{}, {}", path, error.what()));
    }
  }
  fmt::print("{:<20} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "seconds", "samples", "p50", "p90", "p99", "p99.9",
             "max");
  for (const auto & [tag, histogram] : merged) {
    fmt::print("{:<20} {:>10}", tag.empty() ? "(no tag)" : tag, histogram.count());
    for (const double percent : kPercentiles) fmt::print(" {:>10}", format_percentile(histogram, percent));
    fmt::print(" {:>10}\n", format_percentile(histogram, 100));
  }
  return 0;
}

int run(const Options & options, int argc, char ** argv) {
  apply_realtime(options);
  // Before the first thread and the first piece of shared memory.
  std::unique_ptr<PublishingChild> child;
  if (options.strategy == Strategy::kInterProcess) {
    child = std::make_unique<PublishingChild>(std::vector<std::string>(argv + 1, argv + argc));
  }
  const auto communication = make_communication(options, argc, argv);
  Experiment experiment(options, *communication, child.get());
  return experiment.run();
}

}  // namespace

int main(int argc, char ** argv) {
  try {
    auto arguments = rclcpp::remove_ros_arguments(argc, argv);
    if (!arguments.empty()) arguments.erase(arguments.begin());
    const char * environment = std::getenv("APEX_PERFORMANCE_TEST");
    const ParseResult parsed = parse_options(arguments, environment == nullptr ? "" : environment);
    if (!parsed.options) {
      fmt::print(parsed.exit_status == 0 ? stdout : stderr, "{}", parsed.text);
      return parsed.exit_status;
    }
    if (parsed.options->list_messages) return list_messages();
    if (parsed.options->list_plugins) {
      fmt::print("{}", plugin_listing());
      return 0;
    }
    if (!parsed.options->hlogs_to_read.empty()) return summarize_logs(parsed.options->hlogs_to_read);
    return run(*parsed.options, argc, argv);
  } catch (const std::exception & error) {
    fmt::print(stderr, "perf_test: {}\n", error.what());
    return 1;
  }
}
