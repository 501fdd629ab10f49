#include "endpoints.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "cdr_type.hpp"
#include "type_description.hpp"

namespace opensplice {
namespace {

using tandem::cdr_bus::Bytes;
using tandem::cdr_bus::Gid;
using tandem::cdr_bus::Message;
using tandem::cdr_bus::Request;
using tandem::transport::Durability;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::PublishResult;
using tandem::transport::Qos;
using tandem::transport::Reliability;

constexpr DDS::Long kKeepAllLimit = 1000;  // messages that a writer keeps before it waits
constexpr std::size_t kPrefix = 12;        // bytes of a gid that name the participant

DDS::Duration_t duration(std::chrono::nanoseconds time) {
  if (time.count() < 0) {
    return {DDS::DURATION_INFINITE_SEC, DDS::DURATION_INFINITE_NSEC};
  }
  return {static_cast<DDS::Long>(time.count() / 1'000'000'000), static_cast<DDS::ULong>(time.count() % 1'000'000'000)};
}

void set_user_data(DDS::UserDataQosPolicy & policy, const std::string & text) {
  policy.value.length(static_cast<DDS::ULong>(text.size()));
  for (DDS::ULong i = 0; i < policy.value.length(); ++i) {
    policy.value[i] = static_cast<DDS::Octet>(text[i]);
  }
}

/// What readers and writers have in common.
template <class EntityQos>
void set_qos(const Qos & from, EntityQos & to) {
  to.history.kind = from.history == History::kKeepAll ? DDS::KEEP_ALL_HISTORY_QOS : DDS::KEEP_LAST_HISTORY_QOS;
  to.history.depth = static_cast<DDS::Long>(from.depth);
  to.reliability.kind =
      from.reliability == Reliability::kReliable ? DDS::RELIABLE_RELIABILITY_QOS : DDS::BEST_EFFORT_RELIABILITY_QOS;
  to.reliability.max_blocking_time = duration(from.max_blocking_time);
  to.durability.kind = from.durability == Durability::kTransientLocal ? DDS::TRANSIENT_LOCAL_DURABILITY_QOS
                                                                      : DDS::VOLATILE_DURABILITY_QOS;
}

/// The topic, and the type that it was made with.
class Topic {
 public:
  Topic(Participant & participant, const Request & request)
      : name_(request.type),
        description_(type_description(request.type, *request.shape)),
        participant_(participant.participant),
        type_(new CdrTypeSupport(name_.c_str(), description_.c_str(), description_.size())) {
    if (type_->register_type(participant_.in(), name_.c_str()) != DDS::RETCODE_OK) {
      throw Error(std::string(kName) + ": topic '" + request.topic + "': OpenSplice does not take the type " + name_);
    }
    topic = participant_->create_topic(request.topic.c_str(), name_.c_str(), DDS::TOPIC_QOS_DEFAULT, nullptr,
                                       DDS::STATUS_MASK_NONE);
    if (!topic.in()) {
      throw Error(std::string(kName) + ": topic '" + request.topic + "': OpenSplice does not make it" +
                  " (there may be another type under this name)");
    }
  }
  ~Topic() { participant_->delete_topic(topic.in()); }
  Topic(const Topic &) = delete;
  Topic & operator=(const Topic &) = delete;

 private:
  const std::string name_;
  const std::string description_;
  DDS::DomainParticipant_var participant_;
  DDS::TypeSupport_var type_;

