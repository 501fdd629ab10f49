// Sends one message after the other, copied or lent.
#pragma once

#include <memory>
#include <string>

#include "communication/communication.hpp"
#include "communication/messages.hpp"

namespace performance_test {

enum class SendResult { kSent, kNoLoan, kFailed };

/// One thread at a time; matched() from any.
class Sender {
 public:
  /// \throws std::runtime_error when the options ask for loans that the writer cannot give.
  Sender(const EndpointSetup & setup, Communication & communication);

  /// Never throws: the first failure is explained on stderr.
  SendResult send(const SendRequest & request);
  std::size_t matched() const { return writer_->matched(); }

 private:
  const MessageKind & kind_;
  const Content content_;
  const std::unique_ptr<Writer> writer_;
  bool explained_ = false;
};

}  // namespace performance_test
