// Every command declares itself and its verbs here.
#pragma once

#include "command/commands.hpp"

namespace ros2cli {

void add_run(Commands & commands);
void add_launch(Commands & commands);
void add_pkg(Commands & commands);
void add_interface(Commands & commands);
void add_node(Commands & commands);
void add_lifecycle(Commands & commands);
void add_topic(Commands & commands);
void add_service(Commands & commands);
void add_action(Commands & commands);
void add_param(Commands & commands);
void add_component(Commands & commands);
void add_daemon(Commands & commands);
void add_doctor(Commands & commands);
void add_bag(Commands & commands);

// Verbs of `ros2 topic`, each in a file of its own.
void add_topic_list(Commands & commands, CLI::App & topic);  ///< list, type, find
void add_topic_info(Commands & commands, CLI::App & topic);
void add_topic_echo(Commands & commands, CLI::App & topic);
void add_topic_pub(Commands & commands, CLI::App & topic);
void add_topic_hz(Commands & commands, CLI::App & topic);
void add_topic_bw(Commands & commands, CLI::App & topic);
void add_topic_delay(Commands & commands, CLI::App & topic);

// Verbs of `ros2 service`.
void add_service_list(Commands & commands, CLI::App & service);  ///< list, type, find
void add_service_info(Commands & commands, CLI::App & service);
void add_service_call(Commands & commands, CLI::App & service);
void add_service_echo(Commands & commands, CLI::App & service);

// Verbs of `ros2 action`.
void add_action_list(Commands & commands, CLI::App & action);  ///< list, type, find, info
void add_action_send_goal(Commands & commands, CLI::App & action);

// Verbs of `ros2 param`.
void add_param_list(Commands & commands, CLI::App & param);   ///< list, describe
void add_param_get(Commands & commands, CLI::App & param);    ///< get, set, delete
void add_param_files(Commands & commands, CLI::App & param);  ///< dump, load

// Verbs of `ros2 component`.
void add_component_load(Commands & commands, CLI::App & component);  ///< load, standalone

// Verbs of `ros2 bag`.
void add_bag_convert(Commands & commands, CLI::App & bag);
void add_bag_info(Commands & commands, CLI::App & bag);
void add_bag_play(Commands & commands, CLI::App & bag);
void add_bag_record(Commands & commands, CLI::App & bag);
void add_bag_reindex(Commands & commands, CLI::App & bag);

}  // namespace ros2cli
