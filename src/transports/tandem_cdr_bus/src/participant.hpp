// A bus with the ROS graph on it. Endpoints and nodes keep it alive.
#pragma once

#include <memory>
#include <mutex>

#include "tandem/cdr_bus/bus.hpp"
#include "tandem/dds/audience.hpp"
#include "tandem/dds/graph.hpp"

namespace tandem::cdr_bus {

/// With TANDEM_ROS_DISTRO, others are told of our nodes in the form that it chooses. Without, they are told in that from
/// Iron on, while there is somebody and all are known to read it: a bus has one type for a topic, and one writer
/// reaches all of its readers.
class Participant final : private Discovery {
 public:
  /// \throws Error
  Participant(const char * adapter, std::shared_ptr<Bus> bus);
  ~Participant() override;

  const char * adapter() const { return adapter_; }
  Bus & bus() { return *bus_; }
  dds::Graph & graph() { return graph_; }

 private:
  void announce();
  void follow();
  bool may_tell() const;
  void read_announcements();
  void found(const Found & endpoint) override;
  void lost(const Gid & endpoint) override;
  void lost_participant(const Gid & participant) override;

  const char * const adapter_;
  const std::shared_ptr<Bus> bus_;
  dds::Graph graph_;
  std::mutex announcing_;
  std::uint64_t announced_ = 0;            ///< guarded by announcing_
  std::unique_ptr<Writer> announcements_;  ///< guarded by announcing_; null while nobody may be told
  std::mutex reading_;
  std::unique_ptr<Reader> others_;  ///< guarded by reading_
  const bool is_chosen_ = dds::chosen_width().has_value();
  bool is_silence_said_ = false;  ///< of the audience's thread
  dds::Audience audience_;
};

}  // namespace tandem::cdr_bus
