// How a transport's endpoints let go of the middleware's.
#pragma once

#include <memory>
#include <utility>

#include "tandem/kit/bus.hpp"

namespace tandem::transport {

/// Releases a reader or writer. In a child of fork() it leaks instead: nothing of the parent's may be touched there.
template <class T>
void release_endpoint(const Bus & bus, std::shared_ptr<T> & endpoint) {
  if (bus.is_foreign()) {
    new std::shared_ptr<T>(std::move(endpoint));
  }
}

}  // namespace tandem::transport
