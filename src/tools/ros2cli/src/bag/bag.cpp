// `ros2 bag`: its verbs, each in a file of its own.
#include "command/verbs.hpp"

namespace ros2cli {

void add_bag(Commands & commands) {
  CLI::App & bag = commands.group("bag", "Record messages to files, play them, and show what is in them");
  add_bag_record(commands, bag);
  add_bag_play(commands, bag);
  add_bag_info(commands, bag);
  add_bag_convert(commands, bag);
  add_bag_reindex(commands, bag);
}

}  // namespace ros2cli
