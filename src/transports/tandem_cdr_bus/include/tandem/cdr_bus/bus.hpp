// What an adapter for a DDS implements that can write and read CDR bytes; context.hpp makes a whole transport of it.
//
// Thread-safe, all of it. Objects end in any order: a reader and a writer keep what they need of their bus.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::cdr_bus {

/// With its 4 bytes of encapsulation.
using Bytes = std::vector<std::uint8_t>;
using transport::Gid;

struct Message {
  Bytes cdr;
  std::int64_t stamp = 0;      ///< ns since the epoch, when it was written
  std::uint64_t sequence = 0;  ///< of its writer, from 0
  Gid writer{};
};

class Writer {
 public:
  virtual ~Writer() = default;
  virtual transport::PublishResult write(const Bytes & cdr) = 0;
  virtual std::size_t matched() const = 0;
  /// A negative timeout waits without end. \return false when the time is over.
  virtual bool wait_for_all_acked(std::chrono::nanoseconds timeout) = 0;
  virtual Gid gid() const = 0;
};

class Reader {
 public:
  virtual ~Reader() = default;
  /// The next message; `message.cdr` keeps its memory. \return false: there is none.
  virtual bool take(Message & message) = 0;
  virtual bool has_data() const = 0;
  virtual std::size_t matched() const = 0;
  virtual std::uint64_t lost() const = 0;
  virtual Gid gid() const = 0;
};

/// A writer or reader that is asked for.
struct Request {
  std::string topic;  ///< "rt/chatter"
  std::string type;   ///< "std_msgs::msg::dds_::String_"
  const MessageType *
      shape;  ///< its fields; nothing else of it is used, and it is gone when the writer or reader is made
  transport::Qos qos;
  std::string user_data;
  bool ignore_local = false;  ///< a reader hears no writer of its own participant
};

/// A writer or reader of another participant.
struct Found {
  transport::EndpointKind kind = transport::EndpointKind::kPublisher;
  std::string topic;
  std::string type;
  std::string user_data;
  transport::Qos qos;
  Gid gid{};
};

/// Called from the vendor's threads.
class Discovery {
 public:
  virtual ~Discovery() = default;
  virtual void found(const Found & endpoint) = 0;
  virtual void lost(const Gid & endpoint) = 0;
  virtual void lost_participant(const Gid & participant) = 0;
};

/// One participant. All that throws, throws transport::Error.
class Bus {
 public:
  virtual ~Bus() = default;
  virtual Gid gid() const = 0;
  virtual std::unique_ptr<Writer> create_writer(const Request & request) = 0;
  /// `on_data` is called after has_data() has become true, until the reader's destructor returns.
  virtual std::unique_ptr<Reader> create_reader(const Request & request, std::function<void()> on_data) = 0;
  /// Tells of all that is there and will be, until the bus ends or null is given. Returns when no call is under way.
  virtual void watch(Discovery * discovery) = 0;
};

}  // namespace tandem::cdr_bus
