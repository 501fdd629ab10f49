// transports.block.fastdds.N: round trips over Fast DDS alone, doing what rmw_fastrtps_cpp has to when it copies: messages
// serialized by the same table-driven CDR into the history's payload and deserialized out of it, over shared memory with
// the same segment; a listener wakes the thread that waits.
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <condition_variable>
#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <mutex>
#include <vector>

#include "tandem/cdr.hpp"
#include "transport/sized_round_trip.hpp"

namespace bench {
namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::SharedMemTransportDescriptor;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::types::ReturnCode_t;

constexpr std::uint32_t kDomain = 96;  // apart from the transports'
constexpr std::uint32_t kSegmentBytes = 64 << 20;
constexpr std::uint32_t kPortCapacity = 2048;

class Type : public dds::TopicDataType {
 public:
  explicit Type(const tandem::MessageType & type) : type_(type) {
    setName(type.name);
    m_typeSize = static_cast<std::uint32_t>(type.size + 4);
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void * message, rtps::SerializedPayload_t * payload) override {
    payload->length = static_cast<std::uint32_t>(tandem::serialize(type_, message, payload->data, payload->max_size));
    return payload->length != 0;
  }
  bool deserialize(rtps::SerializedPayload_t * payload, void * message) override {
    return tandem::deserialize(type_, payload->data, payload->length, message).has_value();
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void * message) override {
    return [this, message] { return static_cast<std::uint32_t>(tandem::serialized_size(type_, message)); };
  }
  void * createData() override { return ::operator new (type_.size, std::align_val_t{type_.alignment}); }
  void deleteData(void * message) override { ::operator delete (message, std::align_val_t{type_.alignment}); }
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }

 private:
  const tandem::MessageType & type_;
};

void check(const void * made, const char * what) {
  if (made == nullptr) {
    throw std::runtime_error(std::string("Fast DDS makes no ") + what);
  }
}

dds::DomainParticipant & participant() {
  static dds::DomainParticipant * const one = [] {
    dds::DomainParticipantQos qos;
    auto memory = std::make_shared<SharedMemTransportDescriptor>();
    memory->segment_size(kSegmentBytes);
    memory->port_queue_capacity(kPortCapacity);
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports = {memory, std::make_shared<UDPv4TransportDescriptor>()};
    return dds::DomainParticipantFactory::get_instance()->create_participant(kDomain, qos);
  }();
  check(one, "participant");
  return *one;
}

class BareFastdds : public SizedRoundTrip, private dds::DataReaderListener {
 public:
  BareFastdds(const std::string & name, const Role & role)
      : SizedRoundTrip(name), type_(message_kind(contest().size).type()), outgoing_(type_.size), incoming_(type_.size) {
    type_.construct(outgoing_.data());
    type_.construct(incoming_.data());
    participant().register_type(dds::TypeSupport(new Type(type_)));
    make_writer(*topic(role.ping ? "there" : "back"));
    make_reader(*topic(role.ping ? "back" : "there"));
  }

  bool is_connected() const override {
    dds::PublicationMatchedStatus there;
    dds::SubscriptionMatchedStatus back;
    writer_->get_publication_matched_status(there);
    reader_->get_subscription_matched_status(back);
    return there.current_count == 1 && back.current_count == 1;
  }

 private:
  dds::Topic * topic(const std::string & end) {
    dds::Topic * const made = participant().create_topic("bench/" + std::to_string(contest().size) + "/" + end,
                                                         type_.name, dds::TOPIC_QOS_DEFAULT);
    check(made, "topic");
    return made;
  }

  void make_writer(dds::Topic & topic) {
    dds::DataWriterQos qos;
    qos.history().depth = 10;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
    writer_ = participant().create_publisher(dds::PUBLISHER_QOS_DEFAULT)->create_datawriter(&topic, qos);
    check(writer_, "writer");
  }

  void make_reader(dds::Topic & topic) {
    dds::DataReaderQos qos;
    qos.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
    qos.history().depth = 10;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
    reader_ = participant().create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT)->create_datareader(&topic, qos, this);
    check(reader_, "reader");
  }

  void on_data_available(dds::DataReader *) override {
    {
      const std::lock_guard lock(mutex_);
      ++arrived_;
    }
    some_.notify_one();
  }

  void send(const Head & head) override {
    std::memcpy(outgoing_.data(), &head, sizeof head);
    if (!writer_->write(outgoing_.data())) {
      throw std::runtime_error("publish failed");
    }
  }

  Head receive() override {
    dds::SampleInfo info;
    while (reader_->take_next_sample(incoming_.data(), &info) != ReturnCode_t::RETCODE_OK) {
      std::unique_lock lock(mutex_);
      if (!some_.wait_for(lock, kPatience, [this] { return arrived_ > 0; })) {
        Patience::give_up();
      }
      arrived_ = 0;
    }
    Head head;
    std::memcpy(&head, incoming_.data(), sizeof head);
    return head;
  }

  const tandem::MessageType & type_;
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;
  dds::DataWriter * writer_ = nullptr;
  dds::DataReader * reader_ = nullptr;
  std::mutex mutex_;
  std::condition_variable some_;
  std::size_t arrived_ = 0;  ///< guarded by mutex_
};

}  // namespace

std::unique_ptr<Contestant> make_bare_fastdds(const std::string & name, const Role & role) {
  return std::make_unique<BareFastdds>(name, role);
}

}  // namespace bench
