#include <unistd.h>

#include <cstdlib>

#include "delivery/wait_set_impl.hpp"
#include "folder/folder.hpp"
#include "input.hpp"
#include "memory/region.hpp"
#include "process/process.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

/// Sets a variable; the value before is set again.
class Variable {
 public:
  Variable(const char * name, const std::string & value) : name_(name) {
    const char * before = std::getenv(name);
    is_set_ = before != nullptr;
    before_ = is_set_ ? before : "";
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { is_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable & operator=(const Variable &) = delete;

 private:
  const char * name_;
  bool is_set_ = false;
  std::string before_;
};

void open_root(const std::string & base, const std::string & text) {
  if (text.find("..") != std::string::npos) {
    return;  // it might lead out of here
  }
  const std::string path = base + "/" + text;
  const Variable variable("TANDEM_SHM_DIR", path);
  const auto root = RootFolder::open();
  require(root || root.error().message.find("TANDEM_SHM_DIR") != std::string::npos, "a refusal names the variable");
  if (root && path.find_first_not_of('/', base.size()) != std::string::npos) {
    rmdir(path.c_str());
  }
}

}  // namespace

int environment(const std::uint8_t * data, std::size_t size) {
  Input input(data, size);
  const Log log;
  Process & process = Process::instance();
  static const RootFolder root = *RootFolder::open();
  const std::uint8_t which = input.byte() % 3;
  const std::string text = input.text(5000);
  if (which == 0) {
    const Variable variable("TANDEM_REGION_SIZE", text);
    const auto region = Region::create(root);
    require(region || !region.error().message.empty(), "a refusal has a reason");
    require(!region || ((*region)->reserved() >= std::size_t{8} << 20 && (*region)->reserved() <= std::size_t{1} << 40),
            "a region has 8 MiB to 1 TiB");
  } else if (which == 1) {
    const Variable variable("TANDEM_SPIN_US", text);
    WaitSetImpl set(process, kBells - 1);
    set.wait(std::chrono::nanoseconds(0));
  } else {
    open_root(root.path, text);
  }
  return 0;
}

}  // namespace tandem::fuzz
