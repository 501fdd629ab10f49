// `ros2 bag record`: messages of topics and services to a bag.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "bag/bag_options.hpp"
#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/bag/compression_mode.hpp"
#include "tandem/bag/recorder.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/keyboard.hpp"

namespace ros2cli {
namespace {

namespace bag = tandem::bag;

constexpr std::int64_t kLongest = 1000000000;  // seconds

struct RecordOptions {
  bag::RecorderOptions recorder;
  BagSelection selection;
  std::string output;
  std::vector<std::string> custom_data;
  std::vector<std::string> trigger_topics;
  std::vector<std::string> watched_nodes;
  std::string profile;
  std::string storage_config;
  std::string compression_mode = "none";
  std::string compression_format;
  std::string qos_overrides;
  std::string log_level = "info";
  std::string serialization_format;
  std::string black_box;
  std::int64_t max_duration = 0;
  std::int64_t polling_interval = 100;
  std::uint64_t ignored = 0;
  bool all = false;
  bool disable_keyboard = false;
};

void declare_what(Commands & commands, CLI::App & app, RecordOptions & options) {
  bag::RecorderOptions & recorder = options.recorder;
  CLI::Option * const names = app.add_option("names", options.selection.names, "Topics; --topics is the same");
  commands.complete(names->type_name("TOPIC"), topic_names);
  app.add_flag("-a,--all", options.all, "Record all topics and services, except hidden topics");
  app.add_flag("--all-topics", recorder.selection.all_topics, "Record all topics, except hidden ones");
  app.add_flag("--all-services", recorder.selection.all_services, "Record all services that tell of their calls");
  declare_selection(commands, app, options.selection);
  commands.complete(add_names(app, "--topic-types", recorder.selection.topic_types, "Record topics of these types"),
                    topic_types);
  add_names(app, "--exclude-topic-types", recorder.selection.exclude_topic_types,
            "Do not record topics of these types");
  app.add_flag("--include-unpublished-topics", recorder.include_unpublished_topics,
               "Record topics that have no publisher yet as well");
  app.add_flag("--include-hidden-topics", recorder.selection.include_hidden_topics, "Record hidden topics as well");
  app.add_flag("--ignore-leaf-topics", recorder.ignore_leaf_topics, "Do not record topics without a subscription");
  app.add_flag("--no-discovery", recorder.no_discovery, "Record only topics that are there at the start");
  app.add_option("-p,--polling-interval", options.polling_interval, "Milliseconds between two looks for new topics")
      ->check(positive_number());
  app.add_option("--qos-profile-overrides-path", options.qos_overrides, "YAML file of QoS by topic");
}

void declare_file(CLI::App & app, RecordOptions & options) {
  bag::RecorderOptions & recorder = options.recorder;
  app.add_option("-o,--output", options.output, "Folder of the bag; a name with the time unless given");
  app.add_option("-s,--storage", recorder.writer.storage_id, "mcap or sqlite3")->capture_default_str();
  app.add_option("-b,--max-bag-size", recorder.writer.max_file_size, "Bytes after which another file is begun");
  app.add_option("-d,--max-bag-duration", options.max_duration, "Seconds after which another file is begun")
      ->check(CLI::Range(std::int64_t{0}, kLongest));
  app.add_option("--max-cache-size", recorder.max_cache_size, "Bytes of messages that may wait for the disk")
      ->capture_default_str();
  app.add_option("--storage-preset-profile", options.profile, "none, fastwrite, zstd_fast, zstd_small; resilient");
  app.add_option("--storage-config-file", options.storage_config, "YAML file of options of the storage");
  app.add_option("--compression-mode", options.compression_mode,
                 "none, file or message: the file's chunks are compressed");
  app.add_option("--compression-format", options.compression_format, "zstd or lz4");
  app.add_option("--custom-data", options.custom_data, "Data to keep in metadata.yaml")
      ->expected(0, -1)
      ->type_name("KEY=VALUE");
  for (const char * const name :
       {"--compression-queue-size", "--compression-threads", "--compression-threads-priority"}) {
    app.add_option(name, options.ignored, "Accepted for compatibility");
  }
  app.add_option("-f,--serialization-format", options.serialization_format, "Accepted for compatibility: it is cdr");
}

void declare_black_box(Commands & commands, CLI::App & app, RecordOptions & options) {
  app.add_option(
         "--black-box", options.black_box,
         "Keep what was sent in this time (30s, 2m), within --max-cache-size, and write it when a process dies, "
         "with what that process left in shared memory; when ~/snapshot is called; at messages of a trigger topic")
      ->type_name("TIME");
  commands.complete(
      add_names(app, "--trigger-topics", options.trigger_topics, "Topics whose messages make a black box write"),
      topic_names);
  commands.complete(
      add_names(app, "--watch", options.watched_nodes, "Write at the death of the processes of these nodes only"),
      node_names);
}

void declare(Commands & commands, CLI::App & app, RecordOptions & options) {
  declare_what(commands, app, options);
  declare_file(app, options);
  bag::RecorderOptions & recorder = options.recorder;
  app.add_flag("--start-paused", recorder.start_paused, "Wait until resumed, by the space bar or the service");
  app.add_flag("--use-sim-time", recorder.use_sim_time, "Store messages under the times of /clock");
  app.add_flag("--snapshot-mode", recorder.snapshot_mode,
               "Keep the last messages (--max-cache-size) and write them when the service ~/snapshot is called");
  declare_black_box(commands, app, options);
  app.add_option("--node-name", recorder.node_name, "Name of the recorder's node")->capture_default_str();
  app.add_flag("--disable-keyboard-controls", options.disable_keyboard);
  declare_log_level(app, options.log_level);
}

void check(const RecordOptions & options) {
  const bag::Selection & selection = options.recorder.selection;
  if (selection.is_empty()) {
    throw CommandError(
        "Need to specify at least one option out of --all, --all-topics, --all-services, --services, --topics, "
        "--topic-types or --regex");
  }
  if (options.recorder.use_sim_time && options.recorder.no_discovery) {
    throw CommandError("--use-sim-time needs /clock to be discovered: leave --no-discovery out");
  }
}

/// "30s", "500ms", "2m", "1h"; seconds without a unit.
std::chrono::nanoseconds duration_of(const std::string & text) {
  static const std::map<std::string, double> units = {{"", 1},   {"s", 1},    {"ms", 1e-3},
                                                      {"m", 60}, {"min", 60}, {"h", 3600}};
  std::size_t end = 0;
  double number = 0;
  try {
    number = std::stod(text, &end);
  } catch (const std::exception &) {  // no number, or none that a double can be
  }
  const auto unit = units.find(text.substr(std::min(end, text.size())));
  if (unit == units.end() || !(number > 0) || number * unit->second > 1e9) {
    throw CommandError("'" + text + "' is no time such as 30s or 2m");
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(number * unit->second * 1e9));
}

void set_black_box(const RecordOptions & options, bag::RecorderOptions & recorder) {
  if (options.black_box.empty()) {
    if (!options.trigger_topics.empty() || !options.watched_nodes.empty()) {
      throw CommandError("--trigger-topics and --watch are for --black-box");
    }
    return;
  }
  recorder.black_box = duration_of(options.black_box);
  recorder.snapshot_mode = true;
  for (const std::string & topic : options.trigger_topics) {
    recorder.trigger_topics.push_back(topic_name(topic));
  }
  for (const std::string & node : options.watched_nodes) {
    recorder.watched_nodes.push_back(node_name(node));
  }
  if (recorder.selection.is_empty()) {
    recorder.selection.all_topics = recorder.selection.all_services = true;
  }
}

bag::RecorderOptions recorder_options(RecordOptions & options) {
  bag::RecorderOptions & recorder = options.recorder;
  fill_selection(options.selection, recorder.selection);
  recorder.selection.all_topics = recorder.selection.all_topics || options.all;
  recorder.selection.all_services = recorder.selection.all_services || options.all;
  set_black_box(options, recorder);
  check(options);
  const auto now = fmt::localtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  recorder.writer.folder = options.output.empty() ? fmt::format("rosbag2_{:%Y_%m_%d-%H_%M_%S}", now) : options.output;
  recorder.writer.max_file_duration = options.max_duration * 1000000000;
  recorder.writer.storage = bag::storage_options(options.profile, options.storage_config);
  bag::set_compression(recorder.writer, options.compression_mode, options.compression_format);
  recorder.polling_interval = std::chrono::milliseconds(options.polling_interval);
  for (const std::string & entry : options.custom_data) {
    const std::size_t sign = entry.find('=');
    if (sign == std::string::npos) {
      throw CommandError("--custom-data takes KEY=VALUE, not '" + entry + "'");
    }
    recorder.writer.custom_data[entry.substr(0, sign)] = entry.substr(sign + 1);
  }
  if (!options.qos_overrides.empty()) {
    recorder.qos_overrides = bag::read_qos_overrides(options.qos_overrides);
  }
  return recorder;
}

void toggle(bag::Recorder & recorder, const rclcpp::Logger & logger) {
  recorder.is_paused() ? recorder.resume() : recorder.pause();
  RCLCPP_INFO(logger, recorder.is_paused() ? "Pausing recording." : "Resuming recording.");
}

int record(RecordOptions & options) {
  const bag::RecorderOptions recording = recorder_options(options);
  watch_for_interrupt();
  const BagContext context(options.log_level);
  const rclcpp::Logger logger = rclcpp::get_logger(recording.node_name);
  Keyboard keyboard(!options.disable_keyboard);
  if (keyboard.is_there()) {
    RCLCPP_INFO(logger, "Press SPACE for pausing/resuming");
  }
  bag::Recorder recorder(recording, context.get());
  while (!is_interrupted() && recorder.is_recording()) {
    if (keyboard.next(std::chrono::milliseconds(50)) == " ") {
      toggle(recorder, logger);
    }
  }
  recorder.stop();
  RCLCPP_INFO(logger, "Recording stopped: %llu messages in %s",
              static_cast<unsigned long long>(recorder.message_count()), recording.writer.folder.c_str());
  return 0;
}

}  // namespace

void add_bag_record(Commands & commands, CLI::App & parent) {
  commands.verb<RecordOptions>(parent, "record", "Record topics and services to a bag", declare, record);
}

}  // namespace ros2cli
