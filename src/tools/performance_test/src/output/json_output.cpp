// The JSON log: settings, one element of "analysis_results" per interval, and a "summary" of all of them.
// Counts are counts, not rates; times are in seconds where the name says nothing else.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "output/outputs.hpp"

namespace performance_test {
namespace {

using nlohmann::ordered_json;

void add_statistics(ordered_json & out, const std::string & prefix, const Statistics & s) {
  const auto value = [&](double number) { return s.n == 0 ? ordered_json() : ordered_json(number); };
  out[prefix + "_min"] = value(s.min);
  out[prefix + "_max"] = value(s.max);
  out[prefix + "_n"] = s.n;
  out[prefix + "_mean"] = value(s.mean);
  out[prefix + "_M2"] = value(s.m2);
  out[prefix + "_variance"] = value(s.variance());
}

void add_percentiles(ordered_json & out, const std::string & prefix, const Histogram & histogram) {
  for (const double percent : kPercentiles) {
    const auto value = histogram.percentile(percent);
    out[fmt::format("{}_p{:g}", prefix, percent)] =
        value ? ordered_json(static_cast<double>(*value) * 1e-9) : ordered_json();
  }
}

void add_interval(ordered_json & out, const Interval & interval) {
  const Totals & t = interval.totals;
  out["num_samples_received"] = t.received;
  out["num_samples_sent"] = t.sent;
  out["num_samples_lost"] = t.lost;
  out["total_data_received"] = t.bytes_received;
  add_statistics(out, "latency", t.latency);
  add_statistics(out, "pub_loop_time_reserve", t.publisher_reserve);
  add_statistics(out, "sub_loop_time_reserve", t.subscriber_reserve);
  add_percentiles(out, "latency", interval.latency);
  add_percentiles(out, "intended_latency", interval.intended_latency);
  out["num_failed_borrows"] = t.failed_borrows;
  out["num_failed_publishes"] = t.failed_publishes;
  out["num_payloads_torn"] = t.torn;
  out["num_payloads_not_filled"] = t.unfilled;
  out["num_allocations"] = t.allocations;
}

void add_usage(ordered_json & out, const Block & block, double cpu_percent) {
  for (const auto & [name, value] : usage_figures(block.usage.self)) {
    out[std::string("sys_tracker_ru_") + name] = value;
  }
  out["cpu_info_cpu_cores"] = std::thread::hardware_concurrency();
  out["cpu_info_cpu_usage"] = cpu_percent;
}

ordered_json result_of(const Block & block) {
  ordered_json out;
  out["experiment_start"] = block.start_ns;
  out["time_since_start"] = block.experiment;
  out["loop_time"] = block.loop;
  add_interval(out, block.interval);
  add_usage(out, block, block.cpu_percent);
  return out;
}

ordered_json summary_of(const Block & last, const std::string & reason) {
  ordered_json out;
  out["reason_of_end"] = reason;
  out["wall_time"] = last.usage.wall;
  add_interval(out, last.overall);
  const double capacity = last.usage.wall * std::max(std::thread::hardware_concurrency(), 1U);
  add_usage(out, last, capacity > 0 ? 100 * last.usage.cpu_seconds() / capacity : 0);
  out["latency_histogram"] = last.overall.latency.encode();
  out["intended_latency_histogram"] = last.overall.intended_latency.encode();
  return out;
}

std::string random_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/uuid"), id);
  return id;
}

ordered_json header_of(const Header & header) {
  const Options & o = header.options;
  ordered_json out;
  out["id"] = random_id();
  out["version"] = 1;
  out["start_time"] = header.start_time;
  out["communication_mean"] = o.communication;
  out["middleware"] = header.middleware;
  out["dds_domain_id"] = header.domain;
  out["topic_name"] = o.topic;
  out["msg_name"] = o.message;
  out["msg_size"] = header.message_size;
  out["rate"] = o.rate;
  out["qos_reliability"] = o.reliable ? "RELIABLE" : "BEST_EFFORT";
  out["qos_durability"] = o.transient_local ? "TRANSIENT_LOCAL" : "VOLATILE";
  out["qos_history_kind"] = o.keep_last ? "KEEP_LAST" : "KEEP_ALL";
  out["qos_history_depth"] = o.history_depth;
  out["is_zero_copy_transfer"] = o.zero_copy;
  out["check_payload"] = o.check_payload;
  out["check_memory"] = o.check_memory;
  out["execution_strategy"] = to_string(o.strategy);
  out["roundtrip_mode"] = to_string(o.roundtrip);
  out["number_of_publishers"] = o.publishers;
  out["number_of_subscribers"] = o.subscribers;
  out["max_runtime"] = o.max_runtime;
  out["rows_to_ignore"] = o.ignore;
  out["use_rt_prio"] = o.realtime_priority;
  out["use_rt_cpus"] = o.realtime_cpus;
  out["environment"] = ordered_json::parse(o.environment);
  out["analysis_results"] = ordered_json::array();
  return out;
}

class JsonOutput : public Output {
 public:
  explicit JsonOutput(const std::string & path) : file_(path), path_(path) {
    if (!file_) throw std::runtime_error(fmt::format("cannot write the log '{}'; choose another --json-logfile", path));
  }

  void begin(const Header & header) override { document_ = header_of(header); }
  void add(const Block & block) override { document_["analysis_results"].push_back(result_of(block)); }

  void end(const Block & last, const std::string & reason) override {
    document_["summary"] = summary_of(last, reason);
    file_ << document_.dump(2) << '\n';
    file_.flush();
    if (!file_) throw std::runtime_error(fmt::format("could not write the whole log '{}'; is the disk full?", path_));
  }

 private:
  std::ofstream file_;
  std::string path_;
  ordered_json document_;
};

}  // namespace

std::unique_ptr<Output> make_json_output(const std::string & path) { return std::make_unique<JsonOutput>(path); }

}  // namespace performance_test
