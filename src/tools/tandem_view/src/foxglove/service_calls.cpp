#include "foxglove/service_calls.hpp"

#include <fmt/format.h>

#include "connection/fields.hpp"
#include "foxglove/encoding.hpp"

namespace tandem::view {
namespace {

constexpr std::uint8_t kServiceResponse = 3;
constexpr std::size_t kMostPending = 100;
constexpr std::size_t kHeader = 13;  // opcode, service, call, length of the encoding's name

}  // namespace

void ServiceCalls::call(const std::string & message) {
  const std::size_t length = message.size() >= kHeader ? read_u32(message, kHeader - 4) : 0;
  if (message.size() < kHeader || length > message.size() - kHeader) {
    throw BadRequest("a service call that is cut off");
  }
  const Call call{read_u32(message, 1), read_u32(message, 5), message.substr(kHeader, length),
                  message.substr(kHeader + length)};
  try {
    start(call);
  } catch (const std::runtime_error & error) {
    fail(call, error.what());
  }
}

void ServiceCalls::start(const Call & call) {
  const auto & services = world_.catalogue.services();
  const auto found = services.find(call.service);
  if (found == services.end() || found->second.type == nullptr) {
    throw BadRequest(fmt::format("there is no service {}", call.service));
  }
  if (!is_encoding(call.encoding)) {
    throw BadRequest(fmt::format("the encoding '{}' is not understood, cdr and json are", call.encoding));
  }
  if (*pending_ == kMostPending) {
    throw BadRequest(fmt::format("{} calls of this client have no reply yet", kMostPending));
  }
  const ServiceType & type = *found->second.type;
  auto request = decode(*type.request, call.encoding, call.payload);
  if (!request) {
    throw BadRequest(fmt::format("it is no {}: {}", type.request->name, request.error()));
  }
  ++*pending_;
  const auto answer = [call, &type, sender = sender_, pending = pending_](const void * response,
                                                                          const std::string & why) {
    --*pending;
    if (response == nullptr) {
      sender->json({{"op", "serviceCallFailure"}, {"serviceId", call.service}, {"callId", call.id}, {"message", why}});
      return;
    }
    std::string head;
    append_u32(append_u32(append_u8(head, kServiceResponse), call.service), call.id);
    append_u32(head, static_cast<std::uint32_t>(call.encoding.size())) += call.encoding;
    sender->binary(std::move(head), std::make_shared<const Bytes>(encode(*type.response, call.encoding, response)));
  };
  try {
    world_.asker.ask(found->second.name, type, std::move(*request), answer);
  } catch (...) {
    --*pending_;
    throw;
  }
}

void ServiceCalls::fail(const Call & call, const std::string & why) {
  sender_->json({{"op", "serviceCallFailure"}, {"serviceId", call.service}, {"callId", call.id}, {"message", why}});
}

}  // namespace tandem::view
