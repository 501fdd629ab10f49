// Requests of services, out of the events that tell of them.
#include <fmt/format.h>

#include <cstdint>

#include "play/played_topic.hpp"
#include "tandem/cdr.hpp"
#include "tandem/introspection.hpp"
#include "tandem/service.hpp"
#include "tandem/tools/message_types.hpp"
#include "tandem/type_library.hpp"

namespace tandem::bag {
namespace {

// Kinds of service_msgs/msg/ServiceEventInfo.
constexpr std::int64_t kRequestSent = 0;
constexpr std::int64_t kRequestReceived = 1;

const ServiceType & service_type_of(const Topic & topic, const std::string & service) {
  const std::string name = topic.type.substr(0, topic.type.rfind("_Event"));
  const auto type = find_service_type(name);
  if (!type) {
    throw Error(fmt::format("Service '{}' is not played: {}", service, type.error()));
  }
  if ((*type)->event == nullptr) {
    throw Error(fmt::format("Service '{}' is not played: {} was generated without its events", service, name));
  }
  return **type;
}

class PlayedRequests : public PlayedTopic {
 public:
  PlayedRequests(const Topic & topic, const std::string & service, const PlayerOptions & options, const Stage & stage)
      : service_(service),
        type_(service_type_of(topic, service)),
        kind_(options.requests_of_clients ? kRequestSent : kRequestReceived),
        event_(*type_.event),
        client_(stage.context, type_, service_options(service, options, stage)) {}

  bool prepare(const Message & message) override {
    const auto done = deserialize(*type_.event, message.data, message.size, event_.get());
    if (!done) {
      throw Error(fmt::format("A request of '{}' is not played: {}", service_, done.error()));
    }
    const auto kind = find_value(*type_.event, event_.get(), "info.event_type");
    const auto request = find_value(*type_.event, event_.get(), "request[0]");
    const bool is_wanted = kind && request && as_int64(*kind) == kind_;
    request_ = is_wanted ? request->memory : nullptr;
    return is_wanted;
  }

  void publish() override {
    while (client_.replies()->take()) {  // nobody waits for them
    }
    if (std::int64_t sequence = 0; client_.is_ready()) {
      client_.send(request_, sequence);
    }
  }

 private:
  static transport::ServiceOptions service_options(const std::string & service, const PlayerOptions & options,
                                                   const Stage & stage) {
    const auto other = options.remaps.find(service);
    transport::ServiceOptions made;
    made.node = stage.node;
    made.service = other != options.remaps.end() ? other->second : service;
    return made;
  }

  const std::string service_;
  const ServiceType & type_;
  const std::int64_t kind_;
  tools::Message event_;
  transport::ServiceClient client_;
  const void * request_ = nullptr;  // in event_
};

}  // namespace

std::unique_ptr<PlayedTopic> play_requests(const Topic & topic, const std::string & service,
                                           const PlayerOptions & options, const Stage & stage) {
  return std::make_unique<PlayedRequests>(topic, service, options, stage);
}

}  // namespace tandem::bag
