// `ros2 doctor`: becomes `tandem doctor`, which always tells everything.
#include "command/verbs.hpp"
#include "installed/programs.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

struct DoctorOptions {
  bool report = false;
  bool failed = false;
  bool warnings = false;
  bool no_packages = false;
};

/// ROS 2 spells the short ones -rf, -iw and -ep, which here are two letters each.
void declare(Commands &, CLI::App & app, DoctorOptions & options) {
  app.add_flag("-r,--report", options.report, "Accepted for compatibility: everything is always reported");
  app.add_flag("-f,--report-failed", options.failed, "Accepted for compatibility");
  app.add_flag("-i,-w,--include-warnings", options.warnings, "Accepted for compatibility");
  app.add_flag("-e,-p,--exclude-packages", options.no_packages, "Accepted for compatibility: packages are not checked");
}

int doctor(DoctorOptions &) { become_beside("tandem-doctor", "tandem_doctor"); }

}  // namespace

void add_doctor(Commands & commands) {
  commands.verb<DoctorOptions>(commands.root(), "doctor", "Say what is wrong: `tandem doctor`", declare, doctor);
}

}  // namespace ros2cli