 public:
  DDS::Topic_var topic;
};

class OsplWriter final : public tandem::cdr_bus::Writer {
 public:
  OsplWriter(std::shared_ptr<Participant> participant, const Request & request)
      : participant_(std::move(participant)), gid_(participant_->new_gid()), topic_(*participant_, request) {
    DDS::DataWriterQos qos;
    participant_->publisher->get_default_datawriter_qos(qos);
    set_qos(request.qos, qos);
    if (request.qos.history == History::kKeepAll) {
      qos.resource_limits.max_samples = kKeepAllLimit;
    }
    set_user_data(qos.user_data, request.user_data + gid_text(gid_));
    writer_ = participant_->publisher->create_datawriter(topic_.topic.in(), qos, nullptr, DDS::STATUS_MASK_NONE);
    if (!writer_.in()) {
      throw Error(std::string(kName) + ": topic '" + request.topic + "': OpenSplice makes no writer");
    }
    cdr_ = std::make_unique<DDS::OpenSplice::FooCdrDataWriter>(writer_.in());
  }
  ~OsplWriter() override {
    cdr_.reset();
    participant_->publisher->delete_datawriter(writer_.in());
  }

  PublishResult write(const Bytes & cdr) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    sample_.blob.length(static_cast<DDS::ULong>(cdr.size()));
    std::copy(cdr.begin(), cdr.end(), sample_.blob.get_buffer(false));
    switch (cdr_->write_cdr(sample_, DDS::HANDLE_NIL)) {
      case DDS::RETCODE_OK: return PublishResult::kOk;
      case DDS::RETCODE_TIMEOUT: return PublishResult::kTimeout;
      case DDS::RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
      default: return PublishResult::kClosed;
    }
  }
  std::size_t matched() const override {
    DDS::PublicationMatchedStatus status{};
    writer_->get_publication_matched_status(status);
    return static_cast<std::size_t>(status.current_count);
  }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    return writer_->wait_for_acknowledgments(duration(timeout)) == DDS::RETCODE_OK;
  }
  Gid gid() const override { return gid_; }

 private:
  const std::shared_ptr<Participant> participant_;
  const Gid gid_;
  const Topic topic_;
  DDS::DataWriter_var writer_;
  std::unique_ptr<DDS::OpenSplice::FooCdrDataWriter> cdr_;
  std::mutex mutex_;
  DDS::CDRSample sample_;  ///< guarded by mutex_
};

class DataListener final : public virtual DDS::DataReaderListener {
 public:
  explicit DataListener(std::function<void()> on_data) : on_data_(std::move(on_data)) {}
  void on_data_available(DDS::DataReader_ptr) override { on_data_(); }
  void on_requested_deadline_missed(DDS::DataReader_ptr, const DDS::RequestedDeadlineMissedStatus &) override {}
  void on_requested_incompatible_qos(DDS::DataReader_ptr, const DDS::RequestedIncompatibleQosStatus &) override {}
  void on_sample_rejected(DDS::DataReader_ptr, const DDS::SampleRejectedStatus &) override {}
  void on_liveliness_changed(DDS::DataReader_ptr, const DDS::LivelinessChangedStatus &) override {}
  void on_subscription_matched(DDS::DataReader_ptr, const DDS::SubscriptionMatchedStatus &) override {}
  void on_sample_lost(DDS::DataReader_ptr, const DDS::SampleLostStatus &) override {}

 private:
  const std::function<void()> on_data_;
};

class OsplReader final : public tandem::cdr_bus::Reader {
 public:
  OsplReader(std::shared_ptr<Participant> participant, const Request & request, std::function<void()> on_data)
      : participant_(std::move(participant)),
        gid_(participant_->new_gid()),
        ignores_local_(request.ignore_local),
        topic_(*participant_, request),
        listener_(new DataListener([this, notify = std::move(on_data)] {
          fetch();
          notify();
        })) {
    DDS::DataReaderQos qos;
    participant_->subscriber->get_default_datareader_qos(qos);
    set_qos(request.qos, qos);
    set_user_data(qos.user_data, request.user_data + gid_text(gid_));
    reader_ = participant_->subscriber->create_datareader(topic_.topic.in(), qos, nullptr, DDS::STATUS_MASK_NONE);
    if (!reader_.in()) {
      throw Error(std::string(kName) + ": topic '" + request.topic + "': OpenSplice makes no reader");
    }
    cdr_ = std::make_unique<DDS::OpenSplice::FooCdrDataReader>(reader_.in());
    reader_->set_listener(listener_.in(), DDS::DATA_AVAILABLE_STATUS);
    fetch();
  }
  ~OsplReader() override {
    reader_->set_listener(nullptr, DDS::STATUS_MASK_NONE);
    cdr_.reset();
    participant_->subscriber->delete_datareader(reader_.in());
  }

