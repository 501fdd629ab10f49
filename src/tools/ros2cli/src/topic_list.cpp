// `ros2 topic list`, `type` and `find`: which topics there are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ament_index.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "json.hpp"
#include "verbs.hpp"

namespace ros2cli {
namespace {

struct ListOptions {
  SessionOptions session;
  std::string name;  ///< of the topic or type that is asked for
  bool hidden = false;
  const CLI::App * topic = nullptr;
  bool types = false;
  bool count = false;
  bool verbose = false;
  bool json = false;
};

using Topics = std::map<std::string, Topic>;

void declare_common(CLI::App & app, ListOptions & options) {
  declare_session(app, options.session);
  options.topic = app.get_parent();
  app.add_flag("--include-hidden-topics", options.hidden, "Show hidden topics too, whose names have a part like '_a'");
}

/// Asked for before or behind the verb.
bool with_hidden(const ListOptions & options) {
  return options.hidden || options.topic->count("--include-hidden-topics") != 0;
}

void declare_list(Commands &, CLI::App & app, ListOptions & options) {
  declare_common(app, options);
  app.add_flag("-t,--show-types", options.types, "Show the types too");
  app.add_flag("-c,--count-topics", options.count, "Print only how many topics there are");
  app.add_flag("-v,--verbose", options.verbose, "Show publishers and subscriptions apart, with types and numbers");
  app.add_flag("--json", options.json, "Print JSON: an array of topics with types and numbers");
}

std::string joined(const std::set<std::string> & types) { return fmt::format("{}", fmt::join(types, ", ")); }

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
  } else if (options.count) {
    print(fmt::format("{}\n", topics.size()));
  } else if (options.verbose) {
    print(topics.empty() ? "" : verbose_section(topics, true) + verbose_section(topics, false));
  } else {
    std::string lines;
    for (const auto & [name, topic] : topics) {
      lines += options.types ? fmt::format("{} [{}]\n", name, joined(topic.types)) : name + '\n';
    }
    print(lines);
  }
  return 0;
}

void declare_type(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_common(app, options);
  commands.complete(app.add_option("topic_name", options.name, "Name of the topic, such as /chatter")->required(),
                    topic_names);
}

int type(ListOptions & options) {
  const Topics topics = topics_of(Session(options.session).graph(), true);
  const auto topic = topics.find(topic_name(options.name));
  if (topic == topics.end()) {
    throw unknown("topic", options.name, names_of(topics));
  }
  print(fmt::format("{}\n", fmt::join(topic->second.types, "\n")));
  return 0;
}

void declare_find(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_common(app, options);
  commands.complete(app.add_option("topic_type", options.name, "Type, such as std_msgs/msg/String")->required(),
                    topic_types);
  app.add_flag("-c,--count-topics", options.count, "Print only how many topics there are");
}

int find(ListOptions & options) {
  std::string lines;
  std::size_t count = 0;
  for (const auto & [name, topic] : topics_of(Session(options.session).graph(), with_hidden(options))) {
    if (topic.types.count(options.name) != 0) {
      lines += name + '\n';
      ++count;
    }
  }
  print(options.count ? fmt::format("{}\n", count) : lines);
  return 0;
}

}  // namespace

void add_topic_list(Commands & commands, CLI::App & topic) {
  commands.verb<ListOptions>(topic, "list", "List the topics", declare_list, list);
  commands.verb<ListOptions>(topic, "type", "Print the type of a topic", declare_type, type);
  commands.verb<ListOptions>(topic, "find", "List the topics of a type", declare_find, find);
}

}  // namespace ros2cli
