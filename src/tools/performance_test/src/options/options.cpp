// The command line of perf_test: both generations' spellings, and one clear line for what is refused.
#include "options/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "measuring/measure.hpp"
#include "options/json_text.hpp"
#include "options/message_names.hpp"
#include "options/plugins.hpp"

namespace performance_test {
namespace {

constexpr const char * kVersion = "perf_test 0.1.0";
constexpr std::uint64_t kLargestPayload = std::uint64_t{1} << 40;

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Options that only exist on the command line.
struct Raw {
  std::vector<std::string> outputs;
  std::string reliability, durability, history, strategy, roundtrip = "None";
  bool print_to_console = false, shared_memory = false, loaned_samples = false;
  bool disable_async = false, with_security = false;
};

void add_results(CLI::App & app, Options & options, Raw & raw) {
  app.add_option("-o,--output", raw.outputs, "Where results go (repeatable): stdout, csv, json, none [stdout]")
      ->check(CLI::IsMember({"stdout", "csv", "json", "none"}))
      ->expected(1)
      ->take_all();
  app.add_flag("--print-to-console", raw.print_to_console, "Print to the terminal too, whatever --output says");
  app.add_option("-l,--csv-logfile", options.csv_logfile, "File of the CSV log [results_<topic>_<time>.csv]");
  app.add_option("--json-logfile", options.json_logfile, "File of the JSON log [results_<topic>_<time>.json]");
  app.add_option("--hlog-file", options.hlog_file, "File of an HdrHistogram log of the latencies [none]");
  app.add_option("--read-hlog", options.hlogs_to_read, "Print percentiles of HdrHistogram logs, merged, and exit");
  app.add_option("--report-fd", options.report_fd)->group("");
}

void add_message(CLI::App & app, Options & options, Raw & raw) {
  app.add_option("-c,--communication", options.communication,
                 fmt::format("Communication plug-in, or 'help' to list them [{}]", options.communication));
  app.add_option("-t,--topic", options.topic, "Topic [test_topic]");
  app.add_option("-m,--msg", options.message, "Message type [Array1k]");
  app.add_flag("--msg-list", options.list_messages, "List the message types and exit");
  app.add_option("-r,--rate", options.rate, "Messages per second and publisher; 0: as fast as possible [1000]")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_option("--dds-domain_id", options.domain, "Domain, instead of ROS_DOMAIN_ID")->check(CLI::Range(0, 232));
  app.add_flag("--reliable", options.reliable, "Reliable [best effort]");
  app.add_flag("--transient", options.transient_local, "Transient local [volatile]");
  app.add_flag("--keep-last", options.keep_last, "Keep last [keep all]");
  app.add_option("--reliability", raw.reliability)
      ->transform(CLI::IsMember({"RELIABLE", "BEST_EFFORT"}, CLI::ignore_case));
  app.add_option("--durability", raw.durability)
      ->transform(CLI::IsMember({"TRANSIENT_LOCAL", "VOLATILE"}, CLI::ignore_case));
  app.add_option("--history", raw.history)->transform(CLI::IsMember({"KEEP_LAST", "KEEP_ALL"}, CLI::ignore_case));
  app.add_option("--history-depth", options.history_depth, "Depth of keep last [1000]")
      ->check(CLI::Range(1, 1'000'000));
  app.add_flag("--zero-copy", options.zero_copy, "Publish loaned messages");
  app.add_flag("--loaned-samples", raw.loaned_samples, "The same");
  app.add_flag("--shared-memory", raw.shared_memory, "Allow shared memory (it is always used)");
  app.add_flag("--check-payload", options.check_payload,
               "Fill each payload before its send stamp, and check it after its receive stamp (on both sides)");
  app.add_flag("--disable-async", raw.disable_async, "Synchronous DDS publishing");
  app.add_flag("--with-security", raw.with_security, "DDS security");
  app.add_option("--unbounded-msg-size", options.unbounded_size,
                 "Bytes of payload of UnboundedSequence and UnboundedString [0]")
      ->check(CLI::Range(std::uint64_t{0}, kLargestPayload));
}

void add_run(CLI::App & app, Options & options, Raw & raw) {
  app.add_option("-e,--execution-strategy", raw.strategy, "INTER_THREAD, INTRA_THREAD or INTER_PROCESS [INTER_THREAD]")
      ->transform(CLI::IsMember({"INTER_THREAD", "INTRA_THREAD", "INTER_PROCESS"}, CLI::ignore_case));
  app.add_option("--roundtrip-mode", raw.roundtrip, "None, Main or Relay [None]")
      ->transform(CLI::IsMember({"None", "Main", "Relay"}, CLI::ignore_case));
  app.add_option("-p,--num-pub-threads", options.publishers, "Publishers [1]")->check(CLI::Range(0, 256));
  app.add_option("-s,--num-sub-threads", options.subscribers, "Subscriptions [1]")->check(CLI::Range(0, 256));
  app.add_option("--expected-num-pubs", options.expected_publishers, "Publishers to wait for [0]")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--expected-num-subs", options.expected_subscribers, "Subscriptions to wait for [0]")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--wait-for-matched-timeout", options.matched_timeout, "Seconds to wait for them [30]")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--max-runtime", options.max_runtime, "Seconds to run; 0: until interrupted [0]")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_option("--ignore", options.ignore, "Seconds at the beginning that do not count [0]")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_flag("--check-memory", options.check_memory, "Count allocations of the publishing and receiving threads");
  app.add_option("--use-rt-prio", options.realtime_priority, "SCHED_FIFO priority [0: none]")->check(CLI::Range(0, 99));
  app.add_option("--use-rt-cpus", options.realtime_cpus, "Bit mask (decimal) of CPUs to run on [0: all]");
}

/// Applies the newer spelling `value` to `flag`, which the older one sets.
void join(bool & flag, const std::string & value, const char * on) {
  if (!value.empty()) flag = value == on;
}

void refuse_what_is_not_there(const Options & options, const Raw & raw) {
  if (const ForeignPlugin * foreign = find_plugin(kForeignPlugins, options.communication)) {
    throw Refusal(fmt::format("communication plug-in '{}' is not built: it is none of ours; take {}", foreign->name,
                              foreign->instead));
  }
  if (find_plugin(kPlugins, options.communication) == nullptr) {
    throw Refusal(fmt::format("communication plug-in '{}' is unknown; -c help lists them", options.communication));
  }
  if (raw.with_security) throw Refusal("--with-security: DDS security is not supported; leave it out");
  if (raw.disable_async) {
    throw Refusal("--disable-async: means nothing here, publishing is synchronous already; leave it out");
  }
  const auto & names = message_names();
  if (std::find(names.begin(), names.end(), options.message) == names.end()) {
    throw Refusal(fmt::format("unknown message type '{}'; known are: {}", options.message, fmt::join(names, " ")));
  }
}

void refuse_contradictions(const Options & options) {
  if (options.unbounded_size != 0 && !is_unbounded(options.message)) {
    throw Refusal(
        fmt::format("--unbounded-msg-size: {} has a size of its own; it goes with -m UnboundedSequence and "
                    "-m UnboundedString",
                    options.message));
  }
  if (options.check_payload && is_unbounded(options.message) && options.unbounded_size < kSmallestPayload) {
    throw Refusal(fmt::format("--check-payload needs --unbounded-msg-size {} or more", kSmallestPayload));
  }
  if (options.topic.empty()) throw Refusal("--topic: a topic needs a name");
  if (options.publishers + options.subscribers == 0) throw Refusal("nothing to do: both -p and -s are 0");
  const bool both = options.publishers > 0 && options.subscribers > 0;
  if (options.strategy != Strategy::kInterThread && !both) {
    throw Refusal(fmt::format("-e {} needs at least one publisher and one subscription", to_string(options.strategy)));
  }
  if (options.roundtrip == RoundTrip::kNone) return;
  if (options.strategy != Strategy::kInterThread) throw Refusal("--roundtrip-mode goes with -e INTER_THREAD only");
  if (options.publishers != 1 || options.subscribers != 1) {
    throw Refusal("--roundtrip-mode goes with one publisher and one subscription only (-p 1 -s 1)");
  }
}

void finish_outputs(Options & options, const Raw & raw) {
  const auto wants = [&](const char * name) {
    return std::find(raw.outputs.begin(), raw.outputs.end(), name) != raw.outputs.end();
  };
  options.to_console = raw.outputs.empty() || wants("stdout") || raw.print_to_console;
  options.to_csv = wants("csv") || !options.csv_logfile.empty();
  options.to_json = wants("json") || !options.json_logfile.empty();
}

void finish(Options & options, const Raw & raw, const std::string & environment) {
  finish_outputs(options, raw);
  join(options.reliable, raw.reliability, "RELIABLE");
  join(options.transient_local, raw.durability, "TRANSIENT_LOCAL");
  join(options.keep_last, raw.history, "KEEP_LAST");
  options.zero_copy = options.zero_copy || raw.loaned_samples;
  if (raw.strategy == "INTRA_THREAD") options.strategy = Strategy::kIntraThread;
  if (raw.strategy == "INTER_PROCESS") options.strategy = Strategy::kInterProcess;
  if (raw.roundtrip == "Main") options.roundtrip = RoundTrip::kMain;
  if (raw.roundtrip == "Relay") options.roundtrip = RoundTrip::kRelay;
  options.environment = environment.empty() ? "{}" : environment;
  if (!is_json(options.environment)) {
    throw Refusal("the environment variable APEX_PERFORMANCE_TEST is not JSON; correct or unset it");
  }
}

}  // namespace

