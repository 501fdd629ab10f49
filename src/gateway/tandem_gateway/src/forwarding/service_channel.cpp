#include "forwarding/service_channel.hpp"

#include <new>
#include <utility>

#include "tandem/cdr.hpp"

namespace tandem::gateway {
namespace {

using transport::Channel;
using transport::PublishResult;

/// Messages before others have their turn.
constexpr int kMessagesPerTurn = 32;
/// How long requests wait for their server to match the gateway's client. The graph shows that it is there.
constexpr auto kServerTimeout = std::chrono::seconds(5);

}  // namespace

std::shared_ptr<transport::Subscription> ServiceChannel::source() const {
  if (kind_ == Channel::kRequest) {
    return ends_.server->requests();
  }
  return ends_.client ? ends_.client->replies() : nullptr;
}

void ServiceChannel::connect(std::shared_ptr<transport::ServiceClient> client) {
  if (kind_ == Channel::kReply) {
    lost_before_ += ends_.client ? ends_.client->replies()->lost() : 0;
    is_attached_ = false;
  }
  waiting_since_.reset();
  ends_.client = std::move(client);
}

bool ServiceChannel::is_idle() const {
  const auto from = source();
  return queue_.empty() && !(from && from->has_data());
}

Counts ServiceChannel::counts() const {
  Counts all = counts_;
  const auto from = source();
  all.lost += lost_before_ + (from ? from->lost() : 0);
  return all;
}

ServiceChannel::Progress ServiceChannel::forward(transport::WaitSet & wait_set) {
  const auto from = source();
  if (!from) {
    return {};
  }
  if (!std::exchange(is_attached_, true)) {
    wait_set.attach(from);
  }
  flush();
  const bool needed_client = needs_client();
  bool has_more = false;
  try {
    int taken = 0;
    for (; taken < kMessagesPerTurn && from->has_data(); ++taken) {
      QueuedMessage message;
      if (!take(*from, direction_, type(), spare_, message)) {
        break;
      }
      if (kind_ == Channel::kReply && !address(message)) {
        continue;  // another reply has gone before
      }
      message.size = serialized_size(type(), message.data());
      queue_.push(std::move(message));
      flush();
    }
    has_more = taken == kMessagesPerTurn;
  } catch (const std::bad_alloc &) {
    return {false, true, false};  // what is there stays there
  }
  counts_.lost += queue_.trim(0);
  return {has_more, !queue_.empty(), !needed_client && needs_client()};
}

/// Whether a request can go on. Those that have waited for too long are dropped.
bool ServiceChannel::may_send() {
  if (kind_ == Channel::kReply) {
    return true;
  }
  if (ends_.client && ends_.client->is_ready()) {
    waiting_since_.reset();
    return true;
  }
  waiting_since_ = waiting_since_.value_or(Clock::now());
  if (Clock::now() - *waiting_since_ > kServerTimeout) {
    for (; !queue_.empty(); queue_.pop()) {
      ++counts_.lost;
    }
    waiting_since_.reset();
  }
  return false;
}

/// Puts the id of the request that was asked in place of the one under which it went on. \return whether it is awaited.
bool ServiceChannel::address(QueuedMessage & reply) const {
  const auto asker = ends_.calls->take(reply.info.request.sequence);
  reply.info.request = asker.value_or(transport::RequestId());
  return asker.has_value();
}

void ServiceChannel::flush() {
  while (!queue_.empty() && may_send() && send(queue_.front()) != PublishResult::kTimeout) {
    queue_.pop();
  }
}

PublishResult ServiceChannel::send(QueuedMessage & message) {
  if (kind_ == Channel::kRequest) {
    const auto ask = [&](auto & request) {
      return ends_.calls->add(message.info.request,
                              [&](std::int64_t & sequence) { return ends_.client->send(request, sequence); });
    };
    const PublishResult result = publish_with(ask, message, spare_, counts_);
    counts_.lost += ends_.calls->trim();
    return result;
  }
  const auto reply = [&](auto & response) { return ends_.server->reply(response, message.info.request); };
  return publish_with(reply, message, spare_, counts_);
}

}  // namespace tandem::gateway
