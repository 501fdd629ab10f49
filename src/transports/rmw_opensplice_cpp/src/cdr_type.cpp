#include "cdr_type.hpp"

#include <u_observable.h>
#include <v_dataReader.h>
#include <v_topic.h>
#include <v_writer.h>

#include <ccpp_dds_cdrBlob.h>

#include <atomic>

#include "qos.hpp"

namespace opensplice {
namespace {

constexpr std::size_t kEncapsulation = 4;

// How OpenSplice's serializer gets at our memory. What it calls serdata is a CdrBuffer.
int init_buffer(void * buffer, char ** position, os_uint32 expected) {
  return static_cast<CdrBuffer *>(buffer)->init(position, expected);
}
int grow_buffer(void * buffer, char ** position, os_uint32 expected) {
  return static_cast<CdrBuffer *>(buffer)->grow(position, expected);
}
void finalize_buffer(void * buffer, char * position) { static_cast<CdrBuffer *>(buffer)->finalize(position); }
os_uint32 no_position(const void *, const char *) { return 0; }
int no_tag(os_uint32 *, void *, sd_cdrTagType, os_uint32) { return 0; }

void find_type_of_reader(v_public reader, void * type) {
  v_topic topic = v_dataReaderGetTopic(v_dataReader(reader));
  *static_cast<c_type *>(type) = topic != nullptr ? c_type(c_keep(v_topicDataType(topic))) : nullptr;
  c_free(topic);
}
/// The topic stays the writer's.
void find_type_of_writer(v_public writer, void * type) {
  v_topic topic = v_writerTopic(v_writer(writer));
  *static_cast<c_type *>(type) = topic != nullptr ? c_type(c_keep(v_topicDataType(topic))) : nullptr;
}

/// What a transient-local writer keeps for late joiners OpenSplice takes from the topic, which has the depth of its first
/// endpoint. The topic follows the writer: before that is enabled, so that its network learns of it.
void set_depth_of_topic(v_public writer, void * depth) {
  v_topic topic = v_writerTopic(v_writer(writer));
  std::atomic_ref<c_long>(v_topicQosRef(topic)->durabilityService.v.history_depth).store(*static_cast<c_long *>(depth));
}

/// Null when that fails.
Converter make_converter(u_entity entity, void (*find_type)(v_public, void *)) {
  c_type type = nullptr;
  if (u_observableAction(u_observable(entity), find_type, &type) != U_RESULT_OK || type == nullptr) {
    return nullptr;
  }
  sd_cdrControl control{};
  control.init = init_buffer;
  control.grow = grow_buffer;
  control.finalize = finalize_buffer;
  control.getpos = no_position;
  control.tag = no_tag;
  Converter converter(sd_cdrInfoNewControl(type, &control));
  c_free(type);
  return converter != nullptr && sd_cdrCompile(converter.get()) >= 0 ? std::move(converter) : nullptr;
}

struct Outgoing {
  const sd_cdrInfo & converter;
  std::span<const std::uint8_t> payload;
};
struct Incoming {
  const sd_cdrInfo & converter;
  CdrBuffer & buffer;
};

v_copyin_result copy_in(void *, const void * outgoing, void * message) {
  const auto & from = *static_cast<const Outgoing *>(outgoing);
  const auto size = static_cast<os_uint32>(from.payload.size());
  switch (sd_cdrDeserializeRaw(message, &from.converter, size, from.payload.data())) {
    case SD_CDR_OK: return V_COPYIN_RESULT_OK;
    case SD_CDR_OUT_OF_MEMORY: return V_COPYIN_RESULT_OUT_OF_MEMORY;
    default: return V_COPYIN_RESULT_INVALID;
  }
}
void copy_out(const void * message, void * incoming) {
  const auto & to = *static_cast<Incoming *>(incoming);
  if (sd_cdrSerializeControl(&to.converter, &to.buffer, message) != SD_CDR_OK) {
    to.buffer.clear();
  }
}

// Where a reader puts many messages, of which it is never asked for more than one.
void * no_alloc(void *, DDS::ULong) { return nullptr; }
void no_length(void *, DDS::ULong) {}
void * the_only_one(void * incoming, DDS::ULong) { return incoming; }

}  // namespace

/// OpenSplice keeps the addresses of the type's name and description, hence a Type, which is never freed.
class CdrMetaHolder final : public DDS::OpenSplice::TypeSupportMetaHolder {
 public:
  explicit CdrMetaHolder(const Type & type) : TypeSupportMetaHolder(type.name.c_str(), "", ""), type_(type) {
    copyIn = copy_in;
    copyOut = copy_out;
    metaDescriptorArrLength = 1;
    metaDescriptorLength = static_cast<DDS::ULong>(type.description.size() + 1);
    metaDescriptor = new const char *[1];  // the base deletes it
    metaDescriptor[0] = type.description.c_str();
  }

