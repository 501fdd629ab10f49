// Cyclone's entities as objects, and what takes the place of Cyclone's own reader cache, which would keep instances, views
// and conditions that nobody asks for.
#pragma once

#include <dds/dds.h>
#include <dds/ddsc/dds_rhc.h>

#include <string>

#include "entity/cdr_data.hpp"
#include "tandem/transport.hpp"

namespace rmw_cyclonedds {

namespace transport = tandem::transport;
using transport::Gid;

/// The name in warnings and errors.
inline constexpr const char * kName = "rmw_cyclonedds_cpp";

Gid to_gid(const dds_guid_t & guid);
/// Whether it is of that participant, or of the same one.
bool is_of(const Gid & entity, const Gid & participant);

/// Ends with what was made below it, when no callback of it is under way any more.
class Entity {
 public:
  /// \throws Error that says what cannot be made, when `id` is an error of Cyclone's.
  Entity(dds_entity_t id, const std::string & what);
  ~Entity() { dds_delete(id_); }
  Entity(const Entity &) = delete;
  Entity & operator=(const Entity &) = delete;

  dds_entity_t id() const { return id_; }
  Gid gid() const;

 private:
  const dds_entity_t id_;
};

/// Readers and writers keep what they need of it.
class Topic {
 public:
  /// \throws Error
  Topic(dds_entity_t participant, const std::string & name, const std::string & type_name);
  dds_entity_t id() const { return entity_.id(); }
  /// As Cyclone has interned it: one for each name.
  const ddsi_sertype & type() const { return *type_; }

 private:
  ddsi_sertype * type_ = nullptr;
  const Entity entity_;
};

/// Where a reader's messages go.
class Sink : public dds_rhc {
 public:
  Sink();
  virtual ~Sink() = default;
  Sink(const Sink &) = delete;
  Sink & operator=(const Sink &) = delete;
  /// A message, in the thread that received it or, within a process, that publishes it. It must not block: other topics
  /// wait behind it.
  virtual void receive(const Gid & publisher, CdrDataPtr data) noexcept = 0;
  /// No more from this one.
  virtual void forget(const Gid & /*publisher*/) noexcept {}
};

}  // namespace rmw_cyclonedds
