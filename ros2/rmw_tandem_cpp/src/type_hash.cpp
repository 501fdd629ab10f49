#include "type_hash.hpp"

#include <algorithm>
#include <stdexcept>

#include "type_description.hpp"

namespace tandem_rmw {
namespace {

/// \param handle  a type support of either kind
template <class Handle, class Type>
TypeHash hash([[maybe_unused]] const Handle & handle, [[maybe_unused]] const Type & type) {
#ifdef TANDEM_RMW_HAS_TYPE_HASH
  const rosidl_type_hash_t * const told = handle.get_type_hash_func(&handle);
  if (told == nullptr || told->version != 1) throw std::invalid_argument("its hash is none of RIHS01");
  TypeHash hash{};
  std::copy(std::begin(told->value), std::end(told->value), hash.begin());
  return hash;
#else
  return computed_hash(type);
#endif
}

}  // namespace

TypeHash hash_of(const rosidl_message_type_support_t & handle, const RosType & type) { return hash(handle, type); }
TypeHash hash_of(const rosidl_service_type_support_t & handle, const RosServiceType & type) {
  return hash(handle, type);
}

}  // namespace tandem_rmw
