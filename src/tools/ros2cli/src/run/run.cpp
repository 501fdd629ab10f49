// `ros2 run`: becomes an executable of a package, so that signals and the exit status are the program's own.
#include <fmt/format.h>

#include "command/verbs.hpp"
#include "installed/ament_index.hpp"
#include "installed/programs.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

struct RunOptions {
  std::string prefix;
  std::string package;
  std::string executable;
  const Commands * commands = nullptr;
};

/// The words of a shell command; quotes and backslashes as in sh.
std::vector<std::string> split(const std::string & command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
      quote = quote == '\0' ? c : '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      words.back() += command[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') {
    throw CommandError(fmt::format("--prefix '{}' is no command: a quote is not closed", command));
  }
  return words;
}

std::vector<std::string> executables_of(const std::vector<std::string> & before) {
  return names_of(executables(before.at(0)));
}

void declare(Commands & commands, CLI::App & app, RunOptions & options) {
  options.commands = &commands;
  app.add_option("--prefix", options.prefix, "Put COMMAND before the executable, as in --prefix 'gdb -ex run --args'")
      ->type_name("COMMAND");
  commands.complete(app.add_option("package", options.package, "Name of an installed package")->required(),
                    package_names);
  commands.complete(app.add_option("executable", options.executable, "Name of one of its executables"), executables_of);
  app.footer(
      "What follows the executable is passed on as it is; --ros-args begins what is for the node, as in\n"
      "--ros-args -r topic:=other -r __node:=name --log-level debug");
}

int run(RunOptions & options) {
  if (options.executable.empty()) {
    const auto names = names_of(executables(options.package));
    throw CommandError(fmt::format("name an executable of package '{}'; these exist: {}", options.package,
                                   names.empty() ? "none" : listing(names)));
  }
  std::vector<std::string> command = split(options.prefix);
  command.push_back(executable_path(options.package, options.executable));
  const auto & arguments = options.commands->passed_on();
  command.insert(command.end(), arguments.begin(), arguments.end());
  become(command);
}

}  // namespace

void add_run(Commands & commands) {
  commands.verb<RunOptions>(commands.root(), "run", "Run an executable of a package", declare, run);
}

}  // namespace ros2cli
