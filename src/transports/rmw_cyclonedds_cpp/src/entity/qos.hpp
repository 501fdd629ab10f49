// Our quality of service and Cyclone's.
#pragma once

#include <dds/dds.h>

#include <memory>
#include <string>

#include "tandem/transport.hpp"

namespace rmw_cyclonedds {

namespace transport = tandem::transport;

struct DeleteQos {
  void operator()(dds_qos_t * qos) const { dds_delete_qos(qos); }
};
using QosPtr = std::unique_ptr<dds_qos_t, DeleteQos>;

QosPtr make_qos();
void set_user_data(dds_qos_t * qos, const std::string & text);
std::string user_data(const dds_qos_t * qos);

QosPtr writer_qos(const transport::Qos & qos, const std::string & user_data);
QosPtr reader_qos(const transport::Qos & qos, const std::string & user_data, bool ignores_own_participant);

/// What a discovered endpoint tells; what it leaves out is DDS's default.
transport::Qos from_dds(const dds_qos_t * qos);

}  // namespace rmw_cyclonedds
