// `ros2 topic list`, `type` and `find`: which topics there are.
#include <fmt/format.h>

#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "graph/list_options.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

using Topics = std::map<std::string, Topic>;

void declare_list(Commands &, CLI::App & app, ListOptions & options) {
  declare_common(app, options, "topics");
  declare_types(app, options);
  declare_count(app, options, "topics");
  app.add_flag("-v,--verbose", options.verbose, "Show publishers and subscriptions apart, with types and numbers");
  app.add_flag("--json", options.json, "Print JSON: an array of topics with types and numbers");
}

std::string verbose_section(const Topics & topics, bool published) {
  std::string text = published ? "Published topics:\n" : "Subscribed topics:\n";
  for (const auto & [name, topic] : topics) {
    const std::size_t count = published ? topic.publishers.size() : topic.subscriptions.size();
    if (count != 0) {
      text += fmt::format(" * {} [{}] {} {}{}\n", name, joined(topic.types), count,
                          published ? "publisher" : "subscriber", count > 1 ? "s" : "");
    }
  }
  return text + '\n';
}

void print_as_json(const Topics & topics) {
  Json all = Json::array();
  for (const auto & [name, topic] : topics) {
    all.push_back({{"name", name},
                   {"types", topic.types},
                   {"publishers", topic.publishers.size()},
                   {"subscriptions", topic.subscriptions.size()}});
  }
  print_json(all);
}

int list(ListOptions & options) {
  const Topics topics = topics_of(Session(options.session).graph(), with_hidden(options));
  if (options.json) {
    print_as_json(topics);
  } else if (options.verbose && !options.count) {
    print(topics.empty() ? "" : verbose_section(topics, true) + verbose_section(topics, false));
  } else {
    print_list(options, types_by_name(topics));
  }
  return 0;
}

void declare_type(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_common(app, options, "topics");
  commands.complete(app.add_option("topic_name", options.name, "Name of the topic, such as /chatter")->required(),
                    topic_names);
}

int type(ListOptions & options) {
  print_types("topic", topic_name(options.name), types_by_name(topics_of(Session(options.session).graph(), true)));
  return 0;
}

void declare_find(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_common(app, options, "topics");
  commands.complete(app.add_option("topic_type", options.name, "Type, such as std_msgs/msg/String")->required(),
                    topic_types);
  declare_count(app, options, "topics");
}

int find(ListOptions & options) {
  print_found(options, types_by_name(topics_of(Session(options.session).graph(), with_hidden(options))));
  return 0;
}

}  // namespace

void add_topic_list(Commands & commands, CLI::App & topic) {
  commands.verb<ListOptions>(topic, "list", "List the topics", declare_list, list);
  commands.verb<ListOptions>(topic, "type", "Print the type of a topic", declare_type, type);
  commands.verb<ListOptions>(topic, "find", "List the topics of a type", declare_find, find);
}

}  // namespace ros2cli
