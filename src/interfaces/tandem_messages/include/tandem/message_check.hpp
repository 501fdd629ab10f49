// The check of a message that another process wrote, before anybody reads it.
#pragma once

#include <cstddef>

#include "tandem/message_type.hpp"

namespace tandem {

/// Whether the message can be read, copied and converted without leaving [region, region + size): every sequence and
/// string in it, nested ones too, is empty or has its elements in a block within the region, aligned for them; its
/// size is within its capacity and its bound, and a string is terminated.
///
/// Cost: proportional to the number of sequences and strings, whatever their length; none for a type of fixed size.
/// All blocks together may not be larger than the region, so that sequences that overlap cannot make it run for long.
/// Each word of the message is read once, and nothing outside of the message and the region. What the owner of the
/// memory writes after the check is not found out.
///
/// The values are not looked at. A `bool` may therefore hold any byte; what reads messages for conversion takes all
/// but 0 as true.
///
/// \pre `message` is aligned and lies, with all of its type.size bytes, in readable memory; so does the region.
/// Thread-safe. Allocates, locks, system calls, recursion beyond the nesting of the type: none. Errors: none.
bool is_well_formed(const MessageType & type, const void * message, const void * region,
                    std::size_t region_size) noexcept;

}  // namespace tandem
