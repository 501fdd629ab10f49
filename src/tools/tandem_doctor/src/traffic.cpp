#include "traffic.hpp"

#include "format.hpp"

namespace tandem::doctor {
namespace {

Ends & ends_of(Traffic & traffic, const std::string & topic) {
  const auto service = transport::service_of(topic);
  if (!service) {
    return traffic.topics[topic];
  }
  Service & found = traffic.services[*service];
  return channel_of(topic) == Channel::kRequest ? found.requests : found.replies;
}

}  // namespace

Traffic traffic_of(const inspection::Domain & domain) {
  Traffic traffic;
  for (const inspection::Region & region : domain.regions) {
    if (region.state != inspection::State::kAlive) {
      continue;
    }
    for (const inspection::Publisher & each : region.publishers) {
      ends_of(traffic, each.info.topic).publishers.emplace_back(&region, &each);
    }
    for (const inspection::Subscription & each : region.subscriptions) {
      ends_of(traffic, each.info.topic).subscriptions.emplace_back(&region, &each);
    }
  }
  return traffic;
}

std::string subject_of(const std::string & topic) {
  const auto service = transport::service_of(topic);
  return service ? "service " + *service : "topic " + topic;
}

std::string noun_of(const std::string & topic) {
  switch (channel_of(topic)) {
    case Channel::kRequest: return "request";
    case Channel::kReply: return "reply";
    case Channel::kTopic: break;
  }
  return "message";
}

std::string nouns_of(const std::string & topic, std::uint64_t number) {
  const std::string noun = noun_of(topic);
  return number_of(number, noun, noun == "reply" ? "replies" : noun + "s");
}

std::string type_of(const EndpointInfo & endpoint) {
  const auto service =
      channel_of(endpoint.topic) == Channel::kTopic ? std::nullopt : transport::service_type_of(endpoint.type.name);
  return service.value_or(endpoint.type.name);
}

}  // namespace tandem::doctor
