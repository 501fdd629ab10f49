#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "cdr_type.hpp"
#include "endpoints.hpp"
#include "match_count.hpp"
#include "qos.hpp"
#include "tandem/transport.hpp"

namespace opensplice {
namespace {

using tandem::cdr_bus::Gid;
using tandem::cdr_bus::Message;
using tandem::cdr_bus::Request;
using tandem::transport::Durability;
using tandem::transport::Error;

class DataListener final : public virtual DDS::DataReaderListener {
 public:
  explicit DataListener(std::function<void()> on_data) : on_data_(std::move(on_data)) {}
  /// Returns when no call is under way; then there is none any more.
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    on_data_ = nullptr;
  }
  void on_data_available(DDS::DataReader_ptr) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (on_data_) {
      on_data_();
    }
  }
  void on_requested_deadline_missed(DDS::DataReader_ptr, const DDS::RequestedDeadlineMissedStatus &) override {}
  void on_requested_incompatible_qos(DDS::DataReader_ptr, const DDS::RequestedIncompatibleQosStatus &) override {}
  void on_sample_rejected(DDS::DataReader_ptr, const DDS::SampleRejectedStatus &) override {}
  void on_liveliness_changed(DDS::DataReader_ptr, const DDS::LivelinessChangedStatus &) override {}
  void on_subscription_matched(DDS::DataReader_ptr, const DDS::SubscriptionMatchedStatus &) override {}
  void on_sample_lost(DDS::DataReader_ptr, const DDS::SampleLostStatus &) override {}

 private:
  std::mutex mutex_;
  std::function<void()> on_data_;  ///< guarded by mutex_
};

std::int64_t now() { return std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

std::int64_t stamp_of(const DDS::SampleInfo & info) {
  return info.source_timestamp.sec * 1'000'000'000LL + info.source_timestamp.nanosec;
}

/// A reader is among the deaf ones for as long as this lives.
class Deafness {
 public:
  Deafness(std::shared_ptr<Participant> participant, const Gid & reader)
      : participant_(std::move(participant)), reader_(reader) {
    participant_->deaf_readers().add(reader_);
  }
  ~Deafness() { participant_->deaf_readers().remove(reader_); }
  Deafness(const Deafness &) = delete;
  Deafness & operator=(const Deafness &) = delete;

 private:
  const std::shared_ptr<Participant> participant_;
  const Gid reader_;
};

class OsplReader final : public tandem::cdr_bus::Reader {
 public:
  OsplReader(std::shared_ptr<Participant> participant, const Request & request, std::function<void()> on_data)
      : participant_(std::move(participant)),
        gid_(participant_->new_gid()),
        type_(request.type),
        ignores_local_(request.ignore_local),
        begin_(request.qos.durability == Durability::kVolatile ? now() : 0),
        listener_(new DataListener([this, on_data = std::move(on_data)] {
          fetch();
          if (has_next_) {
            on_data();
          }
        })) {
    DDS::DataReaderQos qos = reader_qos(request.qos, *participant_->subscriber.in());
    set_user_data(qos.user_data, request.user_data + gid_text(gid_));
    if (ignores_local_) {
      deafness_.emplace(participant_, gid_);
    }
    reader_ =
        participant_->subscriber->create_datareader(participant_->topic(request), qos, nullptr, DDS::STATUS_MASK_NONE);
    cdr_ = dynamic_cast<CdrDataReader *>(reader_.in());
    if (cdr_ == nullptr) {
      throw Error(std::string(kName) + ": topic '" + request.topic + "': OpenSplice makes no reader");
    }
    reader_->set_listener(listener_, DDS::DATA_AVAILABLE_STATUS);
    fetch();
  }
  ~OsplReader() override {
    listener_->close();
    reader_->set_listener(nullptr, DDS::STATUS_MASK_NONE);
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
    return matches_.count(
        status,
        [this] {
          DDS::InstanceHandleSeq writers;
          reader_->get_matched_publications(writers);
          return writers;
        },
        [this](DDS::InstanceHandle_t writer) { return is_matched(writer); });
  }
  std::uint64_t lost() const override {
    DDS::SampleLostStatus status{};
    reader_->get_sample_lost_status(status);
    return static_cast<std::uint64_t>(status.total_count) + unreadable_;
  }
  Gid gid() const override { return gid_; }

 private:
  void fetch() {
    const std::lock_guard<std::mutex> lock(mutex_);
    fetch_locked();
  }

  /// One message lies ready, when there is one.
  void fetch_locked() {
    while (!has_next_ && cdr_->take_cdr(sample_) == DDS::RETCODE_OK) {
      const DDS::SampleInfo & info = sample_.info();
      if (!info.valid_data) {
        continue;
      }
      const Gid writer = writer_of_locked(info.publication_handle);
      if (!is_for_us(writer, stamp_of(info))) {
        continue;
      }
      const auto bytes = sample_.buffer.bytes();
      if (bytes.empty()) {
        ++unreadable_;
        continue;
      }
      next_.cdr.assign(bytes.begin(), bytes.end());
      next_.stamp = stamp_of(info);
      next_.sequence = 0;  // OpenSplice does not tell it
      next_.writer = writer;
      has_next_ = true;
    }
  }

  /// While its network is not ready, a writer holds its messages back, and readers get them that came later.
  bool is_for_us(const Gid & writer, std::int64_t stamp) const {
    return !(ignores_local_ && is_of_same_participant(gid_, writer)) &&
           !(is_of_same_process(gid_, writer) && stamp < begin_);
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
    return writers_[handle] = gid_in(data.user_data, data.key);
  }

  int is_matched(DDS::InstanceHandle_t writer) const {
    DDS::PublicationBuiltinTopicData data;
    if (reader_->get_matched_publication_data(data, writer) != DDS::RETCODE_OK) {
      return -1;
    }
    const bool is_heard = !ignores_local_ || !is_of_same_participant(gid_, gid_in(data.user_data, data.key));
    return type_ == data.type_name.in() && is_heard ? 1 : 0;
  }

  const std::shared_ptr<Participant> participant_;
  const Gid gid_;
  const std::string type_;
  const bool ignores_local_;
  std::optional<Deafness> deafness_;
  const std::int64_t begin_;  ///< ns since the epoch; what writers of this process wrote before is not for this reader
  DDS::DataReader_var reader_;
  CdrDataReader * cdr_ = nullptr;  ///< the same
  mutable MatchCount matches_;
  std::mutex mutex_;
  CdrSample sample_;                              ///< guarded by mutex_
  Message next_;                                  ///< guarded by mutex_
  std::atomic<bool> has_next_{false};             ///< changed with mutex_
  std::atomic<std::uint64_t> unreadable_{0};      ///< there was no memory for them
  std::map<DDS::InstanceHandle_t, Gid> writers_;  ///< guarded by mutex_
  DataListener * const listener_;
  const DDS::DataReaderListener_var listener_keeper_{listener_};
};

}  // namespace

std::unique_ptr<tandem::cdr_bus::Reader> make_reader(std::shared_ptr<Participant> participant, const Request & request,
                                                     std::function<void()> on_data) {
  return std::make_unique<OsplReader>(std::move(participant), request, std::move(on_data));
}

}  // namespace opensplice
