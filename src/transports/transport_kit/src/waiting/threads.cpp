#include "tandem/kit/threads.hpp"

#include "tandem/transport.hpp"

namespace tandem::transport {

std::thread start_thread(const std::string & transport, std::function<void()> run) {
  const AllSignalsBlocked blocked;
  try {
    return std::thread(std::move(run));
  } catch (const std::exception & error) {
    throw Error(transport + ": no thread can be started: " + error.what());
  }
}

}  // namespace tandem::transport
