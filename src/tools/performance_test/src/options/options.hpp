// What perf_test was asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace performance_test {

enum class RoundTrip { kNone, kMain, kRelay };
enum class Strategy { kInterThread, kIntraThread, kInterProcess };

struct Options {
  // Results.
  bool to_console = true;
  bool to_csv = false;
  bool to_json = false;
  std::string csv_logfile;   ///< empty: a name made of topic and time
  std::string json_logfile;  ///< likewise
  std::string hlog_file;     ///< empty: none
  std::string environment;   ///< JSON of APEX_PERFORMANCE_TEST, "{}" when unset

  // What is sent.
  std::string communication = "rclcpp-single-threaded-executor";
  std::string topic = "test_topic";
  std::string message = "Array1k";
  std::uint32_t rate = 1000;  ///< Hz; 0: as fast as possible
  std::optional<std::uint32_t> domain;
  bool reliable = false;
  bool transient_local = false;
  bool keep_last = false;
  std::uint32_t history_depth = 1000;
  bool zero_copy = false;
  bool check_payload = false;
  std::uint64_t unbounded_size = 0;  ///< bytes of payload of UnboundedSequence and UnboundedString

  // By whom, and for how long.
  Strategy strategy = Strategy::kInterThread;
  RoundTrip roundtrip = RoundTrip::kNone;
  std::uint32_t publishers = 1;
  std::uint32_t subscribers = 1;
  std::uint32_t expected_publishers = 0;   ///< 0: do not wait
  std::uint32_t expected_subscribers = 0;  ///< 0: do not wait
  std::uint32_t matched_timeout = 30;      ///< s
  std::uint32_t max_runtime = 0;           ///< s; 0: until interrupted
  std::uint32_t ignore = 0;                ///< s at the beginning that do not count
  bool check_memory = false;
  std::uint32_t realtime_priority = 0;  ///< SCHED_FIFO; 0: none
  std::uint64_t realtime_cpus = 0;      ///< bit mask; 0: all

  // Other things to do instead.
  bool list_messages = false;
  bool list_plugins = false;
  std::vector<std::string> hlogs_to_read;
  int report_fd = -1;  ///< of a process that sends its intervals to its parent

  /// The topic that this process publishes on, and the one that it subscribes to.
  std::string publish_topic() const;
  std::string subscribe_topic() const;
};

/// Either options, or a text to print and the status to exit with.
struct ParseResult {
  std::optional<Options> options;
  int exit_status = 0;
  std::string text;
};

constexpr int kUsageError = 2;

/// \param arguments without the program's name and without ROS arguments.
/// \param environment value of APEX_PERFORMANCE_TEST, empty when unset.
ParseResult parse_options(std::vector<std::string> arguments, const std::string & environment);

const char * to_string(RoundTrip mode);
const char * to_string(Strategy strategy);

/// Name and value of each setting, in the order in which they are printed and logged.
std::vector<std::pair<std::string, std::string>> describe(const Options & options);

}  // namespace performance_test