  bool take(Message & message) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    fetch_locked();
    if (!has_next_) {
      return false;
    }
    std::swap(message, next_);
    has_next_ = false;
    fetch_locked();
    return true;
  }
  bool has_data() const override { return has_next_; }
  std::size_t matched() const override {
    DDS::SubscriptionMatchedStatus status{};
    reader_->get_subscription_matched_status(status);
    return static_cast<std::size_t>(status.current_count);
  }
  std::uint64_t lost() const override {
    DDS::SampleLostStatus status{};
    reader_->get_sample_lost_status(status);
    return static_cast<std::uint64_t>(status.total_count);
  }
  Gid gid() const override { return gid_; }

 private:
  void fetch() {
    const std::lock_guard<std::mutex> lock(mutex_);
    fetch_locked();
  }

  /// One message lies ready, when there is one.
  void fetch_locked() {
    DDS::SampleInfo info;
    while (!has_next_ && cdr_->take_cdr(sample_, info, DDS::ANY_SAMPLE_STATE, DDS::ANY_VIEW_STATE,
                                        DDS::ANY_INSTANCE_STATE) == DDS::RETCODE_OK) {
      const Gid writer = info.valid_data ? writer_of_locked(info.publication_handle) : Gid{};
      if (!info.valid_data || (ignores_local_ && std::equal(gid_.begin(), gid_.begin() + kPrefix, writer.begin()))) {
        continue;
      }
      const auto * bytes = sample_.blob.get_buffer(false);
      next_.cdr.assign(bytes, bytes + sample_.blob.length());
      next_.stamp = info.source_timestamp.sec * 1'000'000'000LL + info.source_timestamp.nanosec;
      next_.sequence = 0;  // OpenSplice does not tell it
      next_.writer = writer;
      has_next_ = true;
    }
  }

  Gid writer_of_locked(DDS::InstanceHandle_t handle) {
    const auto known = writers_.find(handle);
    if (known != writers_.end()) {
      return known->second;
    }
    DDS::PublicationBuiltinTopicData data;
    if (reader_->get_matched_publication_data(data, handle) != DDS::RETCODE_OK) {
      return {};
    }
    return writers_[handle] = gid_in(text_of(data.user_data), data.key);
  }

  const std::shared_ptr<Participant> participant_;
  const Gid gid_;
  const bool ignores_local_;
  const Topic topic_;
  DDS::DataReader_var reader_;
  std::unique_ptr<DDS::OpenSplice::FooCdrDataReader> cdr_;
  std::mutex mutex_;
  DDS::CDRSample sample_;                         ///< guarded by mutex_
  Message next_;                                  ///< guarded by mutex_
  std::atomic<bool> has_next_{false};             ///< changed with mutex_
  std::map<DDS::InstanceHandle_t, Gid> writers_;  ///< guarded by mutex_
  DDS::DataReaderListener_var listener_;
};

}  // namespace

std::unique_ptr<tandem::cdr_bus::Writer> make_writer(std::shared_ptr<Participant> participant,
                                                     const Request & request) {
  return std::make_unique<OsplWriter>(std::move(participant), request);
}

std::unique_ptr<tandem::cdr_bus::Reader> make_reader(std::shared_ptr<Participant> participant, const Request & request,
                                                     std::function<void()> on_data) {
  return std::make_unique<OsplReader>(std::move(participant), request, std::move(on_data));
}

}  // namespace opensplice
