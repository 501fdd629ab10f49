// The messages that a transport carries, and where the payload lies in each.
#pragma once

#include "tandem/measure/transport_link.hpp"
#include "trial/spec.hpp"

namespace lab {

/// What the spec's `message` and `size` name.
/// \throws std::runtime_error when a fixed message of this size does not exist.
tandem::measure::MessageKind message_kind(const Spec & spec);

}  // namespace lab
