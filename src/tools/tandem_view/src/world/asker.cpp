#include "world/asker.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace tandem::view {
namespace {

constexpr auto kReplyPatience = std::chrono::seconds(10);

}  // namespace

void Asker::ask(const std::string & service, const ServiceType & type, OwnedMessage request, Answer answer) {
  transport::ServiceOptions options;
  options.node = node_;
  options.service = service;
  auto client = std::make_unique<transport::ServiceClient>(context_, type, options);
  pending_.push_back(
      {service, std::move(client), std::move(request), std::move(answer), Clock::now() + kReplyPatience});
}

void Asker::poll() {
  // Answers may ask again.
  std::list<Pending> done;
  for (auto each = pending_.begin(); each != pending_.end();) {
    const auto next = std::next(each);
    bool is_done = true;
    try {
      is_done = advance(*each);
    } catch (const std::exception & error) {
      std::fprintf(stderr, "tandem view: %s: %s\n", each->service.c_str(), error.what());
    }
    if (is_done) {
      done.splice(done.end(), pending_, each);
    }
    each = next;
  }
}

bool Asker::advance(Pending & pending) {
  if (Clock::now() > pending.deadline) {
    pending.answer(nullptr, fmt::format("{} did not {} within {} s", pending.service,
                                        pending.is_sent ? "reply" : "become reachable", kReplyPatience.count()));
    return true;
  }
  if (!pending.is_sent && pending.client->is_ready()) {
    const auto result = pending.client->send(pending.request, pending.sequence);
    if (result != transport::PublishResult::kOk) {
      pending.answer(
          nullptr, fmt::format("the request to {} cannot be sent: {}", pending.service, transport::to_string(result)));
      return true;
    }
    pending.is_sent = true;
  }
  while (pending.is_sent) {
    const transport::Sample reply = pending.client->replies()->take();
    if (!reply) {
      return false;
    }
    if (reply.info.request.sequence == pending.sequence) {
      pending.answer(reply.message, "");
      return true;
    }
  }
  return false;
}

}  // namespace tandem::view
