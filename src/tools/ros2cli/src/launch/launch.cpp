// `ros2 launch`: becomes the program of package ros2launch; known here for its help and its completion.
#include <fmt/format.h>

#include "command/verbs.hpp"
#include "installed/ament_index.hpp"
#include "installed/programs.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

struct LaunchOptions {
  std::string package;
  std::string file;
  std::vector<std::string> arguments;
  std::string prefix;
  std::string filter;
};

std::vector<std::string> files_of(const std::vector<std::string> & before) { return launch_files(before.at(0)); }

void declare(Commands & commands, CLI::App & app, LaunchOptions & options) {
  app.add_flag("-n,--noninteractive");
  app.add_flag("-d,--debug");
  app.add_flag("-p,--print,--print-description");
  app.add_flag("-s,--show-args,--show-arguments");
  app.add_flag("-a,--show-all-subprocesses-output");
  app.add_option("--launch-prefix", options.prefix);
  app.add_option("--launch-prefix-filter", options.filter);
  commands.complete(app.add_option("package", options.package), package_names);
  commands.complete(app.add_option("file", options.file), files_of);
  app.add_option("arguments", options.arguments);
}

int run(LaunchOptions &) {
  throw CommandError("the package ros2launch is not installed beside this ros2, nor in a sourced workspace");
}

}  // namespace

void add_launch(Commands & commands) {
  commands.verb<LaunchOptions>(commands.root(), "launch", "Run a launch file", declare, run);
}

}  // namespace ros2cli
