// What Fast DDS must know of types, and what its write() and take() are given to work on.
#pragma once

#include <fastdds/dds/topic/TopicDataType.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "tandem/message_type.hpp"

namespace rmw_fastrtps {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

/// Bytes that name the encapsulation, before each message on the wire and in shared memory.
inline constexpr std::uint32_t kEncapsulation = 4;

/// write() is given one of these, except for a loan, which is its message itself.
struct Outgoing {
  const tandem::MessageType * type;  ///< null: the message is a std::vector<std::uint8_t> of CDR
  const void * message;
};

/// take() is given one of these. Of a loan of take(), `bytes` are there until it is returned.
struct Incoming {
  virtual ~Incoming() = default;
  /// Called with the reader locked. Of a payload in another process's memory Fast DDS then looks whether the writer has
  /// overwritten it meanwhile, and if so comes again with the next one.
  virtual void accept(std::byte * payload, std::size_t length) {
    bytes = payload;
    size = length;
  }
  std::byte * bytes = nullptr;
  std::size_t size = 0;
};

/// A message is serialized by its table of fields, straight into the history's payload.
class DataType final : public dds::TopicDataType {
 public:
  /// Lent samples and data-sharing are for types that are plain (plain.hpp).
  DataType(const tandem::MessageType & type, bool is_plain);
  /// One that is written as CDR. `name` is as on the wire.
  explicit DataType(const std::string & name);

  /// Null for one that is written as CDR.
  const tandem::MessageType * message_type() const { return type_; }

  bool serialize(void * outgoing, rtps::SerializedPayload_t * payload) override;
  bool deserialize(rtps::SerializedPayload_t * payload, void * incoming) override;
  std::function<std::uint32_t()> getSerializedSizeProvider(void * outgoing) override;
  void * createData() override { return new Incoming; }
  void deleteData(void * incoming) override { delete static_cast<Incoming *>(incoming); }
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }
  bool is_bounded() const override { return is_plain_; }
  bool is_plain() const override { return is_plain_; }

 private:
  const tandem::MessageType * const type_ = nullptr;
  const bool is_plain_ = false;
};

}  // namespace rmw_fastrtps
