// `ros2 service`: its verbs, each in a file of its own.
#include "command/verbs.hpp"

namespace ros2cli {

void add_service(Commands & commands) {
  CLI::App & service = commands.group("service", "Show and call services");
  service.add_flag("--include-hidden-services")->description("Show hidden services too, as behind the verb");
  add_service_list(commands, service);
  add_service_info(commands, service);
  add_service_call(commands, service);
  add_service_echo(commands, service);
}

}  // namespace ros2cli
