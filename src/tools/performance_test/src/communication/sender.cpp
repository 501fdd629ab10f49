// See sender.hpp.
#include "communication/sender.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "tandem/transport.hpp"

namespace performance_test {
namespace {

/// What the middleware itself says.
std::string reason_against_loans(const tandem::transport::Transport & transport, const tandem::MessageType & type) {
  using tandem::transport::Feature;
  for (const auto & limit : transport.limits()) {
    if (limit.feature == Feature::kLoans) return limit.reason;
    if (limit.feature == Feature::kVariableLoans && !type.is_fixed_size) return limit.reason;
  }
  return "not in this set-up";
}

}  // namespace

Sender::Sender(const EndpointSetup & setup, Communication & communication)
    : kind_(setup.kind),
      content_{setup.options.check_payload, setup.options.unbounded_size},
      writer_(communication.make_writer(setup)) {
  if (setup.options.zero_copy && !writer_->can_loan()) {
    const auto & transport = communication.transport();
    throw std::runtime_error(fmt::format("--zero-copy: {} lends no messages of type {}: {}; leave --zero-copy out",
                                         transport.name(), kind_.name,
                                         reason_against_loans(transport, kind_.on_link.type())));
  }
}

SendResult Sender::send(const SendRequest & request) {
  const auto fill = [this, &request](void * message) { kind_.prepare(message, request, content_); };
  try {
    return writer_->send(fill) ? SendResult::kSent : SendResult::kNoLoan;
  } catch (const std::exception & error) {
    if (!std::exchange(explained_, true)) std::fprintf(stderr, "perf_test: publishing failed: %s\n", error.what());
    return SendResult::kFailed;
  }
}

}  // namespace performance_test
