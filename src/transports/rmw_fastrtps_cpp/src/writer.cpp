#include <fastdds/dds/publisher/DataWriterListener.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <list>
#include <set>
#include <thread>
#include <utility>

#include "clients.hpp"
#include "data_type.hpp"
#include "endpoints.hpp"
#include "settings.hpp"
#include "shared_samples.hpp"
#include "tandem/dds/channels.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/threads.hpp"
#include "tandem/service.hpp"

namespace rmw_fastrtps {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;
using std::chrono::steady_clock;
using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr std::chrono::nanoseconds kYear = std::chrono::hours(24 * 365);
/// Readers acknowledge when they are asked to, every 10 ms, so that a shorter wait says nothing of them.
constexpr std::chrono::milliseconds kLeastWait{100};

eprosima::fastrtps::Time_t to_time(std::int64_t nanoseconds) {
  return {static_cast<std::int32_t>(nanoseconds / 1'000'000'000),
          static_cast<std::uint32_t>(nanoseconds % 1'000'000'000)};
}

PublishResult to_result(const ReturnCode_t & code) {
  switch (code()) {
    case ReturnCode_t::RETCODE_OK: return PublishResult::kOk;
    case ReturnCode_t::RETCODE_TIMEOUT: return PublishResult::kTimeout;
    case ReturnCode_t::RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
    default: return PublishResult::kNoMemory;
  }
}

class FastWriter final : public Writer,
                         public std::enable_shared_from_this<FastWriter>,
                         private dds::DataWriterListener {
 public:
  FastWriter(std::shared_ptr<Participant> participant, const tandem::MessageType & type, const EndpointInfo & endpoint)
      : participant_(std::move(participant)),
        hash_(endpoint.type_hash),
        channel_(channel_of(endpoint.topic)),
        waits_(must_wait(endpoint, endpoint)),
        max_blocking_time_(std::clamp<std::chrono::nanoseconds>(endpoint.qos.max_blocking_time, kLeastWait, kYear)),
        clients_(std::max(endpoint.qos.max_blocking_time, std::chrono::nanoseconds(0))) {
    const std::lock_guard lock(participant_->endpoints_mutex());
    topic_ = participant_->use_topic(type, endpoint.topic);
    dds::Publisher & publisher = *participant_->publisher();
    writer_ = publisher.create_datawriter(topic_, writer_qos(publisher, type, endpoint), this,
                                          dds::StatusMask::publication_matched()
                                              << dds::StatusMask::offered_incompatible_qos());
    if (writer_ == nullptr || writer_->enable() != ReturnCode_t::RETCODE_OK) {
      end_locked();
      throw Error(std::string(kName) + ": topic '" + endpoint.topic + "': Fast DDS cannot make a writer" +
                  participant_->advice());
    }
    gid_ = to_gid(writer_->guid());
    window_ = std::max(1, writer_->get_qos().resource_limits().max_samples / 2);
    samples_ = std::make_unique<LentSamples>(*writer_, pool_share(type));
  }
  ~FastWriter() override {
    samples_.reset();
    const std::lock_guard lock(participant_->endpoints_mutex());
    end_locked();
  }

  Loans loans() const override { return samples_->is_open() ? Loans::kShared : Loans::kNone; }
  std::unique_ptr<Chunk> allocate(std::size_t size) override { return lend_sample(size, false); }
  std::unique_ptr<Chunk> lend(std::size_t size) override { return lend_sample(size, true); }
  PublishResult write(std::unique_ptr<Chunk> chunk, RequestId * id) override;
  /// In shared memory never by way of Fast DDS's own choice of a sample: it does not know which are held.
  std::optional<PublishResult> write(const tandem::MessageType & type, const void * message, RequestId * id) override {
    if (samples_->is_open()) {
      return std::nullopt;
    }
    if (channel_ == Channel::kReply) {
      clients_.wait_for(id->client);
    }
    Outgoing outgoing{&type, message};
    return to_result(send(&outgoing, id));
  }
  std::size_t matched() const override { return count_.load(std::memory_order_acquire); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    const bool is_endless = timeout < std::chrono::nanoseconds(0);
    return is_acknowledged(is_endless ? kYear : std::min(timeout, kYear));
  }
  Gid gid() const override { return gid_; }
  Status status() const override {
    Status status = board_.status();
    const std::lock_guard lock(mutex_);
    status.incompatible_qos = misfits_;
    status.last_policy = last_policy_;
    return status;
  }
  void set_status_listener(std::function<void()> listener) override { board_.set_listener(std::move(listener)); }
  void assert_liveliness() override { writer_->assert_liveliness(); }
  Participant & participant() { return *participant_; }

 private:
  class Lent;

  std::unique_ptr<Chunk> lend_sample(std::size_t size, bool to_user);
  ReturnCode_t send(void * data, RequestId * id) { return waits_ ? send_in_turn(data, id) : send_now(data, id); }
  ReturnCode_t send_now(void * data, RequestId * id);
  ReturnCode_t send_in_turn(void * data, RequestId * id);
  bool is_acknowledged(std::chrono::nanoseconds timeout) {
    return writer_->wait_for_acknowledgments(to_duration(timeout)) == ReturnCode_t::RETCODE_OK;
  }
  void on_publication_matched(dds::DataWriter *, const dds::PublicationMatchedStatus & status) override;
  void on_offered_incompatible_qos(dds::DataWriter *, const dds::OfferedIncompatibleQosStatus & status) override;
  void end_locked();

  const std::shared_ptr<Participant> participant_;
  const std::string hash_;
  const Channel channel_;
  const bool waits_;
  const std::chrono::nanoseconds max_blocking_time_;
  std::timed_mutex turn_;
  std::int32_t on_the_way_ = 0;  ///< written since all was acknowledged; guarded by turn_
  std::int32_t window_ = 0;      ///< of them at most
  dds::Topic * topic_ = nullptr;
  dds::DataWriter * writer_ = nullptr;
  Gid gid_{};
  std::unique_ptr<LentSamples> samples_;
  mutable std::mutex mutex_;
  std::set<Gid> matched_;                     ///< guarded by mutex_
  std::uint64_t misfits_ = 0;                 ///< guarded by mutex_
  QosPolicy last_policy_ = QosPolicy::kNone;  ///< guarded by mutex_
  tandem::StatusBoard board_;                 ///< of matches
  std::atomic<std::size_t> count_{0};
  Clients clients_;  ///< on a channel for replies
};

class FastWriter::Lent final : public Chunk {
 public:
  Lent(std::shared_ptr<FastWriter> from, void * sample, std::size_t bytes, bool fresh) : writer(std::move(from)) {
    data = static_cast<std::byte *>(sample);
    size = bytes;
    is_fresh = fresh;
  }
  ~Lent() override { writer->samples_->take_back(data, is_written); }

  const std::shared_ptr<FastWriter> writer;
  bool is_written = false;
};

std::unique_ptr<Chunk> FastWriter::lend_sample(std::size_t size, bool to_user) {
  bool is_fresh = false;
  void * const sample = samples_->lend(to_user, is_fresh);
  return sample != nullptr ? std::make_unique<Lent>(shared_from_this(), sample, size, is_fresh) : nullptr;
}

PublishResult FastWriter::write(std::unique_ptr<Chunk> chunk, RequestId * id) {
  const ReturnCode_t code = send(chunk->data, id);
  static_cast<Lent &>(*chunk).is_written = code == ReturnCode_t::RETCODE_OK;
  return to_result(code);
}

/// Waits for the readers itself: of a full history Fast DDS drops what nobody has yet, and ends the process when two
/// threads find it full.
ReturnCode_t FastWriter::send_in_turn(void * data, RequestId * id) {
  const auto end = steady_clock::now() + max_blocking_time_;
  const std::unique_lock lock(turn_, end);
  if (!lock) {
    return ReturnCode_t::RETCODE_TIMEOUT;
  }
  if (on_the_way_ >= window_) {
    if (!is_acknowledged(std::max<std::chrono::nanoseconds>(end - steady_clock::now(), std::chrono::nanoseconds(1)))) {
      return ReturnCode_t::RETCODE_TIMEOUT;
    }
    on_the_way_ = 0;
  }
  ++on_the_way_;
  return send_now(data, id);
}

/// As stock nodes do: a request names the reader that its reply is for, and has its own number; a reply names both.
ReturnCode_t FastWriter::send_now(void * data, RequestId * id) {
  if (id == nullptr) {
    const std::int64_t stamp = source_timestamp();
    return stamp == 0 ? writer_->write(data, dds::HANDLE_NIL)
                      : writer_->write_w_timestamp(data, dds::HANDLE_NIL, to_time(stamp));
  }
  rtps::WriteParams params;
  params.related_sample_identity().writer_guid(to_guid(id->client));
  if (channel_ == Channel::kReply) {
    params.related_sample_identity().sequence_number(
        {static_cast<std::int32_t>(id->sequence >> 32), static_cast<std::uint32_t>(id->sequence)});
  }
  if (!writer_->write(data, params)) {
    return ReturnCode_t::RETCODE_ERROR;
  }
  if (channel_ == Channel::kRequest) {
    id->sequence = static_cast<std::int64_t>(params.sample_identity().sequence_number().to64long());
  }
  return ReturnCode_t::RETCODE_OK;
}

void FastWriter::on_publication_matched(dds::DataWriter *, const dds::PublicationMatchedStatus & status) {
  const Gid reader = to_gid(rtps::iHandle2GUID(status.last_subscription_handle));
  std::unique_lock lock(mutex_);
  if (status.current_count_change < 0) {
    matched_.erase(reader);
    if (channel_ == Channel::kReply) {
      clients_.left(reader);
    }
  } else if (participant_->agrees(reader, hash_)) {
    matched_.insert(reader);
    if (channel_ == Channel::kReply) {
      clients_.came(reader);
    }
  }
  count_.store(matched_.size(), std::memory_order_release);
  const bool has_changed = board_.set(counterparts(matched_), {});
  lock.unlock();
  if (has_changed) {
    board_.notify();
  }
}

void FastWriter::on_offered_incompatible_qos(dds::DataWriter *, const dds::OfferedIncompatibleQosStatus & status) {
  {
    const std::lock_guard lock(mutex_);
    misfits_ = status.total_count;
    last_policy_ = tandem::dds::policy_of(status.last_policy_id);
  }
  board_.notify();
}

void FastWriter::end_locked() {
  if (writer_ != nullptr) {
    participant_->publisher()->delete_datawriter(writer_);
  }
  participant_->drop_topic(topic_);
}

/// Writers that are used no more, until all is acknowledged, for some seconds at most, or until the process ends. One
/// thread for the process, there while there is one. Thread-safe.
class UnusedWriters {
 public:
  // Made after Fast DDS's own singleton, so it goes before that when the process ends.
  static UnusedWriters & instance() {
    static UnusedWriters unused;
    return unused;
  }

  ~UnusedWriters() { is_over_ = true; }

  void keep(std::shared_ptr<FastWriter> writer) {
    const std::lock_guard lock(mutex_);
    if (is_over_) {
      return;
    }
    writers_.emplace_back(std::move(writer), steady_clock::now() + kLongest);
    if (!std::exchange(is_running_, true)) {
      const AllSignalsBlocked blocked;
      thread_ = std::jthread([this](const std::stop_token & stop) { run(stop); });
    }
  }

 private:
  static constexpr std::chrono::seconds kLongest{10};
  static constexpr std::chrono::milliseconds kBetweenLooks{10};
  using Writers = std::list<std::pair<std::shared_ptr<FastWriter>, steady_clock::time_point>>;

  void run(const std::stop_token & stop) {
    std::unique_lock lock(mutex_);
    while (!writers_.empty() && !stop.stop_requested()) {
      stopped_.wait_for(lock, stop, kBetweenLooks, [] { return false; });
      Writers looked_at = std::exchange(writers_, {});
      lock.unlock();  // to delete a writer takes locks of Fast DDS
      looked_at.remove_if([](const auto & one) {
        return one.first->wait_for_all_acked(std::chrono::nanoseconds(1)) || steady_clock::now() > one.second;
      });
      lock.lock();
      writers_.splice(writers_.begin(), looked_at);
    }
    is_running_ = false;
  }

  static inline std::atomic<bool> is_over_{false};  ///< the process ends
  std::mutex mutex_;                                ///< guards what follows
  std::condition_variable_any stopped_;
  bool is_running_ = false;
  Writers writers_;
  std::jthread thread_;
};

}  // namespace

std::shared_ptr<Writer> make_writer(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                                    EndpointInfo endpoint) {
  auto writer = std::make_shared<FastWriter>(std::move(participant), type, endpoint);
  endpoint.gid = writer->gid();
  writer->participant().graph().add(endpoint);
  FastWriter * const used = writer.get();
  return {used, [writer = std::move(writer)](FastWriter *) mutable {
            const std::shared_ptr<FastWriter> unused = std::move(writer);
            unused->participant().graph().remove(unused->gid());
            if (!unused->wait_for_all_acked(std::chrono::nanoseconds(1))) {
              UnusedWriters::instance().keep(unused);
            }
          }};
}

}  // namespace rmw_fastrtps
