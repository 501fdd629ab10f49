// See link.hpp.
#include "links/link.hpp"

#include "trial/spec.hpp"

namespace lab {

std::unique_ptr<Link> make_link(const Spec & spec) {
  if (spec.link_kind == "floor") return make_floor_link(spec);
  if (spec.link_kind == "zeromq") return make_zeromq_link(spec);
  if (spec.link_kind == "connector") return make_connector_link(spec);
  if (spec.link_kind == "faulty") return make_faulty_link(spec);
  return make_transport_link(spec);
}

}  // namespace lab
