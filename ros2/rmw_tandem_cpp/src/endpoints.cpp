#include "endpoints.hpp"

#include <algorithm>
#include <chrono>

#include <rmw/validate_full_topic_name.h>

#include "errors.hpp"
#include "qos.hpp"

namespace tandem_rmw {
namespace {

/// Messages that a subscription's listener keeps.
std::size_t depth_of(const transport::Qos & qos) {
  return qos.history == transport::History::kKeepAll ? tandem::kKeepAllDepth : qos.depth;
}

std::shared_ptr<Inbox> inbox_of(const std::shared_ptr<transport::Subscription> & subscription,
                                const transport::Qos & qos) {
  return std::make_shared<Inbox>(subscription, depth_of(qos), qos.deadline != tandem::kInfinite);
}

/// The endpoint's events. \param status  of it
template <class Endpoint, class GetStatus>
std::shared_ptr<EventSource> events_of(Context & context, const std::shared_ptr<Endpoint> & endpoint,
                                       GetStatus status) {
  auto events = std::make_shared<EventSource>(context.listener, std::move(status));
  endpoint->set_status_listener([weak = std::weak_ptr<EventSource>(events)] {
    if (const auto source = weak.lock()) source->notify();
  });
  return events;
}

/// No callback for any of them is called any more.
void forget(Context & context, EventSource & events) {
  context.listener.forget(events);
  for (int type = 0; type < RMW_EVENT_INVALID; ++type) {
    events.set_callback(*events.event(static_cast<rmw_event_type_t>(type)), nullptr, nullptr);
  }
}

}  // namespace

Publisher::Publisher(Context & its_context, const RosType & its_type, const transport::TopicOptions & options)
    : context(its_context),
      type(its_type),
      topic(options.topic),
      qos(options.qos),
      native(context.transport->create_publisher(type.native, options)),
      events(events_of(context, native, [endpoint = native] { return endpoint->status(); })) {}

Publisher::~Publisher() { forget(context, *events); }

Subscription::Subscription(Context & its_context, const RosType & its_type, const transport::TopicOptions & options)
    : context(its_context),
      type(its_type),
      topic(options.topic),
      qos(options.qos),
      native(context.transport->create_subscription(type.native, options)) {
  inbox = inbox_of(native, qos);
  events = events_of(context, native, [endpoint = native, own = inbox] {
    own->note_arrivals();
    return endpoint->status();
  });
}

Subscription::~Subscription() {
  context.listener.set_callback(inbox, nullptr, nullptr);
  forget(context, *events);
}

std::shared_ptr<const Filter> Subscription::current_filter() {
  const std::lock_guard<std::mutex> lock(mutex);
  return filter;
}

Service::Service(Context & its_context, const RosServiceType & its_type, const transport::ServiceOptions & options)
    : context(its_context),
      type(its_type),
      name(options.service),
      qos(options.qos),
      native(*context.transport, type.native, options) {
  inbox = inbox_of(native.requests(), qos);
}

Service::~Service() { context.listener.set_callback(inbox, nullptr, nullptr); }

Client::Client(Context & its_context, const RosServiceType & its_type, const transport::ServiceOptions & options)
    : context(its_context),
      type(its_type),
      name(options.service),
      qos(options.qos),
      native(*context.transport, type.native, options) {
  inbox = inbox_of(native.replies(), qos);
}

Client::~Client() { context.listener.set_callback(inbox, nullptr, nullptr); }

bool take_converted(Inbox & inbox, const RosType & type, void * ros_message, transport::MessageInfo & info) {
  if (type.is_same) return inbox.take_into(type.native, ros_message, info);
  const transport::Sample sample = inbox.take();
  if (!sample) return false;
  info = sample.info;
  to_ros(type, sample.message, ros_message);
  return true;
}

rmw_gid_t to_gid(const transport::Gid & gid) {
  rmw_gid_t told{};
  told.implementation_identifier = kIdentifier;
  static_assert(sizeof told.data >= std::tuple_size_v<transport::Gid>);
  std::copy(gid.begin(), gid.end(), told.data);
  return told;
}

std::int64_t received_time(const transport::MessageInfo & info) {
  if (info.received_timestamp != 0) return info.received_timestamp;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

rmw_ret_t require_topic_name(const char * name, const char * what, const rmw_qos_profile_t & profile) {
  TANDEM_RMW_RETURN_IF(require(name, what));
  if (*name == '\0') return fail(RMW_RET_INVALID_ARGUMENT, std::string(what) + " is empty");
  if (profile.avoid_ros_namespace_conventions) return RMW_RET_OK;
  int verdict = RMW_TOPIC_VALID;
  TANDEM_RMW_RETURN_IF(rmw_validate_full_topic_name(name, &verdict, nullptr));
  if (verdict == RMW_TOPIC_VALID) return RMW_RET_OK;
  return fail(RMW_RET_INVALID_ARGUMENT, std::string("the ") + what + " '" + name +
                                            "' is invalid: " + rmw_full_topic_name_validation_result_string(verdict));
}

transport::Qos settled_qos(Context & context, const rmw_qos_profile_t & profile, bool is_publisher,
                           const std::string & topic) {
  std::vector<tandem::Qos> others;
#ifdef TANDEM_RMW_HAS_BEST_AVAILABLE
  const auto opposite = is_publisher ? transport::EndpointKind::kSubscription : transport::EndpointKind::kPublisher;
  for (const transport::EndpointInfo & endpoint : context.transport->graph().endpoints) {
    if (endpoint.kind == opposite && endpoint.topic == topic) others.push_back(endpoint.qos);
  }
#else
  static_cast<void>(context);
  static_cast<void>(topic);
#endif
  return to_native(settle(profile, is_publisher, others));
}

rmw_ret_t to_ret(transport::PublishResult result, const std::string & topic) {
  if (result == transport::PublishResult::kOk) return RMW_RET_OK;
  const rmw_ret_t code = result == transport::PublishResult::kTimeout    ? RMW_RET_TIMEOUT
                         : result == transport::PublishResult::kNoMemory ? RMW_RET_BAD_ALLOC
                                                                         : RMW_RET_ERROR;
  return fail(code, "a message for '" + topic + "' was not sent: " + to_string(result));
}

}  // namespace tandem_rmw
