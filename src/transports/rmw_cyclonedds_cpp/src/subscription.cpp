#include "subscription.hpp"

#include <algorithm>
#include <utility>

#include "qos.hpp"
#include "shared_memory.hpp"
#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

/// Messages that are kept to be used again, with the memory that they have.
constexpr std::size_t kSpares = 4;
constexpr std::uint32_t kChunkQueue = 256;  ///< the most that iceoryx has
constexpr std::size_t kPrefix = 12;         ///< bytes of a gid that name the participant

}  // namespace

Reader::Reader(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
               const transport::TopicOptions & options, const std::shared_ptr<Inbox> & inbox)
    : participant_(std::move(participant)) {
  transport::EndpointInfo endpoint = make_endpoint(kName, transport::EndpointKind::kSubscription, type, options);
  const bool shares_memory = participant_->domain().shares_memory() && may_share_memory(type, options);
  const Topic topic(*participant_, tandem::dds::to_dds_topic(options.topic),
                    make_type(tandem::dds::to_dds_type(type.name), &type, shares_memory));
  const std::string user_data = tandem::dds::endpoint_user_data(type.hash) + (shares_memory ? kTakesChunks : "");
  transport::Qos wanted = options.qos;
  if (shares_memory) {
    // The depth of iceoryx's queue, which overflows before its thread has put all into the inbox and counted the rest.
    wanted.depth = std::max(wanted.depth, kChunkQueue);
  }
  const QosPtr qos = reader_qos(wanted, user_data, options.ignore_local_publications);
  entity_ = checked(create_reader(participant_->entity(), topic.entity(), qos.get(), inbox),
                    "the subscription of topic '" + options.topic + "'");
  gid_ = gid_of(entity_);
  endpoint.gid = gid_;
  participant_->graph().add(endpoint, options.ignore_local_publications);
}

Reader::~Reader() {
  dds_delete(entity_);
  participant_->flow().forget(gid_);
}

/// A message in shared memory that is in use. iceoryx takes it back through its reader, which so must exist.
class Subscription::Chunk {
 public:
  Chunk(std::shared_ptr<Reader> reader, CdrDataPtr data, std::shared_ptr<std::atomic<std::size_t>> held)
      : reader_(std::move(reader)), data_(std::move(data)), held_(std::move(held)) {
    ++*held_;
  }
  ~Chunk() {
    data_.reset();
    --*held_;
  }
  Chunk(const Chunk &) = delete;
  Chunk & operator=(const Chunk &) = delete;
  const void * message() const { return data_->iox_chunk; }

 private:
  const std::shared_ptr<Reader> reader_;
  CdrDataPtr data_;
  const std::shared_ptr<std::atomic<std::size_t>> held_;
};

Subscription::Subscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                           const transport::TopicOptions & options)
    : type_(type),
      topic_(options.topic),
      held_quota_(options.held_quota),
      inbox_(std::make_shared<Inbox>(options.qos.history == transport::History::kKeepAll ? 0 : options.qos.depth)),
      reader_(std::make_shared<Reader>(std::move(participant), type, options, inbox_)) {
  std::function<bool(bool)> hold;
  if (transport::must_wait(options.qos, options.qos)) {
    hold = [reader = reader_.get()](bool wants_pause) {
      return reader->participant().flow().tell(reader->gid(), wants_pause ? Flow::News::kPause : Flow::News::kGoOn);
    };
  }
  inbox_->start([this] { ring(); }, std::move(hold));
}

Subscription::~Subscription() {
  inbox_->close();
  reader_->participant().graph().remove(reader_->gid());
  if (held_->load() != 0) {
    reader_->participant().flow().tell(reader_->gid(), Flow::News::kLeft);
  }
}

std::size_t Subscription::publisher_count() const {
  dds_subscription_matched_status_t status{};
  dds_get_subscription_matched_status(reader_->entity(), &status);
  return status.current_count;
}

transport::Sample Subscription::take() {
  transport::Sample sample;
  while (Inbox::Item item = inbox_->take()) {
    if (item.data->iox_chunk != nullptr && held_->load(std::memory_order_relaxed) < held_quota_) {
      if (share(item, sample)) {
        break;
      }
      continue;
    }
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

/// Hands out the publisher's own message.
bool Subscription::share(Inbox::Item & item, transport::Sample & sample) {
  if (chunk_size(item.data->iox_chunk) != type_.size) {
    complain(item, "it has another size");
    return false;
  }
  sample.info = info_of(item);
  auto chunk = std::make_shared<const Chunk>(reader_, std::move(item.data), held_);
  sample.message = chunk->message();
  sample.size = type_.size;
  sample.keeper = std::move(chunk);
  return true;
}

bool Subscription::read(const Inbox::Item & item, void * message, transport::MessageInfo & info) {
  if (const void * const chunk = item.data->iox_chunk; chunk != nullptr) {
    if (chunk_size(chunk) != type_.size) {
      complain(item, "it has another size");
      return false;
    }
    type_.assign(message, chunk);
  } else if (const auto result = tandem::deserialize(type_, item.data->bytes(), item.data->size, message); !result) {
    complain(item, result.error());
    return false;
  }
  copied_.fetch_add(1, std::memory_order_relaxed);
  info = info_of(item);
  return true;
}

void Subscription::complain(const Inbox::Item & item, const std::string & reason) {
  inbox_->count_lost(1);
  if (!has_complained_.exchange(true)) {
    transport::warn(kName, topic_,
                    "a message of publisher " + transport::to_hex(item.publisher) + " is no " + type_.name + ": " +
                        reason + "; such messages are left out. Build both sides against the same definition");
  }
}

transport::MessageInfo Subscription::info_of(const Inbox::Item & item) const {
  transport::MessageInfo info;
  info.source_timestamp = item.data->timestamp.v;
  info.sequence = item.data->sequence;
  info.publisher = item.publisher;
  info.from_intra_process = item.data->is_local || std::equal(item.publisher.begin(), item.publisher.begin() + kPrefix,
                                                              reader_->gid().begin());
  return info;
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
