// A library with a type of each sort, as generated ones are found at run time.
#include "all_kinds.hpp"

extern "C" {

__attribute__((visibility("default"))) const tandem::MessageType * tandem_message_type__test_pkg__msg__Made() {
  static constexpr tandem::MessageType kType =
      tandem::detail::make_message_type<kinds::Nothing>({"test_pkg/msg/Made", {}, nullptr, 0});
  return &kType;
}

__attribute__((visibility("default"))) const tandem::ServiceType * tandem_service_type__test_pkg__srv__Serve() {
  static const tandem::ServiceType kType{"test_pkg/srv/Serve", {}, nullptr, nullptr};
  return &kType;
}

__attribute__((visibility("default"))) const tandem::ActionType * tandem_action_type__test_pkg__action__Act() {
  static const tandem::ActionType kType{
      "test_pkg/action/Act", {}, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  return &kType;
}
}
