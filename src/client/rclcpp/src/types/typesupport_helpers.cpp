// Types by name, as rosidl's handles.
#include "rclcpp/typesupport_helpers.hpp"

#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "rclcpp/detail/type_support_handle.hpp"
#include "tandem/type_library.hpp"

namespace rclcpp {
namespace {

/// What users ask for.
constexpr const char * kIdentifier = "rosidl_typesupport_cpp";
/// What handles say of themselves: their data is for us alone.
constexpr const char * kOwnIdentifier = "rosidl_typesupport_tandem";

void require_known(const std::string & type, const std::string & identifier) {
  if (identifier != kIdentifier) {
    throw std::runtime_error("the type " + type + " has no type support '" + identifier + "', only '" + kIdentifier +
                             "'");
  }
}

/// "std_msgs/String" has the folder added.
std::string full_name(const std::string & type, const char * folder) {
  const std::size_t first = type.find('/');
  if (first == 0 || first == std::string::npos || type.back() == '/') {
    throw std::runtime_error("'" + type + "' is no name of a type: it must be like package/" + folder + "/Name");
  }
  return first == type.rfind('/') ? type.substr(0, first + 1) + folder + type.substr(first) : type;
}

/// What the function in the library returns. `what` is "message" or "service".
const void * look_up(const std::string & type, const char * what, rcpputils::SharedLibrary & library) {
  std::string symbol = "tandem_" + std::string(what) + "_type__";
  for (const char c : type) symbol += c == '/' ? "__" : std::string(1, c);
  if (!library.has_symbol(symbol)) {
    throw std::runtime_error("the library " + library.get_library_path() + " has no " + what + " " + type);
  }
  return reinterpret_cast<const void * (*)()>(library.get_symbol(symbol))();
}

/// Handles by type. Never destroyed.
template <class Handle>
struct Handles {
  std::mutex mutex;
  std::map<const void *, Handle> by_type;  // its elements stay where they are
};

template <class Handle>
const Handle * itself(const Handle * handle, const char * identifier) {
  const std::string_view name(identifier);
  return name == kIdentifier || name == kOwnIdentifier ? handle : nullptr;
}

template <class Handle>
const Handle * handle_of_type(const void * type) {
  static auto & handles = *new Handles<Handle>;
  const std::lock_guard<std::mutex> lock(handles.mutex);
  return &handles.by_type.try_emplace(type, Handle{kOwnIdentifier, type, &itself<Handle>}).first->second;
}

}  // namespace

const rosidl_message_type_support_t * detail::handle_of(const tandem::MessageType & type) {
  return handle_of_type<rosidl_message_type_support_t>(&type);
}

const rosidl_service_type_support_t * detail::handle_of(const tandem::ServiceType & type) {
  return handle_of_type<rosidl_service_type_support_t>(&type);
}

const tandem::MessageType & detail::message_type_by_name(const std::string & type) {
  const auto found = tandem::find_message_type(full_name(type, "msg"));
  if (!found) throw std::runtime_error(found.error());
  return **found;
}

const tandem::ServiceType & detail::service_type_by_name(const std::string & type) {
  const auto found = tandem::find_service_type(full_name(type, "srv"));
  if (!found) throw std::runtime_error(found.error());
  return **found;
}

const tandem::MessageType * detail::type_of(const rosidl_message_type_support_t * handle) {
  if (handle == nullptr || std::strcmp(handle->typesupport_identifier, kOwnIdentifier) != 0) return nullptr;
  return static_cast<const tandem::MessageType *>(handle->data);
}

std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(const std::string & type,
                                                                  const std::string & typesupport_identifier) {
  require_known(type, typesupport_identifier);
  auto path = tandem::find_type_library(full_name(type, "msg"));
  if (!path) {
    const std::string reason = path.error();
    if (full_name(type, "srv") != full_name(type, "msg")) path = tandem::find_type_library(full_name(type, "srv"));
    if (!path) throw std::runtime_error(reason);
  }
  return std::make_shared<rcpputils::SharedLibrary>(*path);
}

const rosidl_message_type_support_t * get_message_typesupport_handle(const std::string & type,
                                                                     const std::string & typesupport_identifier,
                                                                     rcpputils::SharedLibrary & library) {
  require_known(type, typesupport_identifier);
  return detail::handle_of(
      *static_cast<const tandem::MessageType *>(look_up(full_name(type, "msg"), "message", library)));
}

const rosidl_service_type_support_t * get_service_typesupport_handle(const std::string & type,
                                                                     const std::string & typesupport_identifier,
                                                                     rcpputils::SharedLibrary & library) {
  require_known(type, typesupport_identifier);
  return detail::handle_of(
      *static_cast<const tandem::ServiceType *>(look_up(full_name(type, "srv"), "service", library)));
}

const rosidl_message_type_support_t * get_typesupport_handle(const std::string & type,
                                                             const std::string & typesupport_identifier,
                                                             rcpputils::SharedLibrary & library) {
  return get_message_typesupport_handle(type, typesupport_identifier, library);
}

}  // namespace rclcpp
