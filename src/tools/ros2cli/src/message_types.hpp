// Types of messages that are known at run time only, and objects of them.
#pragma once

#include <memory>
#include <string>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace ros2cli {

/// An object of a type: default-constructed, owned, not copyable.
class Message {
 public:
  /// \throws std::bad_alloc
  explicit Message(const tandem::MessageType & type);
  ~Message();
  Message(const Message &) = delete;
  Message & operator=(const Message &) = delete;

  const tandem::MessageType & type() const { return type_; }
  void * get() { return memory_; }

 private:
  const tandem::MessageType & type_;
  void * memory_;
};

/// What is sent for an interface: a message itself, the request of a service, the goal of an action.
/// \throws CommandError that says what is missing.
const tandem::MessageType & sent_type(const std::string & interface);

/// The type of "std_srvs/srv/SetBool", or "std_srvs/SetBool" for short. \throws CommandError that says what is missing.
const tandem::ServiceType & service_type(const std::string & name);

/// The type of "example_interfaces/action/Fibonacci". \throws CommandError that says what is missing.
const tandem::ActionType & action_type(const std::string & name);

/// The installed type that an endpoint has. \throws CommandError if it is not installed, or differs from the endpoint's.
const tandem::MessageType & installed_type(const tandem::transport::EndpointInfo & endpoint);

/// The type of an endpoint for somebody who only counts its messages: the installed one or, if there is none, one without
/// fields and size that matches all the same where messages lie in shared memory.
const tandem::MessageType & countable_type(const tandem::transport::EndpointInfo & endpoint);

/// Whether the fields of a type are known, which those of countable_type() may not be.
bool is_opaque(const tandem::MessageType & type);

}  // namespace ros2cli
