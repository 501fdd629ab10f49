#include "qos.hpp"

namespace connext {

namespace policy = dds::core::policy;
using tandem::cdr_bus::Request;
using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

constexpr std::int32_t kKeepAllLimit = 1000;  // messages that a writer keeps before it waits

policy::Reliability reliability(const Qos & qos) {
  if (qos.reliability == Reliability::kBestEffort) {
    return policy::Reliability::BestEffort();
  }
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(qos.max_blocking_time).count();
  return policy::Reliability::Reliable(dds::core::Duration::from_microsecs(static_cast<std::uint64_t>(microseconds)));
}

policy::Durability durability(const Qos & qos) {
  return qos.durability == Durability::kVolatile ? policy::Durability::Volatile()
                                                 : policy::Durability::TransientLocal();
}

policy::History history(const Qos & qos) {
  return qos.history == History::kKeepAll ? policy::History::KeepAll()
                                          : policy::History::KeepLast(static_cast<std::uint32_t>(qos.depth));
}

/// ROS 2's nodes take XCDR1.
policy::DataRepresentation representation() { return policy::DataRepresentation({policy::DataRepresentation::xcdr()}); }

}  // namespace

policy::UserData user_data(const std::string & text) {
  return policy::UserData(dds::core::ByteSeq(text.begin(), text.end()));
}

dds::pub::qos::DataWriterQos writer_qos(const Request & request) {
  dds::pub::qos::DataWriterQos qos;
  qos << reliability(request.qos) << durability(request.qos) << history(request.qos) << user_data(request.user_data)
      << representation();
  if (request.qos.history == History::kKeepAll) {
    qos << policy::ResourceLimits(kKeepAllLimit, dds::core::LENGTH_UNLIMITED, dds::core::LENGTH_UNLIMITED);
  }
  return qos;
}

dds::sub::qos::DataReaderQos reader_qos(const Request & request) {
  dds::sub::qos::DataReaderQos qos;
  qos << reliability(request.qos) << durability(request.qos) << history(request.qos) << user_data(request.user_data)
      << representation();
  return qos;
}

}  // namespace connext
