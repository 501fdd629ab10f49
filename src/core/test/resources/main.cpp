// Roles of other processes in the tests of limits.
#include <cstring>

#include "agent.hpp"
#include "small_shm.hpp"
#include "subject.hpp"

namespace tandem::test {
namespace {

Role roles(const std::string & name) {
  if (name == "subject") {
    return [](const std::vector<std::string> &) { return run_subject(); };
  }
  return {};
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) {
  if (argc < 2 || std::strncmp(argv[1], "--role=", 7) != 0) {
    tandem::test::enter_mount_namespace();
  }
  return tandem::test::run(argc, argv, tandem::test::roles);
}
