// What there is in the domain, with the numbers that clients know it by: topics, services, nodes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tandem/message_type.hpp"
#include "tandem/tools/graph.hpp"
#include "tandem/transport.hpp"

namespace tandem::view {

/// A topic with one of its types.
struct Channel {
  std::uint32_t id = 0;  ///< never used for another
  std::string topic;
  std::string type_name;
  const MessageType * type = nullptr;  ///< null when its messages cannot be read here
  std::string objection;               ///< why
  std::size_t publishers = 0;
  std::size_t subscriptions = 0;
  bool is_latched = false;  ///< all publishers keep messages for late joiners, and are reliable
};

struct OfferedService {
  std::uint32_t id = 0;
  std::string name;
  std::string type_name;
  const ServiceType * type = nullptr;  ///< null when it is not installed
};

/// Not thread-safe.
class Catalogue {
 public:
  /// `self` is left out, but for what it publishes.
  explicit Catalogue(transport::NodeName self) : self_(std::move(self)) {}

  void update(transport::GraphSnapshot graph);

  const std::map<std::uint32_t, Channel> & channels() const { return channels_; }
  const std::map<std::uint32_t, OfferedService> & services() const { return services_; }
  const std::map<std::string, tools::Topic> & topics() const { return topics_; }
  const std::map<std::string, tools::Service> & servers() const { return servers_; }
  const std::vector<std::string> & nodes() const { return nodes_; }

  /// Null if there is none.
  const Channel * channel(std::uint32_t id) const;
  const Channel * channel(const std::string & topic) const;

 private:
  using Key = std::pair<std::string, std::string>;  // name and type
  void update_channels();
  void update_services();

  const transport::NodeName self_;
  std::uint32_t next_id_ = 1;
  std::map<Key, std::uint32_t> channel_ids_;
  std::map<std::uint32_t, Channel> channels_;
  std::map<Key, std::uint32_t> service_ids_;
  std::map<std::uint32_t, OfferedService> services_;
  std::map<std::string, tools::Topic> topics_;
  std::map<std::string, tools::Service> servers_;
  std::vector<std::string> nodes_;
};

/// The definition as "ros2msg" has it. Remembered.
const std::string & schema_of(const MessageType & type);

}  // namespace tandem::view
