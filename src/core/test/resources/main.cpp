#include <cstring>

#include "harness.hpp"
#include "small_shm.hpp"

int main(int argc, char ** argv) {
  if (argc < 2 || std::strncmp(argv[1], "--role=", 7) != 0) {
    tandem::test::enter_mount_namespace();
  }
  return tandem::test::run(argc, argv);
}
