// `ros2 param`: its verbs, in files of their own.
#include "command/verbs.hpp"

namespace ros2cli {

void add_param(Commands & commands) {
  CLI::App & param = commands.group("param", "Show and set parameters of nodes");
  add_param_list(commands, param);
  add_param_get(commands, param);
  add_param_files(commands, param);
}

}  // namespace ros2cli
