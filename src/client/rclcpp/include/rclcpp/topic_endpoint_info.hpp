// One publisher or subscription of the graph.
#ifndef RCLCPP__TOPIC_ENDPOINT_INFO_HPP_
#define RCLCPP__TOPIC_ENDPOINT_INFO_HPP_

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "rclcpp/qos.hpp"

namespace rclcpp {

enum class EndpointType { Invalid, Publisher, Subscription };

class TopicEndpointInfo {
 public:
  TopicEndpointInfo(std::string node_name, std::string node_namespace, std::string topic_type, std::string type_hash,
                    EndpointType endpoint_type, std::array<uint8_t, RMW_GID_STORAGE_SIZE> gid, QoS qos)
      : node_name_(std::move(node_name)),
        node_namespace_(std::move(node_namespace)),
        topic_type_(std::move(topic_type)),
        type_hash_(std::move(type_hash)),
        endpoint_type_(endpoint_type),
        endpoint_gid_(gid),
        qos_profile_(qos) {}

  std::string & node_name() { return node_name_; }
  const std::string & node_name() const { return node_name_; }
  std::string & node_namespace() { return node_namespace_; }
  const std::string & node_namespace() const { return node_namespace_; }
  std::string & topic_type() { return topic_type_; }
  const std::string & topic_type() const { return topic_type_; }
  /// "RIHS01_…" (rclcpp has a struct here).
  std::string & topic_type_hash() { return type_hash_; }
  const std::string & topic_type_hash() const { return type_hash_; }
  EndpointType & endpoint_type() { return endpoint_type_; }
  const EndpointType & endpoint_type() const { return endpoint_type_; }
  std::array<uint8_t, RMW_GID_STORAGE_SIZE> & endpoint_gid() { return endpoint_gid_; }
  const std::array<uint8_t, RMW_GID_STORAGE_SIZE> & endpoint_gid() const { return endpoint_gid_; }
  QoS & qos_profile() { return qos_profile_; }
  const QoS & qos_profile() const { return qos_profile_; }

 private:
  std::string node_name_;
  std::string node_namespace_;
  std::string topic_type_;
  std::string type_hash_;
  EndpointType endpoint_type_;
  std::array<uint8_t, RMW_GID_STORAGE_SIZE> endpoint_gid_;
  QoS qos_profile_;
};

}  // namespace rclcpp

#endif  // RCLCPP__TOPIC_ENDPOINT_INFO_HPP_
