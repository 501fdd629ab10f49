// What the kit's tests share.
#pragma once

#include <stdlib.h>

#include <filesystem>

#include "../../tandem_transport/test/transport_test.hpp"

namespace tandem::transport {

using test::eventually;

/// A shared-memory folder of this test's own, for as long as it lives.
class SharedMemoryFolder {
 public:
  SharedMemoryFolder() {
    char folder[] = "/dev/shm/tandem-kit-test-XXXXXX";
    path = mkdtemp(folder);
    setenv("TANDEM_SHM_DIR", path.c_str(), 1);
  }
  ~SharedMemoryFolder() { std::filesystem::remove_all(path); }
  SharedMemoryFolder(const SharedMemoryFolder &) = delete;
  SharedMemoryFolder & operator=(const SharedMemoryFolder &) = delete;

  std::filesystem::path path;
};

}  // namespace tandem::transport
