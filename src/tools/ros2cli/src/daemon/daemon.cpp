// `ros2 daemon`: accepted, so that scripts and habits go on working. Every command looks at the graph by itself.
#include "command/verbs.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct DaemonOptions {
  bool debug = false;
};

void declare_nothing(Commands &, CLI::App &, DaemonOptions &) {}

void declare_start(Commands &, CLI::App & app, DaemonOptions & options) {
  app.add_flag("-d,--debug", options.debug, "Accepted for compatibility");
}

int say(const char * sentence) {
  print(sentence);
  return 0;
}

int status(DaemonOptions &) { return say("The daemon is not running: there is none, and no command needs one\n"); }
int start(DaemonOptions &) { return say("There is no daemon to start: no command needs one\n"); }
int stop(DaemonOptions &) { return say("The daemon is not running\n"); }

}  // namespace

void add_daemon(Commands & commands) {
  CLI::App & daemon = commands.group("daemon", "Accepted for compatibility: there is no daemon");
  commands.verb<DaemonOptions>(daemon, "status", "Say that there is no daemon", declare_nothing, status);
  commands.verb<DaemonOptions>(daemon, "start", "Do nothing", declare_start, start);
  commands.verb<DaemonOptions>(daemon, "stop", "Do nothing", declare_nothing, stop);
}

}  // namespace ros2cli
