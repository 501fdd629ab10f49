#include "subscription.hpp"

#include <utility>

#include "qos.hpp"
#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/transport_support/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

/// Messages that are kept to be used again, with the memory that they have.
constexpr std::size_t kSpares = 4;

transport::MessageInfo info_of(const Inbox::Item & item) {
  transport::MessageInfo info;
  info.source_timestamp = item.data->timestamp.v;
  info.sequence = item.data->sequence;
  info.publisher = item.publisher;
  info.from_intra_process = item.data->is_local;
  return info;
}

}  // namespace

Subscription::Subscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                           const transport::TopicOptions & options)
    : participant_(std::move(participant)),
      type_(type),
      topic_(options.topic),
      inbox_(std::make_shared<Inbox>(options.qos.history == transport::History::kKeepAll ? 0 : options.qos.depth)) {
  transport::EndpointInfo endpoint = make_endpoint(kName, transport::EndpointKind::kSubscription, type, options);
  const Topic topic(*participant_, tandem::dds::to_dds_topic(options.topic),
                    make_type(tandem::dds::to_dds_type(type.name), &type, false));
  const QosPtr qos =
      reader_qos(options.qos, tandem::dds::endpoint_user_data(type.hash), options.ignore_local_publications);
  const bool holds_up = transport::must_wait(options.qos, options.qos);
  reader_ = checked(create_reader(participant_->entity(), topic.entity(), qos.get(), inbox_),
                    "the subscription of topic '" + options.topic + "'");
  gid_ = gid_of(reader_);
  std::function<bool(bool)> hold;
  if (holds_up) {
    hold = [this](bool wants_pause) { return participant_->flow().tell(gid_, wants_pause); };
  }
  inbox_->start([this] { ring(); }, std::move(hold));
  endpoint.gid = gid_;
  participant_->graph().add(endpoint, options.ignore_local_publications);
}

Subscription::~Subscription() {
  inbox_->stop();
  dds_delete(reader_);
  participant_->graph().remove(gid_);
}

std::size_t Subscription::publisher_count() const {
  dds_subscription_matched_status_t status{};
  dds_get_subscription_matched_status(reader_, &status);
  return status.current_count;
}

transport::Sample Subscription::take() {
  transport::Sample sample;
  while (const Inbox::Item item = inbox_->take()) {
    Message message = spare_message();
    if (read(item, message->get(), sample.info)) {
      sample.message = message->get();
      sample.size = type_.size;
      sample.keeper = std::move(message);
      break;
    }
  }
  return sample;
}

bool Subscription::take_into(void * message, transport::MessageInfo & info) {
  while (const Inbox::Item item = inbox_->take()) {
    if (read(item, message, info)) {
      return true;
    }
  }
  return false;
}

bool Subscription::read(const Inbox::Item & item, void * message, transport::MessageInfo & info) {
  const auto result = tandem::deserialize(type_, item.data->bytes(), item.data->size, message);
  if (!result) {
    inbox_->count_lost(1);
    if (!has_complained_.exchange(true)) {
      transport::warn(kName, topic_,
                      "a message of publisher " + transport::to_hex(item.publisher) + " is no " + type_.name + ": " +
                          result.error() + "; such messages are left out. Build both sides against the same definition");
    }
    return false;
  }
  copied_.fetch_add(1, std::memory_order_relaxed);
  info = info_of(item);
  return true;
}

Subscription::Message Subscription::spare_message() {
  {
    const std::lock_guard lock(spare_mutex_);
    for (const Message & spare : spares_) {
      if (spare.use_count() == 1) {
        std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the taker's release of its reference
        return spare;
      }
    }
  }
  auto message = std::make_shared<const transport::OwnMessage>(type_);
  const std::lock_guard lock(spare_mutex_);
  if (spares_.size() < kSpares) {
    spares_.push_back(message);
  }
  return message;
}

}  // namespace rmw_cyclonedds
