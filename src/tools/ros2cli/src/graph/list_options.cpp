#include "graph/list_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {

void declare_common(CLI::App & app, ListOptions & options, const std::string & things) {
  declare_session(app, options.session);
  options.group = app.get_parent();
  options.hidden_flag = "--include-hidden-" + things;
  app.add_flag(options.hidden_flag, options.hidden,
               "Show hidden " + things + " too, whose names have a part like '_a'");
}

void declare_types(CLI::App & app, ListOptions & options) {
  app.add_flag("-t,--show-types", options.types, "Show the types too");
}

void declare_count(CLI::App & app, ListOptions & options, const std::string & things) {
  app.add_flag("-c,--count-" + things, options.count, "Print only how many " + things + " there are");
}

bool with_hidden(const ListOptions & options) {
  return options.hidden || options.group->count(options.hidden_flag) != 0;
}

std::string joined(const std::set<std::string> & types) { return fmt::format("{}", fmt::join(types, ", ")); }

void print_list(const ListOptions & options, const TypesByName & all) {
  if (options.count) {
    print(fmt::format("{}\n", all.size()));
    return;
  }
  std::string lines;
  for (const auto & [name, types] : all) {
    lines += options.types ? fmt::format("{} [{}]\n", name, joined(types)) : name + '\n';
  }
  print(lines);
}

void print_types(const std::string & kind, const std::string & name, const TypesByName & all) {
  const auto found = all.find(name);
  if (found == all.end()) {
    throw unknown(kind, name, names_of(all));
  }
  print(fmt::format("{}\n", fmt::join(found->second, "\n")));
}

void print_found(const ListOptions & options, const TypesByName & all) {
  TypesByName found;
  for (const auto & [name, types] : all) {
    if (types.count(options.name) != 0) {
      found.emplace(name, types);
    }
  }
  print_list(options, found);
}

}  // namespace ros2cli
