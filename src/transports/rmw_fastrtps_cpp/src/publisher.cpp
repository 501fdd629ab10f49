#include "publisher.hpp"

#include <fastdds/dds/publisher/DataWriterListener.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

#include "data_type.hpp"
#include "farewell.hpp"
#include "pool.hpp"
#include "settings.hpp"
#include "tandem/kit/copying_publisher.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_fastrtps {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;
using namespace tandem::transport;  // NOLINT: all that this file implements

PublishResult to_result(const ReturnCode_t & code) {
  switch (code()) {
    case ReturnCode_t::RETCODE_OK: return PublishResult::kOk;
    case ReturnCode_t::RETCODE_TIMEOUT: return PublishResult::kTimeout;
    case ReturnCode_t::RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
    default: return PublishResult::kNoMemory;
  }
}

constexpr std::chrono::nanoseconds kYear = std::chrono::hours(24 * 365);
/// Readers acknowledge when they are asked to, every 10 ms, so that a shorter wait says nothing of them.
constexpr std::chrono::milliseconds kLeastWait{100};

eprosima::fastrtps::Duration_t to_duration(std::chrono::nanoseconds time) {
  return {static_cast<std::int32_t>(time / std::chrono::seconds(1)),
          static_cast<std::uint32_t>((time % std::chrono::seconds(1)).count())};
}

/// The DDS writer and what belongs to it: for as long as the publisher or one of its loans.
class Writer final : private dds::DataWriterListener {
 public:
  Writer(std::shared_ptr<Participant> participant, const tandem::MessageType & type, const TopicOptions & options)
      : participant_(std::move(participant)),
        hash_(type_hash(type)),
        waits_(must_wait(options.qos, options.qos)),
        max_blocking_time_(std::max<std::chrono::nanoseconds>(options.qos.max_blocking_time, kLeastWait)),
        topic_(participant_, type, options.topic),
        pool_(participant_, type) {
    const std::lock_guard lock(participant_->endpoints_mutex());
    writer_ = participant_->publisher()->create_datawriter(topic_.get(),
                                                           writer_qos(*participant_->publisher(), type, options), this,
                                                           dds::StatusMask::publication_matched());
    if (writer_ != nullptr) {
      gid_ = to_gid(writer_->guid());
    }
    if (writer_ == nullptr || writer_->enable() != ReturnCode_t::RETCODE_OK) {
      if (writer_ != nullptr) {
        participant_->publisher()->delete_datawriter(writer_);
      }
      throw Error(std::string(kName) + ": topic '" + options.topic + "': Fast DDS cannot make a writer");
    }
    window_ = std::max(1, writer_->get_qos().resource_limits().max_samples / 2);
    pool_.open(writer_);
  }
  ~Writer() override {
    pool_.close();
    const std::lock_guard lock(participant_->endpoints_mutex());
    participant_->publisher()->delete_datawriter(writer_);
  }

  dds::DataWriter * get() const { return writer_; }
  ReturnCode_t write(void * data) { return waits_ ? write_in_turn(data) : writer_->write(data, dds::HANDLE_NIL); }
  Pool & pool() { return pool_; }
  const Gid & gid() const { return gid_; }
  /// Whether all readers have what they are to have.
  bool is_acknowledged() const { return writer_->wait_for_acknowledgments({0, 1}) == ReturnCode_t::RETCODE_OK; }
  std::size_t count() const { return count_.load(std::memory_order_acquire); }

 private:
  /// Waits for the readers itself: of a full history Fast DDS drops what nobody has yet, and ends the process when two
  /// threads find it full.
  ReturnCode_t write_in_turn(void * data) {
    const auto end = std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(max_blocking_time_, kYear);
    const std::unique_lock lock(turn_, end);
    if (!lock) {
      return ReturnCode_t::RETCODE_TIMEOUT;
    }
    if (on_the_way_ >= window_) {
      const auto left =
          std::max<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now(), std::chrono::nanoseconds(1));
      if (writer_->wait_for_acknowledgments(to_duration(left)) != ReturnCode_t::RETCODE_OK) {
        return ReturnCode_t::RETCODE_TIMEOUT;
      }
      on_the_way_ = 0;
    }
    ++on_the_way_;
    return writer_->write(data, dds::HANDLE_NIL);
  }

  void on_publication_matched(dds::DataWriter *, const dds::PublicationMatchedStatus & status) override {
    const Gid reader = to_gid(rtps::iHandle2GUID(status.last_subscription_handle));
    const std::lock_guard lock(mutex_);
    if (status.current_count_change < 0) {
      pool_.unmatched(reader);
      matched_.erase(reader);
    } else if (participant_->agrees(reader, hash_) && !participant_->is_deaf(reader)) {
      pool_.matched(reader);
      matched_.insert(reader);
    }
    count_.store(matched_.size(), std::memory_order_release);
  }

  const std::shared_ptr<Participant> participant_;
  const std::string hash_;
  const bool waits_;
  const std::chrono::nanoseconds max_blocking_time_;
  std::timed_mutex turn_;
  std::int32_t on_the_way_ = 0;  ///< written since all was acknowledged; guarded by turn_
  std::int32_t window_ = 0;      ///< of them at most
  TopicUse topic_;
  Pool pool_;
  dds::DataWriter * writer_ = nullptr;
  Gid gid_{};
  std::mutex mutex_;
  std::set<Gid> matched_;  ///< guarded by mutex_
  std::atomic<std::size_t> count_{0};
};

