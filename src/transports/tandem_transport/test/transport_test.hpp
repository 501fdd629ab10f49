// What the tests of transports share. Included by its path: it belongs to no library.
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <functional>
#include <thread>

#include "tandem/transport.hpp"

namespace tandem::test {

/// True as soon as the condition is; false after a time that only a hang reaches.
inline bool eventually(const std::function<bool()> & condition,
                       std::chrono::steady_clock::duration limit = std::chrono::seconds(60)) {
  for (const auto end = std::chrono::steady_clock::now() + limit; !condition();) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// The transport in the file of a plug-in, which stays loaded. Null if there is none.
inline transport::Transport * load_plugin(const char * file) {
  void * library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  auto * make =
      library == nullptr ? nullptr : reinterpret_cast<transport::Transport * (*)()>(dlsym(library, "tandem_transport"));
  return make == nullptr ? nullptr : make();
}

}  // namespace tandem::test
