// What Fast DDS must know of types, and what its write() and take() are given to work on.
#pragma once

#include <fastdds/dds/topic/TopicDataType.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/message_type.hpp"

namespace rmw_fastrtps {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

/// Bytes that name the encapsulation, before each message on the wire and in shared memory.
inline constexpr std::uint32_t kEncapsulation = 4;

/// write() is given one of these, except for a loan, which is its message itself.
struct Outgoing {
  const tandem::MessageType & type;
  const void * message;
};

/// take() is given one of these. Fast DDS calls it with the reader locked; afterwards, of a payload in another process's
/// memory, it looks whether the writer has overwritten it meanwhile, and if so comes again with the next payload.
class Incoming {
 public:
  virtual ~Incoming() = default;
  /// \return false when the bytes are not to be taken: they are dropped.
  virtual bool accept(const void * bytes, std::uint32_t size) = 0;
};

/// A message type, serialized by its table of fields, straight between the message and the history's payload.
class MessageDataType final : public dds::TopicDataType {
 public:
  explicit MessageDataType(const tandem::MessageType & type);

  bool serialize(void * outgoing, rtps::SerializedPayload_t * payload) override;
  bool deserialize(rtps::SerializedPayload_t * payload, void * incoming) override;
  std::function<std::uint32_t()> getSerializedSizeProvider(void * outgoing) override;
  void * createData() override { return nullptr; }
  void deleteData(void *) override {}
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }
  bool is_bounded() const override { return is_plain_; }
  bool is_plain() const override { return is_plain_; }
  bool construct_sample(void * memory) const override;

 private:
  const tandem::MessageType & type_;
  const bool is_plain_;
};

/// Ready-made CDR with its encapsulation: write() and take() are given a std::vector<std::uint8_t>.
class BytesDataType final : public dds::TopicDataType {
 public:
  explicit BytesDataType(const char * name);

  bool serialize(void * bytes, rtps::SerializedPayload_t * payload) override;
  bool deserialize(rtps::SerializedPayload_t * payload, void * bytes) override;
  std::function<std::uint32_t()> getSerializedSizeProvider(void * bytes) override;
  void * createData() override;
  void deleteData(void * bytes) override;
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }
};

}  // namespace rmw_fastrtps
