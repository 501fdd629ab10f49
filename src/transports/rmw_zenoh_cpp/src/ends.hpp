// What the ends of topics and of services have in common: a presence, and a backlog of what has come.
#pragma once

#include <memory>
#include <utility>

#include "backlog.hpp"
#include "participant.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_zenoh {

class PresentWriter : public Writer {
 public:
  std::size_t matched() const override { return presence_.matched(); }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }  // Zenoh acknowledges nothing
  Gid gid() const override { return presence_.gid(); }
  Status status() const override { return presence_.board().status(); }
  void set_status_listener(std::function<void()> listener) override {
    presence_.board().set_listener(std::move(listener));
  }

 protected:
  PresentWriter(std::shared_ptr<Participant> participant, const EndpointInfo & info)
      : presence_(std::move(participant), info) {}
  Presence & presence() { return presence_; }
  Participant & participant() const { return presence_.participant(); }

 private:
  Presence presence_;
};

class PresentReader : public Reader {
 public:
  bool take(Arrival & arrival) override { return backlog_->take(arrival); }
  bool has_data() const override { return backlog_->has_data(); }
  std::size_t matched() const override { return presence_.matched(); }
  std::uint64_t lost() const override { return backlog_->lost(); }
  Gid gid() const override { return presence_.gid(); }
  Status status() const override { return presence_.status_of_reader(); }
  void set_status_listener(std::function<void()> listener) override {
    presence_.board().set_listener(std::move(listener));
  }

 protected:
  PresentReader(std::shared_ptr<Participant> participant, const EndpointInfo & info, bool ignore_local, const Qos & qos,
                Backlog::Depth depth, std::function<void()> on_data)
      : presence_(std::move(participant), info, ignore_local),
        backlog_(std::make_shared<Backlog>(qos, depth, std::move(on_data))) {}
  Presence & presence() { return presence_; }
  Participant & participant() const { return presence_.participant(); }
  const std::shared_ptr<Backlog> & backlog() const { return backlog_; }

 private:
  Presence presence_;
  const std::shared_ptr<Backlog> backlog_;
};

}  // namespace rmw_zenoh
