// A type that OpenSplice learns at run time, as its compiler for IDL would have made it, less what converts messages: only
// CDR is written to its topics and taken from them.
#pragma once

#include <FooCdrDataReader.h>
#include <FooCdrDataWriter.h>
#include <TypeSupport.h>
#include <ccpp_dds_cdrBlob.h>
#include <ccpp_dds_dcps.h>

#include <string>

namespace opensplice {

class CdrDataWriter final : public DDS::OpenSplice::FooDataWriter_impl {
  friend class CdrMetaHolder;
  DDS::ReturnCode_t init(DDS::OpenSplice::Publisher * publisher, DDS::OpenSplice::DomainParticipant * participant,
                         const DDS::DataWriterQos & qos, DDS::OpenSplice::Topic * topic, const char * name,
                         DDS::OpenSplice::cxxCopyIn copy_in, DDS::OpenSplice::cxxCopyOut copy_out, u_writerCopy copy,
                         void * marshaler) override {
    return nlReq_init(publisher, participant, qos, topic, name, copy_in, copy_out, copy, marshaler);
  }
};

class CdrDataReader final : public DDS::OpenSplice::FooDataReader_impl {
  friend class CdrMetaHolder;
  DDS::ReturnCode_t init(DDS::OpenSplice::Subscriber * subscriber, const DDS::DataReaderQos & qos,
                         DDS::OpenSplice::TopicDescription * topic, const char * name,
                         DDS::OpenSplice::cxxCopyIn copy_in, DDS::OpenSplice::cxxCopyOut copy_out,
                         DDS::OpenSplice::cxxReaderCopy copy, void * marshaler) override {
    return nlReq_init(subscriber, qos, topic, name, copy_in, copy_out, copy, marshaler, nullptr, nullptr, nullptr,
                      nullptr);
  }
};

/// The strings belong to the CdrTypeSupport that it is of.
class CdrMetaHolder final : public DDS::OpenSplice::TypeSupportMetaHolder {
 public:
  CdrMetaHolder(const char * name, const char * description, std::size_t length)
      : TypeSupportMetaHolder(name, "", ""), name_(name), description_(description), length_(length) {
    copyIn = nullptr;
    copyOut = nullptr;
    metaDescriptorArrLength = 1;
    metaDescriptorLength = static_cast<DDS::ULong>(length + 1);
    metaDescriptor = new const char *[1];  // the base deletes it
    metaDescriptor[0] = description;
  }

 private:
  TypeSupportMetaHolder * clone() override { return new CdrMetaHolder(name_, description_, length_); }
  DDS::OpenSplice::DataWriter * create_datawriter() override { return new CdrDataWriter; }
  DDS::OpenSplice::DataReader * create_datareader() override { return new CdrDataReader; }
  DDS::OpenSplice::DataReaderView * create_view() override { return nullptr; }

  const char * const name_;
  const char * const description_;
  const std::size_t length_;
};

class CdrTypeSupport final : public DDS::OpenSplice::TypeSupport {
 public:
  CdrTypeSupport(const char * name, const char * description, std::size_t length) {
    tsMetaHolder = new CdrMetaHolder(name, description, length);
  }
  ~CdrTypeSupport() override { DDS::release(tsMetaHolder); }
};

}  // namespace opensplice
