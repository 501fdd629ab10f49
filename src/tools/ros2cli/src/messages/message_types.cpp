#include "messages/message_types.hpp"

#include "tandem/type_library.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

template <class Found>
auto value_or_throw(const Found & found) {
  if (!found) {
    throw CommandError(found.error());
  }
  return *found;
}

/// "std_srvs/SetBool" has the folder added.
std::string with_folder(const std::string & name, const char * folder) {
  const std::size_t slash = name.find('/');
  const bool is_short = slash != std::string::npos && name.rfind('/') == slash;
  return is_short ? name.substr(0, slash) + folder + name.substr(slash) : name;
}

}  // namespace

const tandem::MessageType & sent_type(const std::string & interface) {
  constexpr std::string_view kEvent = "_Event";
  const bool is_event = interface.size() > kEvent.size() &&
                        interface.compare(interface.size() - kEvent.size(), kEvent.size(), kEvent) == 0;
  if (interface.find("/srv/") != std::string::npos && !is_event) {
    return *value_or_throw(tandem::find_service_type(interface))->request;
  }
  if (interface.find("/action/") != std::string::npos) {
    return *action_type(interface).goal;
  }
  return *value_or_throw(tandem::find_message_type(interface));
}

const tandem::ServiceType & service_type(const std::string & name) {
  return *value_or_throw(tandem::find_service_type(with_folder(name, "/srv")));
}

const tandem::ActionType & action_type(const std::string & name) {
  return *value_or_throw(tandem::find_action_type(with_folder(name, "/action")));
}

}  // namespace ros2cli
