// See messages.hpp.
#include "communication/messages.hpp"

#include <stdexcept>

namespace performance_test {

const MessageKind & find_message(const std::string & name) {
  static const std::vector<MessageKind> all = [] {
    std::vector<MessageKind> kinds;
    for (const auto & group : {array_messages(), sequence_messages(), struct_messages(), point_cloud_messages()}) {
      kinds.insert(kinds.end(), group.begin(), group.end());
    }
    return kinds;
  }();
  for (const MessageKind & kind : all) {
    if (kind.name == name) return kind;
  }
  throw std::runtime_error("unknown message type '" + name + "'; choose one of --msg-list");
}

}  // namespace performance_test
