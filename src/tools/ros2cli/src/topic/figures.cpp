#include "topic/figures.hpp"

#include "graph/graph.hpp"

namespace ros2cli {

void declare_figures(Commands & commands, CLI::App & app, FigureOptions & options, std::size_t window) {
  options.window = window;
  declare_session(app, options.session);
  commands.complete(app.add_option("topic", options.topic, "Name of the topic, such as /chatter")->required(),
                    topic_names);
  app.add_option("-w,--window", options.window, "Messages over which the figures are taken")
      ->capture_default_str()
      ->check(positive_number());
  app.add_flag("--json", options.json, "Print JSON: one object a second");
}

}  // namespace ros2cli
