// One context on the wire: a DDS participant, what it knows of others, and what it tells them of its nodes.
#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <memory>
#include <string>

#include "announcer.hpp"
#include "cdr_data.hpp"
#include "domain.hpp"
#include "flow.hpp"
#include "sink.hpp"
#include "tandem/dds/graph.hpp"

namespace rmw_cyclonedds {

/// The name in warnings and errors.
inline constexpr const char * kName = "rmw_cyclonedds_cpp";

class Topic;

class Participant {
 public:
  /// \throws Error when Cyclone refuses.
  static std::shared_ptr<Participant> make(std::uint32_t domain);
  explicit Participant(std::shared_ptr<const Domain> domain);
  ~Participant();
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  dds_entity_t entity() const { return entity_; }
  const Domain & domain() const { return *domain_; }
  const Gid & gid() const { return gid_; }
  tandem::dds::Graph & graph() { return *graph_; }
  const tandem::dds::Graph & graph() const { return *graph_; }
  Flow & flow() { return *flow_; }

 private:
  void open_discovery_info();
  void open_flow();
  void open_builtin_topics();
  void close();
  static void on_data(dds_entity_t reader, void * self);
  void read_builtin(dds_entity_t reader);
  void found_endpoint(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & found);

  const std::shared_ptr<const Domain> domain_;
  dds_entity_t entity_ = 0;
  Gid gid_{};
  std::shared_ptr<tandem::dds::Graph> graph_;  ///< shared with the sink of ros_discovery_info
  const std::shared_ptr<Flow> flow_ = std::make_shared<Flow>();
  std::unique_ptr<Topic> discovery_topic_;
  std::unique_ptr<Announcer> announcer_;
  dds_entity_t participants_ = 0;
  dds_entity_t publications_ = 0;
  dds_entity_t subscriptions_ = 0;
};

/// The entity, or an Error that says what could not be made.
dds_entity_t checked(dds_entity_t entity, const std::string & what);

/// A topic that ends with this object; readers and writers keep what they need of it.
class Topic {
 public:
  /// \throws Error
  Topic(const Participant & participant, const std::string & name, CdrType * type);
  ~Topic();
  Topic(const Topic &) = delete;
  Topic & operator=(const Topic &) = delete;
  dds_entity_t entity() const { return entity_; }
  /// As Cyclone has interned it.
  const CdrType & type() const { return *type_; }

 private:
  CdrType * type_;
  dds_entity_t entity_;
};

Gid gid_of(dds_entity_t entity);

}  // namespace rmw_cyclonedds
