// `ros2 bag play`: a bag's messages to their topics.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bag/bag_options.hpp"
#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/bag/player.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/keyboard.hpp"

namespace ros2cli {
namespace {

namespace bag = tandem::bag;

struct PlayOptions {
  bag::PlayerOptions player;
  BagSelection selection;
  std::string path;
  std::string storage;
  std::string storage_config;
  std::vector<std::string> remaps;
  std::string qos_overrides;
  std::string requests_source = "service_introspection";
  std::string log_level = "info";
  double start_offset = 0;
  double delay = 0;
  double duration = -1;
  double until_sec = -1;
  std::int64_t until_nsec = -1;
  std::int64_t wait_for_all_acked = -1;
  bool disable_keyboard = false;
};

void declare_when(CLI::App & app, PlayOptions & options) {
  bag::PlayerOptions & player = options.player;
  app.add_option("-r,--rate", player.rate, "How fast: 2 is twice as fast as recorded")
      ->check(positive_number())
      ->capture_default_str();
  app.add_flag("-l,--loop", player.loop, "Begin again at the end");
  app.add_flag("-p,--start-paused", player.start_paused, "Wait until resumed, by the space bar or the service");
  app.add_option("--start-offset", options.start_offset, "Seconds of the bag that are left out at its begin")
      ->check(non_negative_number());
  app.add_option("-d,--delay", options.delay, "Seconds to wait before playing, in each loop")
      ->check(non_negative_number());
  app.add_option("--playback-duration", options.duration, "Seconds of the bag to play");
  CLI::Option * const seconds = app.add_option("--playback-until-sec", options.until_sec,
                                               "Play until this time of the bag, in seconds since the epoch");
  app.add_option("--playback-until-nsec", options.until_nsec, "The same in nanoseconds")->excludes(seconds);
  app.add_option("--wait-for-all-acked", options.wait_for_all_acked,
                 "At the end wait so many milliseconds for reliable subscriptions to have everything; 0: without end");
  app.add_option("--read-ahead-queue-size", player.read_ahead, "Messages that are read ahead")
      ->check(positive_number())
      ->capture_default_str();
}

void declare_clock(CLI::App & app, PlayOptions & options) {
  bag::PlayerOptions & player = options.player;
  CLI::Option * const clock = app.add_option("--clock", player.clock_frequency, "Publish /clock, 40 times a second")
                                  ->expected(0, 1)
                                  ->default_str("40")
                                  ->type_name("HZ")
                                  ->check(positive_number());
  app.add_option("--clock-topics", player.clock_topics, "Publish /clock before each message of these topics")
      ->expected(1, -1)
      ->excludes(clock);
  app.add_flag("--clock-topics-all", player.clock_topics_all, "Publish /clock before each message")->excludes(clock);
}

void declare(Commands & commands, CLI::App & app, PlayOptions & options) {
  bag::PlayerOptions & player = options.player;
  app.add_option("bag_path", options.path, "The bag: its folder, or a file of it")->required();
  app.add_option("-s,--storage", options.storage, "Accepted for compatibility: the storage is seen in the files");
  declare_when(app, options);
  declare_clock(app, options);
  declare_selection(commands, app, options.selection);
  app.add_option("-m,--remap", options.remaps, "Other names for topics")->expected(1, -1)->type_name("OLD:=NEW");
  app.add_option("--qos-profile-overrides-path", options.qos_overrides, "YAML file of QoS by topic");
  app.add_option("--storage-config-file", options.storage_config, "Accepted for compatibility");
  app.add_flag("--disable-loan-message", player.disable_loans, "Publish messages of ordinary memory, which are copied");
  app.add_flag("--publish-service-requests", player.publish_service_requests,
               "Call services as they were called, instead of publishing the events that tell of it");
  app.add_option("--service-requests-source", options.requests_source, "Who told of the requests")
      ->check(CLI::IsMember({"service_introspection", "client_introspection"}));
  app.add_flag("--disable-keyboard-controls", options.disable_keyboard);
  declare_log_level(app, options.log_level);
}

bag::nanoseconds ns(double seconds) {
  return bag::nanoseconds(static_cast<std::int64_t>(std::max(-1e9, std::min(1e9, seconds)) * 1e9));
}

bag::PlayerOptions player_options(PlayOptions & options) {
  bag::PlayerOptions & player = options.player;
  player.bag = options.path;
  fill_selection(options.selection, player.selection);
  player.start_offset = ns(options.start_offset);
  player.delay = ns(options.delay);
  player.duration = ns(options.duration);
  player.until = options.until_sec >= 0 ? ns(options.until_sec).count() : options.until_nsec;
  player.wait_for_all_acked = std::chrono::milliseconds(options.wait_for_all_acked);
  player.requests_of_clients = options.requests_source == "client_introspection";
  for (std::string & topic : player.clock_topics) {
    topic = topic_name(topic);
  }
  for (const std::string & rule : options.remaps) {
    const std::size_t sign = rule.find(":=");
    if (sign == std::string::npos) {
      throw CommandError("--remap takes OLD:=NEW, not '" + rule + "'");
    }
    player.remaps[topic_name(rule.substr(0, sign))] = topic_name(rule.substr(sign + 2));
  }
  if (!options.qos_overrides.empty()) {
    player.qos_overrides = bag::read_qos_overrides(options.qos_overrides);
  }
  return player;
}

void tell_keys(const rclcpp::Logger & logger) {
  for (const char * const line : {"Press SPACE for Pause/Resume", "Press CURSOR_RIGHT for Play Next Message",
                                  "Press CURSOR_UP for Increase Rate 10%", "Press CURSOR_DOWN for Decrease Rate 10%"}) {
    RCLCPP_INFO(logger, "%s", line);
  }
}

void change_rate(bag::Player & player, double factor, const rclcpp::Logger & logger) {
  player.set_rate(player.rate() * factor);
  RCLCPP_INFO(logger, "Set rate to %g", player.rate());
}

void obey(const std::string & key, bag::Player & player, const rclcpp::Logger & logger) {
  if (key == " ") {
    player.is_paused() ? player.resume() : player.pause();
    RCLCPP_INFO(logger, player.is_paused() ? "Pausing play." : "Resuming play.");
  } else if (key == "\x1b[C") {
    player.play_next();
  } else if (key == "\x1b[A") {
    change_rate(player, 1.1, logger);
  } else if (key == "\x1b[B") {
    change_rate(player, 0.9, logger);
  }
}

int play(PlayOptions & options) {
  const bag::PlayerOptions playing = player_options(options);
  watch_for_interrupt();
  const BagContext context(options.log_level);
  const rclcpp::Logger logger = rclcpp::get_logger(playing.node_name);
  bag::Player player(playing, context.get());
  Keyboard keyboard(!options.disable_keyboard);
  if (keyboard.is_there()) {
    tell_keys(logger);
  }
  player.play();
  while (!is_interrupted() && !player.wait(std::chrono::milliseconds(keyboard.is_there() ? 0 : 50))) {
    obey(keyboard.next(std::chrono::milliseconds(keyboard.is_there() ? 50 : 0)), player, logger);
  }
  player.stop();
  return 0;
}

}  // namespace

void add_bag_play(Commands & commands, CLI::App & parent) {
  commands.verb<PlayOptions>(parent, "play", "Publish a bag's messages", declare, play);
}

}  // namespace ros2cli
