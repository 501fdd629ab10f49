// A message on its way through the gateway.
#pragma once

#include <utility>

#include "grade.hpp"
#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// Either borrowed from a publisher of this host (`sample`), or an object of the gateway (`object`).
struct QueuedMessage {
  transport::Sample sample;
  OwnedMessage object;
  transport::MessageInfo info;
  Grade grade;           ///< of the subscription that brought it
  std::size_t size = 0;  ///< bytes of its CDR
  const void * data() const { return object ? object.get() : sample.message; }
};

}  // namespace tandem::gateway
