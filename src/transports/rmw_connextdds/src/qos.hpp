// Qos to Connext's policies and back.
#pragma once

#include <dds/dds.hpp>

#include "tandem/cdr_bus/bus.hpp"

namespace connext {

dds::pub::qos::DataWriterQos writer_qos(const tandem::cdr_bus::Request & request);
dds::sub::qos::DataReaderQos reader_qos(const tandem::cdr_bus::Request & request);
dds::core::policy::UserData user_data(const std::string & text);

/// What discovery tells; the history is not among it.
template <class BuiltinTopicData>
tandem::transport::Qos qos_of(const BuiltinTopicData & data) {
  namespace policy = dds::core::policy;
  tandem::transport::Qos qos;
  qos.depth = 0;
  qos.reliability = data.reliability().kind() == policy::ReliabilityKind::RELIABLE
                        ? tandem::transport::Reliability::kReliable
                        : tandem::transport::Reliability::kBestEffort;
  qos.durability = data.durability().kind() == policy::DurabilityKind::VOLATILE
                       ? tandem::transport::Durability::kVolatile
                       : tandem::transport::Durability::kTransientLocal;
  return qos;
}

}  // namespace connext