std::string Options::publish_topic() const {
  return topic + (roundtrip == RoundTrip::kMain ? "main" : roundtrip == RoundTrip::kRelay ? "relay" : "");
}

std::string Options::subscribe_topic() const {
  return topic + (roundtrip == RoundTrip::kMain ? "relay" : roundtrip == RoundTrip::kRelay ? "main" : "");
}

const char * to_string(RoundTrip mode) {
  return mode == RoundTrip::kMain ? "Main" : mode == RoundTrip::kRelay ? "Relay" : "None";
}

const char * to_string(Strategy strategy) {
  return strategy == Strategy::kIntraThread    ? "INTRA_THREAD"
         : strategy == Strategy::kInterProcess ? "INTER_PROCESS"
                                               : "INTER_THREAD";
}

ParseResult parse_options(std::vector<std::string> arguments, const std::string & environment) {
  CLI::App app("Measures latency, loss and cost of publish/subscribe.", "perf_test");
  Options options;
  Raw raw;
  app.option_defaults()->take_last();
  app.set_version_flag("--version", kVersion);
  add_results(app, options, raw);
  add_message(app, options, raw);
  add_run(app, options, raw);
  try {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
    finish(options, raw, environment);
    options.list_plugins = options.communication == "help";
    if (!options.list_messages && !options.list_plugins && options.hlogs_to_read.empty()) {
      refuse_what_is_not_there(options, raw);
      refuse_contradictions(options);
    }
  } catch (const CLI::CallForHelp &) {
    return {std::nullopt, 0, app.help()};
  } catch (const CLI::CallForVersion &) {
    return {std::nullopt, 0, std::string(kVersion) + "\n"};
  } catch (const CLI::ParseError & error) {
    return {std::nullopt, kUsageError, fmt::format("perf_test: {} (--help says what exists)\n", error.what())};
  } catch (const Refusal & error) {
    return {std::nullopt, kUsageError, fmt::format("perf_test: {}\n", error.what())};
  }
  return {options, 0, ""};
}

