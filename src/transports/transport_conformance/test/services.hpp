// Calling and serving, for tests and their peers.
#pragma once

#include <string>

#include "conformance.hpp"
#include "tandem/service.hpp"

namespace conformance {

/// A service whose request and reply are both a T.
template <class T>
const tandem::ServiceType & service_type_of() {
  static const tandem::ServiceType type{"conformance/srv/Change", {5}, &type_of<T>(), &type_of<T>()};
  return type;
}

inline transport::ServiceOptions service_options(const std::string & service, const Qos & qos = keep_last(10)) {
  return {{"/", "conformance"}, service, qos};
}

/// What the peer that serves replies.
inline std::uint64_t answer_to(std::uint64_t value) { return value + 1; }

/// \return the request's number.
template <class T = Small>
std::int64_t send(transport::ServiceClient & client, std::uint64_t value) {
  T message;
  fill(message, value);
  std::int64_t sequence = 0;
  EXPECT_EQ(client.send(static_cast<const void *>(&message), sequence), PublishResult::kOk);
  return sequence;
}

template <class T = Small>
PublishResult reply(transport::ServiceServer & server, const transport::RequestId & id, std::uint64_t value) {
  T message;
  fill(message, value);
  return server.reply(static_cast<const void *>(&message), id);
}

/// Sends a request and waits for its reply. \return the reply's value.
template <class T = Small>
std::uint64_t call(transport::ServiceClient & client, std::uint64_t value) {
  const std::int64_t sequence = send<T>(client, value);
  std::uint64_t answer = 0;
  EXPECT_TRUE(eventually([&] {
    while (const Sample sample = client.replies()->take()) {
      if (sample.info.request.sequence == sequence) {  // else another server's, or one that came twice
        answer = value_of<T>(sample);
        return true;
      }
    }
    return false;
  })) << "request "
      << value << " has no reply";
  return answer;
}

}  // namespace conformance
