#include "links/floor_ring.hpp"

#include "links/floor_support.hpp"

namespace lab {
namespace {

class RingLink : public Link {
 public:
  RingLink(const Spec & spec, const RingKind & kind)
      : plan_{kind, spec, std::make_shared<Meeting>("lab-" + spec.link_kind + "-" + spec.link_name, spec.domain)} {}
  std::unique_ptr<Outlet> make_outlet(const std::string & topic) override { return make_ring_outlet(plan_, topic); }
  std::unique_ptr<Inlet> make_inlet(const std::string & topic) override { return make_ring_inlet(plan_, topic); }

 private:
  const RingPlan plan_;
};

}  // namespace

std::unique_ptr<Link> make_ring_link(const Spec & spec, const RingKind & kind) {
  return std::make_unique<RingLink>(spec, kind);
}

}  // namespace lab
