#include "entity/qos.hpp"

#include <algorithm>
#include <limits>

namespace rmw_cyclonedds {
namespace {

using transport::Durability;
using transport::History;
using transport::Liveliness;
using transport::Reliability;

dds_history_kind_t history_of(const transport::Qos & qos) {
  return qos.history == History::kKeepAll ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
}

std::int32_t depth_of(const transport::Qos & qos) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(qos.history == History::kKeepAll ? 1 : std::min(qos.depth, kMost));
}

static_assert(DDS_INFINITY == transport::kInfinite.count());
dds_duration_t duration_of(std::chrono::nanoseconds time) { return time.count(); }

QosPtr endpoint_qos(const transport::Qos & from, const std::string & text) {
  QosPtr qos = make_qos();
  const bool is_reliable = from.reliability == Reliability::kReliable;
  dds_qset_reliability(qos.get(), is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       std::max<std::int64_t>(from.max_blocking_time.count(), 0));
  const bool is_transient = from.durability == Durability::kTransientLocal;
  dds_qset_durability(qos.get(), is_transient ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(qos.get(), history_of(from), depth_of(from));
  dds_qset_deadline(qos.get(), duration_of(from.deadline));
  dds_qset_liveliness(
      qos.get(),
      from.liveliness == Liveliness::kManualByTopic ? DDS_LIVELINESS_MANUAL_BY_TOPIC : DDS_LIVELINESS_AUTOMATIC,
      duration_of(from.lease));
  constexpr dds_data_representation_id_t kRepresentation[] = {DDS_DATA_REPRESENTATION_XCDR1};
  dds_qset_data_representation(qos.get(), 1, kRepresentation);
  set_user_data(qos.get(), text);
  return qos;
}

}  // namespace

QosPtr make_qos() { return QosPtr(dds_create_qos()); }

void set_user_data(dds_qos_t * qos, const std::string & text) {
  if (!text.empty()) {
    dds_qset_userdata(qos, text.data(), text.size());
  }
}

std::string user_data(const dds_qos_t * qos) {
  void * data = nullptr;
  std::size_t size = 0;
  if (!dds_qget_userdata(qos, &data, &size) || data == nullptr) {
    return {};
  }
  std::string text(static_cast<const char *>(data), size);
  dds_free(data);
  return text;
}

QosPtr writer_qos(const transport::Qos & from, const std::string & text) {
  QosPtr qos = endpoint_qos(from, text);
  if (from.durability == Durability::kTransientLocal) {
    dds_qset_durability_service(qos.get(), 0, history_of(from), depth_of(from), DDS_LENGTH_UNLIMITED,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  }
  dds_qset_lifespan(qos.get(), duration_of(from.lifespan));
  dds_qset_writer_data_lifecycle(qos.get(), false);  // leaving disposes of nothing: there are no instances
  return qos;
}

QosPtr reader_qos(const transport::Qos & from, const std::string & text, bool ignores_own_participant) {
  QosPtr qos = endpoint_qos(from, text);
  if (ignores_own_participant) {
    dds_qset_ignorelocal(qos.get(), DDS_IGNORELOCAL_PARTICIPANT);
  }
  return qos;
}

transport::Qos from_dds(const dds_qos_t * from) {
  transport::Qos qos;
  dds_history_kind_t history = DDS_HISTORY_KEEP_LAST;
  std::int32_t depth = 1;
  dds_qget_history(from, &history, &depth);
  qos.history = history == DDS_HISTORY_KEEP_ALL ? History::kKeepAll : History::kKeepLast;
  qos.depth = static_cast<std::uint32_t>(std::max(depth, 0));
  dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
  dds_duration_t blocking = 0;
  dds_qget_reliability(from, &reliability, &blocking);
  qos.reliability = reliability == DDS_RELIABILITY_RELIABLE ? Reliability::kReliable : Reliability::kBestEffort;
  qos.max_blocking_time = std::chrono::nanoseconds(blocking);
  dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
  dds_qget_durability(from, &durability);
  qos.durability = durability == DDS_DURABILITY_VOLATILE ? Durability::kVolatile : Durability::kTransientLocal;
  dds_duration_t time = DDS_INFINITY;
  if (dds_qget_deadline(from, &time)) {
    qos.deadline = std::chrono::nanoseconds(time);
  }
  if (dds_qget_lifespan(from, &time)) {
    qos.lifespan = std::chrono::nanoseconds(time);
  }
  dds_liveliness_kind_t liveliness = DDS_LIVELINESS_AUTOMATIC;
  if (dds_qget_liveliness(from, &liveliness, &time)) {
    qos.liveliness = liveliness == DDS_LIVELINESS_MANUAL_BY_TOPIC ? Liveliness::kManualByTopic : Liveliness::kAutomatic;
    qos.lease = std::chrono::nanoseconds(time);
  }
  // Discovery tells no history but that for late joiners.
  if (qos.durability == Durability::kTransientLocal &&
      dds_qget_durability_service(from, nullptr, &history, &depth, nullptr, nullptr, nullptr)) {
    qos.history = history == DDS_HISTORY_KEEP_ALL ? History::kKeepAll : History::kKeepLast;
    qos.depth = static_cast<std::uint32_t>(std::max(depth, 1));
  }
  return qos;
}

}  // namespace rmw_cyclonedds
