// Qos to OpenSplice's policies and back.
#pragma once

#include <ccpp_dds_dcps.h>

#include "tandem/transport.hpp"

namespace opensplice {

/// A negative time is infinite.
DDS::Duration_t duration(std::chrono::nanoseconds time);

/// Of a transient-local writer: how many of its messages are for late joiners.
DDS::Long depth_for_late_joiners(const DDS::HistoryQosPolicy & history);

/// What is kept for late joiners belongs to the topic: `qos` says of how many messages it begins (cdr_type.hpp).
DDS::TopicQos topic_qos(const tandem::transport::Qos & qos, DDS::DomainParticipant & participant);
DDS::DataWriterQos writer_qos(const tandem::transport::Qos & qos, DDS::Publisher & publisher);
DDS::DataReaderQos reader_qos(const tandem::transport::Qos & qos, DDS::Subscriber & subscriber);

/// What discovery tells; the history is not among it.
template <class BuiltinTopicData>
tandem::transport::Qos qos_of(const BuiltinTopicData & data) {
  using tandem::transport::Durability;
  using tandem::transport::Reliability;
  tandem::transport::Qos qos;
  qos.depth = 0;
  qos.reliability =
      data.reliability.kind == DDS::RELIABLE_RELIABILITY_QOS ? Reliability::kReliable : Reliability::kBestEffort;
  qos.durability =
      data.durability.kind == DDS::VOLATILE_DURABILITY_QOS ? Durability::kVolatile : Durability::kTransientLocal;
  return qos;
}

}  // namespace opensplice
