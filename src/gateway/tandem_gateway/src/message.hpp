// A message on its way through the gateway: borrowed from a publisher of this host, or an object of our own.
#pragma once

#include <utility>

#include "grade.hpp"
#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// Either of the two.
struct Item {
  transport::Sample sample;
  OwnedMessage own;
  transport::MessageInfo info;
  Grade grade;           ///< of the subscription that brought it
  std::size_t size = 0;  ///< bytes of its CDR
  const void * message() const { return own ? own.get() : sample.message; }
};

}  // namespace tandem::gateway
