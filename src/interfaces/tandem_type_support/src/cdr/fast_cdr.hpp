// Fast CDR 1 and 2, which name the same things differently.
#pragma once

#include <fastcdr/Cdr.h>
#include <fastcdr/config.h>
#include <fastcdr/exceptions/Exception.h>

#include <cstddef>

namespace tandem::detail {

/// For PLAIN_CDR, whose alignment is 8 at most.
inline eprosima::fastcdr::Cdr plain_cdr(eprosima::fastcdr::FastBuffer & buffer,
                                        eprosima::fastcdr::Cdr::Endianness endianness) {
#if FASTCDR_VERSION_MAJOR >= 2
  return eprosima::fastcdr::Cdr(buffer, endianness, eprosima::fastcdr::CdrVersion::XCDRv1);
#else
  return eprosima::fastcdr::Cdr(buffer, endianness);
#endif
}

inline char * position_of(eprosima::fastcdr::Cdr & cdr) {
#if FASTCDR_VERSION_MAJOR >= 2
  return cdr.get_current_position();
#else
  return cdr.getCurrentPosition();
#endif
}

template <class Number>
void write_numbers(eprosima::fastcdr::Cdr & cdr, const Number * first, std::size_t count) {
#if FASTCDR_VERSION_MAJOR >= 2
  cdr.serialize_array(first, count);
#else
  cdr.serializeArray(first, count);
#endif
}

template <class Number>
void read_numbers(eprosima::fastcdr::Cdr & cdr, Number * first, std::size_t count) {
#if FASTCDR_VERSION_MAJOR >= 2
  cdr.deserialize_array(first, count);
#else
  cdr.deserializeArray(first, count);
#endif
}

}  // namespace tandem::detail