std::vector<std::pair<std::string, std::string>> describe(const Options & o) {
  const auto flag = [](bool on) { return std::string(on ? "yes" : "no"); };
  return {
      {"Communication", o.communication},
      {"Topic", o.topic},
      {"Message", is_unbounded(o.message) ? fmt::format("{} of {} bytes", o.message, o.unbounded_size) : o.message},
      {"Publishing rate", std::to_string(o.rate)},
      {"Reliability", o.reliable ? "RELIABLE" : "BEST_EFFORT"},
      {"Durability", o.transient_local ? "TRANSIENT_LOCAL" : "VOLATILE"},
      {"History", o.keep_last ? "KEEP_LAST" : "KEEP_ALL"},
      {"History depth", std::to_string(o.history_depth)},
      {"Zero copy", flag(o.zero_copy)},
      {"Check payload", flag(o.check_payload)},
      {"Execution strategy", to_string(o.strategy)},
      {"Roundtrip mode", to_string(o.roundtrip)},
      {"Number of publishers", std::to_string(o.publishers)},
      {"Number of subscribers", std::to_string(o.subscribers)},
      {"Maximum runtime (s)", std::to_string(o.max_runtime)},
      {"Ignored at the start (s)", std::to_string(o.ignore)},
      {"Real-time priority", std::to_string(o.realtime_priority)},
      {"Real-time CPUs", std::to_string(o.realtime_cpus)},
  };
}

}  // namespace performance_test
