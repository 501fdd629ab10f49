// Links that misbehave: what the laboratory's own checks are tested with.
//   copies   takes a loan for memory that is not shared: attestation tells
//   reuses   writes the next message where a reader still reads the last one: the payload's check tells
//   stalls   stops for 100 ms before every 250th message: the latency from the intended time tells, service time does not
//   refuses  takes 20 ms to refuse each 10th message when it is offered first: service time begins then
#include <thread>
#include <vector>

#include "links/floor_ring.hpp"

namespace lab {
namespace {

constexpr std::uint64_t kSendsPerStall = 250;
constexpr auto kStall = std::chrono::milliseconds(100);
constexpr std::uint64_t kSendsPerRefusal = 10;
constexpr auto kRefusal = std::chrono::milliseconds(20);

class StallingOutlet : public Outlet {
 public:
  StallingOutlet(std::unique_ptr<Outlet> outlet, std::size_t) : outlet_(std::move(outlet)) {}
  Sent send(const Fill & fill) override {
    if (++sends_ % kSendsPerStall == 0) {
      std::this_thread::sleep_for(kStall);
    }
    return outlet_->send(fill);
  }
  std::size_t matched() const override { return outlet_->matched(); }
  bool flush(std::chrono::milliseconds timeout) override { return outlet_->flush(timeout); }

 private:
  const std::unique_ptr<Outlet> outlet_;
  std::uint64_t sends_ = 0;
};

class RefusingOutlet : public Outlet {
 public:
  RefusingOutlet(std::unique_ptr<Outlet> outlet, std::size_t size) : outlet_(std::move(outlet)), own_(size) {}
  Sent send(const Fill & fill) override {
    if (++sends_ % kSendsPerRefusal == 0) {
      fill(own_);
      std::this_thread::sleep_for(kRefusal);
      return Sent::kTimeout;
    }
    return outlet_->send(fill);
  }
  std::size_t matched() const override { return outlet_->matched(); }
  bool flush(std::chrono::milliseconds timeout) override { return outlet_->flush(timeout); }

 private:
  const std::unique_ptr<Outlet> outlet_;
  std::vector<std::byte> own_;
  std::uint64_t sends_ = 0;
};

/// Sends through an outlet that misbehaves.
template <class FaultyOutlet>
class FaultyOutletLink : public Link {
 public:
  FaultyOutletLink(std::unique_ptr<Link> link, std::size_t size) : link_(std::move(link)), size_(size) {}
  std::unique_ptr<Outlet> make_outlet(const std::string & topic) override {
    return std::make_unique<FaultyOutlet>(link_->make_outlet(topic), size_);
  }
  std::unique_ptr<Inlet> make_inlet(const std::string & topic) override { return link_->make_inlet(topic); }

 private:
  const std::unique_ptr<Link> link_;
  const std::size_t size_;
};

}  // namespace

std::unique_ptr<Link> make_faulty_link(const Spec & spec) {
  if (spec.link_name == "copies") {
    return make_ring_link(spec, {.copies = true});
  }
  if (spec.link_name == "reuses") {
    return make_ring_link(spec, {.releases_early = true});
  }
  if (spec.link_name == "stalls") {
    return std::make_unique<FaultyOutletLink<StallingOutlet>>(make_ring_link(spec, {}), spec.size);
  }
  if (spec.link_name == "refuses") {
    return std::make_unique<FaultyOutletLink<RefusingOutlet>>(make_ring_link(spec, {}), spec.size);
  }
  throw std::runtime_error("field 'link.name': there is no faulty link '" + spec.link_name +
                           "': copies, reuses, stalls and refuses are");
}

}  // namespace lab
