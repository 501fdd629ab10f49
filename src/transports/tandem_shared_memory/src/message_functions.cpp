#include "message_functions.hpp"

#include <dlfcn.h>

#include "tandem/message_check.hpp"

namespace rmw_tandem {
namespace {

const tandem::MessageType & type_at(const void * type) { return *static_cast<const tandem::MessageType *>(type); }

bool is_sound(const void * type, const void * message, const void * region, std::size_t size) {
  return tandem::is_well_formed(type_at(type), message, region, size);
}

bool copy(const void * type, void * memory, const void * message) {
  try {
    type_at(type).copy_construct(memory, message);
    return true;
  } catch (...) {  // the heap is full
    return false;
  }
}

void destroy(const void * type, void * message) { type_at(type).destroy(message); }

void keep_loaded(const void * address) {
  Dl_info library{};
  if (dladdr(address, &library) == 0 || library.dli_fname == nullptr) {
    return;
  }
  if (void * handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) {
    dlclose(handle);
  }
}

}  // namespace

tandem::MessageFunctions functions_of(const tandem::MessageType & type) {
  if (type.is_fixed_size) {
    return {};
  }
  keep_loaded(&type);
  keep_loaded(reinterpret_cast<const void *>(type.operations.destroy));
  return {&type, is_sound, copy, destroy};
}

}  // namespace rmw_tandem
