// What `list`, `type` and `find` of topics, services and actions have in common: names with types, and the options for them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "graph/session.hpp"

namespace ros2cli {

struct ListOptions {
  SessionOptions session;
  std::string name;  ///< of the topic, service or type that is asked for
  bool hidden = false;
  const CLI::App * group = nullptr;
  std::string hidden_flag;  ///< of the group, with the same meaning
  bool types = false;
  bool count = false;
  bool verbose = false;
  bool json = false;
};

/// Declares the session's options and --include-hidden-<things>. `things` is "topics" or "services".
void declare_common(CLI::App & app, ListOptions & options, const std::string & things);
/// Declares -t.
void declare_types(CLI::App & app, ListOptions & options);
/// Declares -c.
void declare_count(CLI::App & app, ListOptions & options, const std::string & things);

/// Whether hidden ones are asked for, before or behind the verb.
bool with_hidden(const ListOptions & options);

std::string joined(const std::set<std::string> & types);

using TypesByName = std::map<std::string, std::set<std::string>>;

/// Of a map of topics, services or actions.
template <class Map>
TypesByName types_by_name(const Map & map) {
  TypesByName types;
  for (const auto & [name, entry] : map) {
    types.emplace(name, entry.types);
  }
  return types;
}

/// The names, with their types if those are asked for; or how many there are.
void print_list(const ListOptions & options, const TypesByName & all);
/// The types of one, a line each. `kind` is "topic", "service" or "action". \throws CommandError if there is none of that name.
void print_types(const std::string & kind, const std::string & name, const TypesByName & all);
/// Those of the type, as print_list().
void print_found(const ListOptions & options, const TypesByName & all);

}  // namespace ros2cli
