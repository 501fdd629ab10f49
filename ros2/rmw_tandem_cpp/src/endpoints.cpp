#include "endpoints.hpp"

#include <algorithm>
#include <chrono>

#include <rmw/validate_full_topic_name.h>

#include "errors.hpp"
#include "qos.hpp"

namespace tandem_rmw {
namespace {

/// The endpoint's events. \param status  of it
template <class Endpoint, class GetStatus>
std::shared_ptr<EventSource> events_of(Context & context, Endpoint & endpoint, const transport::Qos & qos,
                                       GetStatus status) {
  const bool is_timed = qos.deadline != tandem::kInfinite || qos.lease != tandem::kInfinite;
  auto events = std::make_shared<EventSource>(context.listener, std::move(status), is_timed);
  endpoint.set_status_listener([weak = std::weak_ptr<EventSource>(events)] {
    if (const auto source = weak.lock()) source->notify();
  });
  return events;
}

/// The options of an endpoint, with what it tells others of back-ends of buffers.
transport::TopicOptions announcing(Context & context, transport::TopicOptions options, const RosType & type,
                                   const char * acceptable) {
  if constexpr (kHasBuffers) options.user_data = buffer_user_data(context, type, acceptable);
  return options;
}

std::shared_ptr<BufferPublisher> buffers_of(Context & context, const RosType & type,
                                            const transport::Publisher & native,
                                            const transport::TopicOptions & options) {
  if constexpr (kHasBuffers) return make_buffer_publisher(context, type, native, options.topic, options.qos);
  return nullptr;
}

bool takes_in_place(const RosType & type, const char * acceptable) {
  if constexpr (kHasBuffers) return type.has_buffers && accepts_shared_memory(acceptable);
  return false;
}

std::shared_ptr<BufferSubscription> buffers_of(Context & context, const RosType & type,
                                               const transport::Subscription & native, const char * acceptable) {
  if constexpr (kHasBuffers) return make_buffer_subscription(context, type, acceptable, native);
  return nullptr;
}

}  // namespace

std::shared_ptr<Inbox> inbox_of(const std::shared_ptr<transport::Subscription> & subscription,
                                const transport::Qos & qos, bool keeps_all) {
  const std::size_t depth = keeps_all ? tandem::kKeepAllDepth : qos.depth;
  return std::make_shared<Inbox>(subscription, Inbox::Options{depth, keeps_all, qos.deadline != tandem::kInfinite});
}

HasInbox::~HasInbox() {
  if (!inbox) return;  // the constructor failed
  const auto calling = inbox->calling();
  const std::lock_guard<std::recursive_mutex> lock(*calling);  // until it is gone; see Listener::run()
  inbox->set_callback(nullptr, nullptr, nullptr);
  inbox.reset();
}

rmw_ret_t set_callback(HasInbox & own, rmw_event_callback_t callback, const void * user_data) {
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const std::shared_ptr<Inbox> inbox = own.inbox;  // the callback may end its own
    own.context.listener.set_callback(inbox, callback, user_data);
    return RMW_RET_OK;
  });
}

Publisher::Publisher(Context & its_context, const RosType & its_type, const transport::TopicOptions & options)
    : context(its_context),
      type(its_type),
      topic(options.topic),
      qos(options.qos),
      native(context.transport->create_publisher(type.native, announcing(context, options, type, "any"))),
      buffers(buffers_of(context, type, *native, options)),
      events(events_of(context, *native, qos, [weak = std::weak_ptr<transport::Publisher>(native)] {
        const auto endpoint = weak.lock();
        return endpoint ? endpoint->status() : tandem::Status{};
      })) {}

Publisher::~Publisher() { events->remove_callbacks(); }

Subscription::Subscription(Context & its_context, const RosType & its_type, const transport::TopicOptions & options,
                           const char * acceptable_backends)
    : HasInbox(its_context),
      type(its_type),
      topic(options.topic),
      qos(options.qos),
      native(
          context.transport->create_subscription(type.native, announcing(context, options, type, acceptable_backends))),
      takes_buffers_in_place(takes_in_place(type, acceptable_backends)),
      buffers(buffers_of(context, type, *native, acceptable_backends)) {
  inbox = inbox_of(native, qos, qos.history == transport::History::kKeepAll);
  events = events_of(context, *native, qos, [endpoint = native.get(), weak = std::weak_ptr<Inbox>(inbox)] {
    const auto own = weak.lock();
    if (!own) return tandem::Status{};
    own->note_arrivals();
    return endpoint->status();  // the inbox keeps it
  });
}

Subscription::~Subscription() { events->remove_callbacks(); }

void Subscription::note_losses() {
  const std::uint64_t now = native->lost();
  if (lost.load(std::memory_order_relaxed) == now || lost.exchange(now, std::memory_order_relaxed) == now) return;
  const std::shared_ptr<EventSource> source = events;  // the callback may end the subscription
  source->notify();
}

bool take_converted(Inbox & inbox, const RosType & type, void * ros_message, transport::MessageInfo & info,
                    bool in_place, BufferSubscription * buffers) {
  if (type.is_same) return inbox.take_into(type.native, ros_message, info);
  while (true) {
    transport::Sample sample = inbox.take();
    if (!sample) return false;
    info = sample.info;
    const void * const message = sample.message;
    BufferSource source{nullptr, buffers, info.publisher};
    if (in_place) source.message = std::make_shared<transport::Sample>(std::move(sample));
    if (to_ros(type, message, ros_message, source)) return true;
  }
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

rmw_ret_t require_no_flow_of_its_own(rmw_unique_network_flow_endpoints_requirement_t requirement) {
  if (requirement != RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED) return RMW_RET_OK;
  return fail(RMW_RET_UNSUPPORTED, "unique network flow endpoints are not supported: messages are in shared memory");
}

transport::Qos settled_qos(Context & context, const rmw_qos_profile_t & profile, bool is_publisher,
                           const std::string & topic) {
  std::vector<tandem::Qos> others;
  if (depends_on_others(profile)) {
    const auto opposite = is_publisher ? transport::EndpointKind::kSubscription : transport::EndpointKind::kPublisher;
    for (const transport::EndpointInfo & endpoint : context.transport->graph().endpoints) {
      if (endpoint.kind == opposite && endpoint.topic == topic) others.push_back(endpoint.qos);
    }
  }
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