 private:
  TypeSupportMetaHolder * clone() override { return new CdrMetaHolder(type_); }
  DDS::OpenSplice::DataWriter * create_datawriter() override { return new CdrDataWriter; }
  DDS::OpenSplice::DataReader * create_datareader() override { return new CdrDataReader; }
  DDS::OpenSplice::DataReaderView * create_view() override { return nullptr; }

  const Type & type_;
};

CdrTypeSupport::CdrTypeSupport(const Type & type) { tsMetaHolder = new CdrMetaHolder(type); }
CdrTypeSupport::~CdrTypeSupport() { DDS::release(tsMetaHolder); }

// OpenSplice's own signature. NOLINTNEXTLINE(readability-function-size)
DDS::ReturnCode_t CdrDataWriter::init(DDS::OpenSplice::Publisher * publisher,
                                      DDS::OpenSplice::DomainParticipant * participant, const DDS::DataWriterQos & qos,
                                      DDS::OpenSplice::Topic * topic, const char * name, DDS::OpenSplice::cxxCopyIn in,
                                      DDS::OpenSplice::cxxCopyOut out, u_writerCopy copy, void * marshaler) {
  const auto result = nlReq_init(publisher, participant, qos, topic, name, in, out, copy, marshaler);
  if (result == DDS::RETCODE_OK) {
    if (qos.durability.kind == DDS::TRANSIENT_LOCAL_DURABILITY_QOS) {
      c_long depth = depth_for_late_joiners(qos.history);
      u_observableAction(u_observable(rlReq_get_user_entity()), set_depth_of_topic, &depth);
    }
    converter_ = make_converter(rlReq_get_user_entity(), find_type_of_writer);
  }
  return result;
}

DDS::ReturnCode_t CdrDataWriter::wlReq_deinit() {
  const auto result = FooDataWriter_impl::wlReq_deinit();
  if (result == DDS::RETCODE_OK) {
    converter_.reset();
  }
  return result;
}

DDS::ReturnCode_t CdrDataWriter::write_cdr(std::span<const std::uint8_t> cdr) {
  if (converter_ == nullptr || cdr.size() < kEncapsulation) {
    return DDS::RETCODE_BAD_PARAMETER;
  }
  const Outgoing outgoing{*converter_, cdr.subspan(kEncapsulation)};
  return write(&outgoing, DDS::HANDLE_NIL);
}

// OpenSplice's own signature. NOLINTNEXTLINE(readability-function-size)
DDS::ReturnCode_t CdrDataReader::init(DDS::OpenSplice::Subscriber * subscriber, const DDS::DataReaderQos & qos,
                                      DDS::OpenSplice::TopicDescription * topic, const char * name,
                                      DDS::OpenSplice::cxxCopyIn in, DDS::OpenSplice::cxxCopyOut out,
                                      DDS::OpenSplice::cxxReaderCopy copy, void * marshaler) {
  const auto result =
      nlReq_init(subscriber, qos, topic, name, in, out, copy, marshaler, no_alloc, no_length, the_only_one, copy_out);
  if (result == DDS::RETCODE_OK) {
    converter_ = make_converter(rlReq_get_user_entity(), find_type_of_reader);
  }
  return result;
}

DDS::ReturnCode_t CdrDataReader::wlReq_deinit() {
  const auto result = FooDataReader_impl::wlReq_deinit();
  if (result == DDS::RETCODE_OK) {
    converter_.reset();
  }
  return result;
}

DDS::ReturnCode_t CdrDataReader::take_cdr(CdrSample & sample) {
  sample.buffer.clear();
  if (converter_ == nullptr) {
    return DDS::RETCODE_NO_DATA;
  }
  Incoming incoming{*converter_, sample.buffer};
  return take(&incoming, sample.infos, 1, DDS::ANY_SAMPLE_STATE, DDS::ANY_VIEW_STATE, DDS::ANY_INSTANCE_STATE);
}

}  // namespace opensplice
