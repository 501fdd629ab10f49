#include "qos.hpp"

namespace opensplice {

using tandem::transport::Durability;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

/// Of keep all: messages that a reliable writer or reader keeps before publishers wait, and those for late joiners. Were
/// all kept for these, OpenSplice's network would take none as acknowledged, and stop after some kilobytes.
constexpr DDS::Long kKeepAllLimit = 1000;

/// What readers and writers have in common.
template <class EntityQos>
void set(const Qos & from, EntityQos & to) {
  to.history.kind = from.history == History::kKeepAll ? DDS::KEEP_ALL_HISTORY_QOS : DDS::KEEP_LAST_HISTORY_QOS;
  to.history.depth = static_cast<DDS::Long>(from.depth);
  to.reliability.kind =
      from.reliability == Reliability::kReliable ? DDS::RELIABLE_RELIABILITY_QOS : DDS::BEST_EFFORT_RELIABILITY_QOS;
  to.reliability.max_blocking_time = duration(from.max_blocking_time);
  to.durability.kind = from.durability == Durability::kTransientLocal ? DDS::TRANSIENT_LOCAL_DURABILITY_QOS
                                                                      : DDS::VOLATILE_DURABILITY_QOS;
  if (from.history == History::kKeepAll && from.reliability == Reliability::kReliable) {
    to.resource_limits.max_samples = kKeepAllLimit;
  }
}

}  // namespace

DDS::Duration_t duration(std::chrono::nanoseconds time) {
  if (time.count() < 0) {
    return {DDS::DURATION_INFINITE_SEC, DDS::DURATION_INFINITE_NSEC};
  }
  return {static_cast<DDS::Long>(time.count() / 1'000'000'000), static_cast<DDS::ULong>(time.count() % 1'000'000'000)};
}

DDS::Long depth_for_late_joiners(const DDS::HistoryQosPolicy & history) {
  return history.kind == DDS::KEEP_ALL_HISTORY_QOS ? kKeepAllLimit : history.depth;
}

DDS::TopicQos topic_qos(const Qos & qos, DDS::DomainParticipant & participant) {
  DDS::TopicQos topic;
  participant.get_default_topic_qos(topic);
  topic.durability.kind = DDS::TRANSIENT_LOCAL_DURABILITY_QOS;
  topic.durability_service.history_kind = DDS::KEEP_LAST_HISTORY_QOS;
  topic.durability_service.history_depth =
      qos.history == History::kKeepAll ? kKeepAllLimit : static_cast<DDS::Long>(qos.depth);
  return topic;
}

DDS::DataWriterQos writer_qos(const Qos & qos, DDS::Publisher & publisher) {
  DDS::DataWriterQos writer;
  publisher.get_default_datawriter_qos(writer);
  set(qos, writer);
  return writer;
}

DDS::DataReaderQos reader_qos(const Qos & qos, DDS::Subscriber & subscriber) {
  DDS::DataReaderQos reader;
  subscriber.get_default_datareader_qos(reader);
  set(qos, reader);
  return reader;
}

}  // namespace opensplice
