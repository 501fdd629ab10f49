// What the conformance tests share: message types, a fixture with a context of the transport under test, and waiting.
//
// Tests wait for conditions, never for time. A topic name is unique to its test, so that what an earlier test left
// behind does not matter.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/transport.hpp"

#include "features.hpp"

namespace conformance {

namespace transport = tandem::transport;
using transport::Context;
using transport::Durability;
using transport::EndpointKind;
using transport::Feature;
using transport::History;
using transport::Loan;
using transport::Publisher;
using transport::PublishResult;
using transport::Qos;
using transport::Reliability;
using transport::Sample;
using transport::Subscription;
using transport::WaitSet;

/// Each word of a message tells its value, so that a torn or foreign message is seen.
inline constexpr std::uint64_t kDefaultValue = 7;

struct Small {
  std::uint64_t value = kDefaultValue;
  std::uint64_t inverse = ~kDefaultValue;
  TANDEM_MESSAGE_MEMORY
};

struct Large {
  std::array<std::uint64_t, 1024 * 1024> words;
  TANDEM_MESSAGE_MEMORY
};

/// Strings, and sequences within sequences.
using Report = diagnostic_msgs::msg::DiagnosticArray;

void fill(Small & message, std::uint64_t value);
void fill(Large & message, std::uint64_t value);
void fill(Report & message, std::uint64_t value);
/// Whether the message is whole and has this value.
bool holds(const Small & message, std::uint64_t value);
bool holds(const Large & message, std::uint64_t value);
bool holds(const Report & message, std::uint64_t value);
inline std::uint64_t value_in(const Small & message) { return message.value; }
inline std::uint64_t value_in(const Large & message) { return message.words.front(); }
inline std::uint64_t value_in(const Report & message) { return static_cast<std::uint32_t>(message.header.stamp.sec); }

template <class T>
const tandem::MessageType & type_of();

/// As type_of<Small>(), but of another definition in one respect.
const tandem::MessageType & small_with_other_name();
const tandem::MessageType & small_with_other_hash();
const tandem::MessageType & small_with_other_abi();

/// How long a condition is waited for. Generous: the machine may be many times slower than ours.
inline std::chrono::seconds patience{60};

/// The tests' domain, and one apart from it. Beside a run without a network of its own, other programs' domain is 0.
inline constexpr std::uint32_t kDomain = 71;
inline constexpr std::uint32_t kOtherDomain = 72;

/// As deep as every middleware's queues can be made.
inline constexpr std::uint32_t kDeep = 250;

bool eventually(const std::function<bool()> & condition);

Qos keep_last(std::uint32_t depth);
Qos keep_all(std::chrono::nanoseconds max_blocking_time = patience);
Qos transient_local(Qos qos);
Qos best_effort(Qos qos);

transport::TopicOptions options_of(const std::string & topic, const Qos & qos);

/// Chosen by --transport.
transport::Transport & transport_under_test();
void choose_transport(const std::string & name);

/// Another context of the transport under test: for a middleware, as good as another process.
std::shared_ptr<Context> new_context(std::uint32_t domain = kDomain);

/// Sends stderr into a file for as long as it lives.
class CapturedStderr {
 public:
  CapturedStderr();
  ~CapturedStderr();
  std::string text() const;

 private:
  std::FILE * file_;
  int saved_;
};

class Conformance : public testing::Test {
 protected:
  /// A topic of this test only.
  static std::string topic(const std::string & name = "a");

  template <class T = Small>
  std::shared_ptr<Publisher> publisher(const std::string & topic, const Qos & qos) {
    return context_->create_publisher(type_of<T>(), options_of(topic, qos));
  }
  template <class T = Small>
  std::shared_ptr<Subscription> subscription(const std::string & topic, const Qos & qos) {
    return context_->create_subscription(type_of<T>(), options_of(topic, qos));
  }

  std::shared_ptr<Context> context_ = new_context();
};

/// Waits until the two see each other and nobody else.
::testing::AssertionResult matched(const Publisher & publisher, const Subscription & subscription);

template <class T = Small>
PublishResult publish(Publisher & publisher, std::uint64_t value) {
  T message;
  fill(message, value);
  return publisher.publish(&message);
}

template <class T = Small>
const T & message_of(const Sample & sample) {
  return *static_cast<const T *>(sample.message);
}

/// The value of a whole message; a torn one fails the test.
template <class T = Small>
std::uint64_t value_of(const Sample & sample) {
  const T & message = message_of<T>(sample);
  EXPECT_TRUE(holds(message, value_in(message))) << "torn message of value " << value_in(message);
  return value_in(message);
}

/// The next message, waiting for it. Empty (and the test fails) when the limit is over.
Sample take_one(Subscription & subscription);

/// Takes `count` messages, waiting for them; fewer when the limit is over.
std::vector<std::uint64_t> take_values(Subscription & subscription, std::size_t count);

/// Takes until this value comes, waiting for it. \return all that came; without it at the end when the limit is over.
std::vector<std::uint64_t> take_until(Subscription & subscription, std::uint64_t last);

/// first, first + 1, ..., last.
std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last);

}  // namespace conformance
