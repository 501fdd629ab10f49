#include "graph/service_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::milliseconds kLookForService{5};

}  // namespace

transport::Sample reply_to(const Session & session, const ServiceQuestion & question, transport::ServiceClient & client,
                           const void * request) {
  while (!client.is_ready()) {
    if (std::chrono::steady_clock::now() > question.deadline) {
      throw CommandError(question.absent);
    }
    std::this_thread::sleep_for(kLookForService);
  }
  const auto wait_set = session.context().create_wait_set();
  wait_set->attach(client.replies());
  std::int64_t sequence = 0;
  if (const auto result = client.send(request, sequence); result != transport::PublishResult::kOk) {
    throw CommandError(fmt::format("cannot ask node {}: {}", question.node, transport::to_string(result)));
  }
  for (;;) {
    transport::Sample reply = client.replies()->take();
    if (reply && reply.info.request.sequence == sequence) {
      return reply;
    }
    const auto left = question.reply_by - std::chrono::steady_clock::now();
    if (!reply && left.count() <= 0) {
      throw CommandError(question.late);
    }
    if (!reply && !client.is_ready()) {
      throw CommandError("node " + question.node + " went away before it replied");
    }
    if (!reply) {
      wait_set->wait(std::min<std::chrono::nanoseconds>(std::chrono::seconds(1), left));
    }
  }
}

}  // namespace ros2cli
