// What carries messages: rclcpp over the chosen middleware, or a transport without rclcpp. Measuring knows neither.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "measuring/interval.hpp"
#include "options/options.hpp"

namespace tandem::transport {
class Transport;
}

namespace performance_test {

struct MessageKind;

struct EndpointSetup {
  const MessageKind & kind;
  const Options & options;
  std::string node;  ///< name of the endpoint's own node
  std::string topic;
};

/// Writes a message that is to be sent.
using Filling = std::function<void(void * message)>;

/// A publisher: of borrowed messages where the options say zero-copy, else of one message that is used again and copied.
/// One thread at a time; matched() and can_loan() from any.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Has a message filled and publishes it. \return false when none was to be borrowed.
  /// \throws std::exception that says why it failed.
  virtual bool send(const Filling & fill) = 0;
  virtual bool can_loan() const = 0;
  virtual std::size_t matched() const = 0;
};

/// A subscription.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual std::size_t matched() const = 0;
};

/// Called with each message where it lies, in the thread of the reader's loop.
using MessageHandler = std::function<void(const void * message, const PublisherId & publisher)>;

/// Delivers what comes for some readers, in the thread that runs it.
class Loop {
 public:
  virtual ~Loop() = default;
  /// Positive: waits at most so many ns for something to come. 0: only what is there. Negative: until stop().
  virtual void run(std::int64_t ns) = 0;
};

/// Made once, before the first thread. Thread-safe but for the making of endpoints.
class Communication {
 public:
  virtual ~Communication() = default;
  /// The middleware that is really used.
  virtual const tandem::transport::Transport & transport() const = 0;
  virtual std::uint32_t domain() const = 0;
  /// False once SIGINT or SIGTERM has come, or stop() was called.
  virtual bool ok() const = 0;
  /// Ends all loops.
  virtual void stop() = 0;

  // \throws std::exception that says which topic and why.
  virtual std::unique_ptr<Writer> make_writer(const EndpointSetup & setup) = 0;
  virtual std::unique_ptr<Reader> make_reader(const EndpointSetup & setup, MessageHandler handler) = 0;
  virtual std::unique_ptr<Loop> make_loop(const std::vector<Reader *> & readers) = 0;
};

/// The one that `--communication` names. \throws std::exception that says what to build or install.
std::unique_ptr<Communication> make_communication(const Options & options, int argc, char ** argv);
std::unique_ptr<Communication> make_rclcpp_communication(const Options & options, int argc, char ** argv);
std::unique_ptr<Communication> make_direct_communication(const Options & options, const std::string & transport);

/// What `-c help` prints: the plug-ins, and which of them are built.
std::string plugin_listing();

}  // namespace performance_test
