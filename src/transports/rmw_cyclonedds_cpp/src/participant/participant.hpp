// One context on the wire: a DDS participant, what it knows of others, and what it tells them of its nodes.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "entity/entity.hpp"
#include "participant/announcer.hpp"
#include "participant/domain.hpp"
#include "participant/flow.hpp"
#include "tandem/dds/graph.hpp"
#include "tandem/kit/bus.hpp"
#include "tandem/kit/fork_generation.hpp"
#include "tandem/security.hpp"

namespace rmw_cyclonedds {

/// Writers and readers (writer.cpp, reader.cpp) keep it alive.
class Participant final : public transport::Bus, public std::enable_shared_from_this<Participant> {
 public:
  /// In a child of fork() it is left as it is. \throws Error when Cyclone refuses.
  static std::shared_ptr<Participant> make(std::uint32_t domain);

  const char * name() const override { return kName; }
  transport::Encoding encoding_of(const tandem::MessageType &) const override { return transport::Encoding::kCdr; }
  transport::RequestHeader request_header() const override { return transport::RequestHeader::kShort; }
  void add_node(const transport::NodeName & node) override { graph_.add(node); }
  void remove_node(const transport::NodeName & node) override { graph_.remove(node); }
  std::shared_ptr<transport::Writer> create_writer(const tandem::MessageType & type,
                                                   const transport::EndpointInfo & info) override;
  std::shared_ptr<transport::Reader> create_reader(const tandem::MessageType & type,
                                                   const transport::EndpointInfo & info, bool ignore_local,
                                                   std::function<void()> on_data) override;
  transport::GraphSnapshot graph() const override { return graph_.snapshot(); }
  bool is_own(const Gid & endpoint) const override { return is_of(endpoint, gid_); }
  bool is_foreign() const override { return generation_ != transport::fork_generation(); }

  dds_entity_t id() const { return entity_.id(); }
  const Gid & gid() const { return gid_; }
  tandem::dds::Graph & own_graph() { return graph_; }
  Flow & flow() { return flow_; }

 private:
  explicit Participant(std::uint32_t domain);
  void announce();
  static void on_data(dds_entity_t reader, void * self);
  void read_builtin(dds_entity_t reader);
  void found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint);
  void lost(const Gid & gone, bool is_participant);

  const std::uint32_t generation_ = transport::fork_generation();
  const std::optional<transport::EnclaveFiles> files_ = transport::enclave_files(kName);
  Domain domain_;
  const Entity entity_;
  const Gid gid_ = entity_.gid();
  tandem::dds::Graph graph_{kName, gid_, [this] { announce(); }};
  Flow flow_{entity_.id(), files_.has_value()};
  Announcer announcer_{entity_.id(), graph_, files_.has_value()};
  // The last members: they call read_builtin().
  const Entity participants_;
  const Entity publications_;
  const Entity subscriptions_;
};

}  // namespace rmw_cyclonedds
