// Links that misbehave: what the laboratory's own checks are tested with.
//   copies   takes a loan for memory that is not shared: attestation tells
//   reuses   writes the next message where a reader still reads the last one: the payload's check tells
//   stalls   stops for 100 ms before every 250th message: the latency from the intended time tells, service time does not
#include <thread>

#include "floor_ring.hpp"

namespace lab {
namespace {

constexpr std::uint64_t kSendsPerStall = 250;
constexpr auto kStall = std::chrono::milliseconds(100);

class StallingOutlet : public Outlet {
 public:
  explicit StallingOutlet(std::unique_ptr<Outlet> outlet) : outlet_(std::move(outlet)) {}
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

class StallingLink : public Link {
 public:
  explicit StallingLink(std::unique_ptr<Link> link) : link_(std::move(link)) {}
  std::unique_ptr<Outlet> make_outlet(const std::string & topic) override {
    return std::make_unique<StallingOutlet>(link_->make_outlet(topic));
  }
  std::unique_ptr<Inlet> make_inlet(const std::string & topic) override { return link_->make_inlet(topic); }

 private:
  const std::unique_ptr<Link> link_;
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
    return std::make_unique<StallingLink>(make_ring_link(spec, {}));
  }
  throw std::runtime_error("field 'link.name': there is no faulty link '" + spec.link_name +
                           "': copies, reuses and stalls are");
}

}  // namespace lab
