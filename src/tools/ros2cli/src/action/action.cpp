// `ros2 action`: its verbs, each in a file of its own.
#include "command/verbs.hpp"

namespace ros2cli {

void add_action(Commands & commands) {
  CLI::App & action = commands.group("action", "Show actions and send goals");
  add_action_list(commands, action);
  add_action_send_goal(commands, action);
}

}  // namespace ros2cli
