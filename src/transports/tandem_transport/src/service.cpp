#include "tandem/service.hpp"

namespace tandem::transport {
namespace {

struct Affixes {
  std::string_view prefix;
  std::string_view suffix;
};
constexpr Affixes kRequest{"rq", "Request"};
constexpr Affixes kReply{"rr", "Reply"};

std::string join(const Affixes & affixes, std::string_view service) {
  return std::string(affixes.prefix).append(service).append(affixes.suffix);
}

bool has_prefix(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix && name[prefix.size()] == '/';
}

/// What stands before the suffix, if it does and is not empty.
std::optional<std::string> without_suffix(std::string_view name, std::string_view suffix) {
  if (name.size() <= suffix.size() || name.substr(name.size() - suffix.size()) != suffix) {
    return std::nullopt;
  }
  return std::string(name.substr(0, name.size() - suffix.size()));
}

TopicOptions topic_options(const ServiceType & type, const ServiceOptions & options, std::string channel) {
  TopicOptions topic;
  topic.node = options.node;
  topic.topic = std::move(channel);
  topic.qos = options.qos;
  topic.service = &type;
  return topic;
}

}  // namespace

Channel channel_of(std::string_view topic) {
  return has_prefix(topic, kRequest.prefix) ? Channel::kRequest
         : has_prefix(topic, kReply.prefix) ? Channel::kReply
                                            : Channel::kTopic;
}

std::string request_channel(std::string_view service) { return join(kRequest, service); }
std::string reply_channel(std::string_view service) { return join(kReply, service); }

std::optional<std::string> service_of(std::string_view channel) {
  for (const Affixes & affixes : {kRequest, kReply}) {
    if (has_prefix(channel, affixes.prefix)) {
      return without_suffix(channel.substr(affixes.prefix.size()), affixes.suffix);
    }
  }
  return std::nullopt;
}

std::optional<std::string> service_type_of(std::string_view message_type) {
  const auto of_request = without_suffix(message_type, "_Request");
  return of_request ? of_request : without_suffix(message_type, "_Response");
}

ServiceClient::ServiceClient(Context & context, const ServiceType & type, const ServiceOptions & options)
    : replies_(
          context.create_subscription(*type.response, topic_options(type, options, reply_channel(options.service)))),
      requests_(
          context.create_publisher(*type.request, topic_options(type, options, request_channel(options.service)))) {}

ServiceServer::ServiceServer(Context & context, const ServiceType & type, const ServiceOptions & options)
    : replies_(context.create_publisher(*type.response, topic_options(type, options, reply_channel(options.service)))),
      requests_(
          context.create_subscription(*type.request, topic_options(type, options, request_channel(options.service)))) {}

}  // namespace tandem::transport
