#include "gateway/status.hpp"

#include <map>
#include <utility>

namespace tandem::gateway {
namespace {

Carried carried_by(const Topic & topic, Direction direction) {
  const Counts counts = total(topic, direction);
  Carried carried{
      counts.messages, counts.bytes, counts.lost, counts.copied, topic.proxies.size(), topic.subscriptions.size(), 0};
  for (const auto & [gid, proxy] : topic.proxies) {
    carried.readers += proxy.publisher ? proxy.publisher->subscription_count() : 0;
  }
  return carried;
}

void add(const ServiceChannel & channel, Direction direction, ServiceStatus & status) {
  const Counts counts = channel.counts();
  if (channel.kind() == transport::Channel::kRequest) {
    status.is_local = direction == Direction::kIn;
    status.requests = counts.messages;
    status.clients = channel.ends().server->requests()->publisher_count();
  } else {
    status.replies = counts.messages;
  }
  status.type = channel.ends().type->name;
  status.waiting = channel.ends().calls->size();
  status.bytes += counts.bytes;
  status.lost += counts.lost;
}

}  // namespace

Status status_of(Forwarder & out, Forwarder & in) {
  std::map<std::string, TopicStatus> topics;
  std::map<std::string, ServiceStatus> services;
  for (Forwarder * forwarder : {&out, &in}) {
    const Direction direction = forwarder->direction();
    const std::lock_guard lock(forwarder->mutex());
    for (const auto & [name, topic] : forwarder->topics()) {
      TopicStatus & status = topics[name];
      status.topic = name;
      status.type = topic.type != nullptr ? topic.type->name : "";
      (direction == Direction::kOut ? status.out : status.in) = carried_by(topic, direction);
    }
    for (const auto & [name, channel] : forwarder->services()) {
      services[name].service = name;
      add(channel, direction, services[name]);
    }
  }
  Status result;
  for (auto & [name, status] : topics) {
    result.topics.push_back(std::move(status));
  }
  for (auto & [name, status] : services) {
    result.services.push_back(std::move(status));
  }
  return result;
}

}  // namespace tandem::gateway
