// What a reader takes from its history.
#pragma once

#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "data_type.hpp"
#include "participant.hpp"
#include "shared_samples.hpp"
#include "tandem/cdr.hpp"
#include "tandem/kit/chunk.hpp"
#include "tandem/service.hpp"

namespace rmw_fastrtps {

using tandem::transport::Channel;
using tandem::transport::Chunk;
using tandem::transport::RequestId;

inline std::uint64_t number_of(const dds::SampleInfo & info) {
  return info.sample_identity.sequence_number().to64long();
}
inline Gid writer_of(const dds::SampleInfo & info) { return to_gid(info.sample_identity.writer_guid()); }

/// CDR in the payload of the reader's history. The kit reads it and is done.
class LentPayload final : public Chunk {
 public:
  explicit LentPayload(dds::DataReader & reader) : reader_(reader) {}
  ~LentPayload() override { give_back(); }

  /// \return false: there is none.
  bool take() {
    give_back();
    has_loan_ = reader_.take(messages_, infos_, 1) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK;
    if (has_loan_ && infos_[0].valid_data) {
      data = messages_[0].bytes;
      size = messages_[0].size;
    }
    return has_loan_;
  }
  const dds::SampleInfo & info() const { return infos_[0]; }

 private:
  void give_back() {
    if (std::exchange(has_loan_, false)) {
      reader_.return_loan(messages_, infos_);
    }
  }

  dds::DataReader & reader_;
  dds::LoanableSequence<Incoming> messages_;
  dds::SampleInfoSeq infos_;
  bool has_loan_ = false;
};

/// A message of fixed size: where its writer has put it if that can be, else a copy.
struct InPlace final : Incoming {
  InPlace(const tandem::MessageType & of, SampleFiles & in) : type(of), files(in) {}
  void accept(std::byte * payload, std::size_t length) override {
    chunk.reset();  // of a sample that was overwritten meanwhile
    if (length >= kEncapsulation + type.size) {
      chunk = files.hold(payload + kEncapsulation, type.size);
    }
    if (!chunk) {
      chunk = tandem::transport::make_heap_chunk(type.size);
      chunk->hold = Chunk::Hold::kNever;  // so that the kit counts a copy
      chunk->size = tandem::deserialize(type, payload, length, chunk->data) ? type.size : 0;
    }
  }
  const tandem::MessageType & type;
  SampleFiles & files;
  std::unique_ptr<Chunk> chunk;
};

/// A message that leaves the history; null when there is no memory for it.
struct Copied final : Incoming {
  void accept(std::byte * payload, std::size_t length) override {
    chunk.reset();
    try {
      chunk = tandem::transport::make_heap_chunk(length);
      std::memcpy(chunk->data, payload, length);
    } catch (const std::bad_alloc &) {
    }
  }
  std::unique_ptr<Chunk> chunk;
};

/// Whose request it is; of a reply, whose request it answers.
inline RequestId request_in(const dds::SampleInfo & info, Channel channel) {
  const auto & related = info.related_sample_identity;
  if (channel == Channel::kReply) {
    return {to_gid(related.writer_guid()), static_cast<std::int64_t>(related.sequence_number().to64long())};
  }
  const bool names_reader = related.writer_guid() != rtps::GUID_t::unknown();
  return {names_reader ? to_gid(related.writer_guid()) : writer_of(info), static_cast<std::int64_t>(number_of(info))};
}

/// What has come of a writer. Several threads may take, so that a later message is counted before an earlier one.
struct Record {
  std::uint64_t first = 0;
  std::uint64_t next = 0;  ///< after the latest that was taken or dropped
  std::uint64_t taken = 0;
  std::uint64_t lost() const { return next - first > taken ? next - first - taken : 0; }
};

}  // namespace rmw_fastrtps
