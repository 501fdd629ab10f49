// A bus with the ROS graph on it. Endpoints and nodes keep it alive.
#pragma once

#include <memory>
#include <mutex>

#include "tandem/cdr_bus/bus.hpp"
#include "tandem/dds/graph.hpp"

namespace tandem::cdr_bus {

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
  void read_announcements();
  void found(const Found & endpoint) override;
  void lost(const Gid & endpoint) override { graph_.lost(endpoint); }
  void lost_participant(const Gid & participant) override { graph_.lost_participant(participant); }

  const char * const adapter_;
  const std::shared_ptr<Bus> bus_;
  dds::Graph graph_;
  std::mutex announcing_;
  std::uint64_t announced_ = 0;            ///< guarded by announcing_
  std::unique_ptr<Writer> announcements_;  ///< guarded by announcing_
  std::mutex reading_;
  std::unique_ptr<Reader> others_;  ///< guarded by reading_
};

}  // namespace tandem::cdr_bus
