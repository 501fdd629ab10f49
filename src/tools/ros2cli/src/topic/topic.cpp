// `ros2 topic`: its verbs, each in a file of its own.
#include "command/verbs.hpp"

namespace ros2cli {

void add_topic(Commands & commands) {
  CLI::App & topic = commands.group("topic", "Show, watch and write topics");
  topic.add_flag("--include-hidden-topics")->description("Show hidden topics too, as behind the verb");
  add_topic_list(commands, topic);
  add_topic_info(commands, topic);
  add_topic_echo(commands, topic);
  add_topic_pub(commands, topic);
  add_topic_hz(commands, topic);
  add_topic_bw(commands, topic);
  add_topic_delay(commands, topic);
}

}  // namespace ros2cli
