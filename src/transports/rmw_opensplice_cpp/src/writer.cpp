#include "cdr_type.hpp"
#include "endpoints.hpp"
#include "match_count.hpp"
#include "qos.hpp"
#include "tandem/transport.hpp"

namespace opensplice {
namespace {

using tandem::cdr_bus::Bytes;
using tandem::cdr_bus::Gid;
using tandem::cdr_bus::Request;
using tandem::transport::Error;
using tandem::transport::PublishResult;

class OsplWriter final : public tandem::cdr_bus::Writer {
 public:
  OsplWriter(std::shared_ptr<Participant> participant, const Request & request)
      : participant_(std::move(participant)), gid_(participant_->new_gid()), type_(request.type) {
    DDS::DataWriterQos qos = writer_qos(request.qos, *participant_->publisher.in());
    set_user_data(qos.user_data, request.user_data + gid_text(gid_));
    writer_ =
        participant_->publisher->create_datawriter(participant_->topic(request), qos, nullptr, DDS::STATUS_MASK_NONE);
    cdr_ = dynamic_cast<CdrDataWriter *>(writer_.in());
    if (cdr_ == nullptr) {
      throw Error(std::string(kName) + ": topic '" + request.topic + "': OpenSplice makes no writer");
    }
  }
  ~OsplWriter() override { participant_->publisher->delete_datawriter(writer_.in()); }

  PublishResult write(const Bytes & cdr) override {
    switch (cdr_->write_cdr(cdr)) {
      case DDS::RETCODE_OK: return PublishResult::kOk;
      case DDS::RETCODE_TIMEOUT: return PublishResult::kTimeout;
      case DDS::RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
      default: return PublishResult::kClosed;
    }
  }

  std::size_t matched() const override {
    DDS::PublicationMatchedStatus status{};
    writer_->get_publication_matched_status(status);
    return matches_.count(
        status,
        [this] {
          DDS::InstanceHandleSeq readers;
          writer_->get_matched_subscriptions(readers);
          return readers;
        },
        [this](DDS::InstanceHandle_t reader) { return is_matched(reader); });
  }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    return writer_->wait_for_acknowledgments(duration(timeout)) == DDS::RETCODE_OK;
  }
  Gid gid() const override { return gid_; }

 private:
  int is_matched(DDS::InstanceHandle_t reader) const {
    DDS::SubscriptionBuiltinTopicData data;
    if (writer_->get_matched_subscription_data(data, reader) != DDS::RETCODE_OK) {
      return -1;
    }
    return type_ == data.type_name.in() && !participant_->deaf_readers().contains(gid_in(data.user_data, data.key)) ? 1
                                                                                                                    : 0;
  }

  const std::shared_ptr<Participant> participant_;
  const Gid gid_;
  const std::string type_;
  DDS::DataWriter_var writer_;
  CdrDataWriter * cdr_ = nullptr;  ///< the same
  mutable MatchCount matches_;
};

}  // namespace

std::unique_ptr<tandem::cdr_bus::Writer> make_writer(std::shared_ptr<Participant> participant,
                                                     const Request & request) {
  return std::make_unique<OsplWriter>(std::move(participant), request);
}

}  // namespace opensplice