class FastLoan final : public Loan {
 public:
  FastLoan(std::shared_ptr<Writer> from, void * sample) : writer(std::move(from)), sample_(sample) {}
  ~FastLoan() override {
    if (sample_ != nullptr) {
      writer->pool().give_back(sample_);
    }
  }
  void * message() override { return sample_; }
  ReturnCode_t publish() {
    const ReturnCode_t code = writer->write(sample_);
    if (code == ReturnCode_t::RETCODE_OK) {
      writer->pool().forget_published();
      sample_ = nullptr;
    }
    return code;
  }

  const std::shared_ptr<Writer> writer;

 private:
  void * sample_;
};

class FastPublisher final : public CopyingPublisher {
 public:
  FastPublisher(std::shared_ptr<Participant> participant, const tandem::MessageType & type, EndpointInfo info,
                const TopicOptions & options)
      : CopyingPublisher(type),
        participant_(std::move(participant)),
        writer_(std::make_shared<Writer>(participant_, type, options)) {
    info.gid = writer_->gid();
    participant_->graph().add(info);
  }
  ~FastPublisher() override {
    participant_->graph().remove(writer_->gid());
    if (!writer_->is_acknowledged()) {
      Farewell::instance().keep(writer_, [writer = writer_.get()] { return writer->is_acknowledged(); });
    }
  }

  bool can_loan() const override { return writer_->pool().is_open(); }
  std::unique_ptr<Loan> borrow() override {
    if (!can_loan()) {
      return CopyingPublisher::borrow();
    }
    if (void * const sample = writer_->pool().borrow()) {
      return std::make_unique<FastLoan>(writer_, sample);
    }
    failed_borrows_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  PublishResult publish(std::unique_ptr<Loan> loan) override {
    if (!can_loan()) {
      return CopyingPublisher::publish(std::move(loan));
    }
    auto * const ours = dynamic_cast<FastLoan *>(loan.get());
    if (ours == nullptr || ours->writer != writer_) {
      return PublishResult::kInvalidLoan;
    }
    return to_result(ours->publish());
  }
  using CopyingPublisher::publish;

  std::size_t subscription_count() const override { return writer_->count(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    const bool is_endless = timeout < std::chrono::nanoseconds(0);
    const auto longest = is_endless ? kYear : std::min<std::chrono::nanoseconds>(timeout, kYear);
    return writer_->get()->wait_for_acknowledgments(to_duration(longest)) == ReturnCode_t::RETCODE_OK;
  }
  std::uint64_t failed_borrows() const override {
    return CopyingPublisher::failed_borrows() + failed_borrows_.load(std::memory_order_relaxed);
  }
  Gid gid() const override { return writer_->gid(); }

 private:
  PublishResult send(const void * message) override {
    if (can_loan()) {
      // Never by way of Fast DDS's own choice of a block: it does not know which are held.
      void * const sample = writer_->pool().borrow_to_copy();
      if (sample == nullptr) {
        return PublishResult::kPoolExhausted;
      }
      std::memcpy(sample, message, type().size);
      FastLoan loan(writer_, sample);
      return to_result(loan.publish());
    }
    Outgoing outgoing{type(), message};
    return to_result(writer_->write(&outgoing));
  }

  const std::shared_ptr<Participant> participant_;
  const std::shared_ptr<Writer> writer_;
  std::atomic<std::uint64_t> failed_borrows_{0};
};

}  // namespace

std::shared_ptr<Publisher> make_publisher(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                                          const TopicOptions & options) {
  return std::make_shared<FastPublisher>(std::move(participant), type,
                                         make_endpoint(kName, EndpointKind::kPublisher, type, options), options);
}

}  // namespace rmw_fastrtps
