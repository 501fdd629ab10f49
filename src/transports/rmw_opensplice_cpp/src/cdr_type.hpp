// A type that OpenSplice learns at run time, as its compiler for IDL would have made it. What goes into its topics and comes
// out of them is CDR.
//
// OpenSplice has writers and readers of CDR (FooCdrDataWriter, FooCdrDataReader). They are not used: such a writer gives
// back a reference to its topic that it does not have, and such a reader overruns the heap (cdr_buffer.hpp).
#pragma once

#include <FooDataReader_impl.h>
#include <FooDataWriter_impl.h>
#include <TypeSupport.h>
#include <sd_cdr.h>

#include <memory>
#include <span>

#include "cdr_buffer.hpp"
#include "type_description.hpp"

namespace opensplice {

struct FreeConverter {
  void operator()(sd_cdrInfo * info) const { sd_cdrInfoFree(info); }
};
/// OpenSplice's program that turns messages of a type into CDR and back.
using Converter = std::unique_ptr<sd_cdrInfo, FreeConverter>;

class CdrDataWriter final : public DDS::OpenSplice::FooDataWriter_impl {
 public:
  /// `cdr` with its encapsulation, in this machine's byte order. RETCODE_TIMEOUT: readers are full.
  DDS::ReturnCode_t write_cdr(std::span<const std::uint8_t> cdr);

 private:
  friend class CdrMetaHolder;
  DDS::ReturnCode_t init(DDS::OpenSplice::Publisher * publisher, DDS::OpenSplice::DomainParticipant * participant,
                         const DDS::DataWriterQos & qos, DDS::OpenSplice::Topic * topic, const char * name,
                         DDS::OpenSplice::cxxCopyIn copy_in, DDS::OpenSplice::cxxCopyOut copy_out, u_writerCopy copy,
                         void * marshaler) override;
  DDS::ReturnCode_t wlReq_deinit() override;

  Converter converter_;
};

/// Where a message goes that is taken. Not thread-safe.
struct CdrSample {
  CdrSample() { infos.length(1); }
  const DDS::SampleInfo & info() { return infos[0]; }

  CdrBuffer buffer;
  DDS::SampleInfoSeq infos;  ///< one
};

class CdrDataReader final : public DDS::OpenSplice::FooDataReader_impl {
 public:
  /// The next message, if there is one: RETCODE_OK. The buffer is left empty when there is no memory for it.
  DDS::ReturnCode_t take_cdr(CdrSample & sample);

 private:
  friend class CdrMetaHolder;
  DDS::ReturnCode_t init(DDS::OpenSplice::Subscriber * subscriber, const DDS::DataReaderQos & qos,
                         DDS::OpenSplice::TopicDescription * topic, const char * name,
                         DDS::OpenSplice::cxxCopyIn copy_in, DDS::OpenSplice::cxxCopyOut copy_out,
                         DDS::OpenSplice::cxxReaderCopy copy, void * marshaler) override;
  DDS::ReturnCode_t wlReq_deinit() override;

  Converter converter_;
};

class CdrTypeSupport final : public DDS::OpenSplice::TypeSupport {
 public:
  explicit CdrTypeSupport(const Type & type);
  ~CdrTypeSupport() override;
};

}  // namespace opensplice
