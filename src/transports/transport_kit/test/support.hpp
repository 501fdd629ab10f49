// What the kit's tests share.
#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

namespace tandem::transport {

/// Whether the condition becomes true within a minute.
inline bool eventually(const std::function<bool()> & condition) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60); !condition();) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

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
