// Random values for messages of any type, the same for the same seed everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "tandem/message_type.hpp"

namespace tandem::oracle {

struct RandomLimits {
  std::size_t elements = 4;     ///< of a sequence, at most
  std::size_t characters = 12;  ///< of a string, at most
};

/// Gives every field of the message a value: any number (zero, extremes, infinities and a NaN among them), strings of
/// well-formed text, sequences of any length within bounds and limits.
void randomize(const MessageType & type, void * message, std::mt19937_64 & random, const RandomLimits & limits = {});

}  // namespace tandem::oracle
