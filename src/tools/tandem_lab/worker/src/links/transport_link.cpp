// Through a transport's own interface (tandem/transport.hpp), whichever middleware that is.
#include "tandem/measure/transport_link.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "links/link.hpp"
#include "links/messages.hpp"
#include "tandem/plugin.hpp"
#include "trial/spec.hpp"

namespace lab {

std::unique_ptr<Link> make_transport_link(const Spec & spec) {
  namespace transport = tandem::transport;
  tandem::measure::TransportLinkOptions options;
  options.transport = spec.link_name;
  options.kind = message_kind(spec);
  options.size = spec.size;
  options.loans = spec.loan ? tandem::measure::Loans::kAll : tandem::measure::Loans::kNone;
  options.node = {"/", fmt::format("lab_peer_{}", getpid())};
  options.qos.history = spec.keep_all ? transport::History::kKeepAll : transport::History::kKeepLast;
  options.qos.depth = spec.depth;
  options.qos.reliability = spec.reliable ? transport::Reliability::kReliable : transport::Reliability::kBestEffort;
  options.qos.durability =
      spec.transient_local ? transport::Durability::kTransientLocal : transport::Durability::kVolatile;
  options.held_quota = std::max<std::uint32_t>(options.held_quota, static_cast<std::uint32_t>(spec.hold) + 1);
  options.ignore_local_publications = spec.role == Role::kJoin;
  return std::make_unique<tandem::measure::TransportLink>(transport::load(spec.link_name).create_context(spec.domain),
                                                          std::move(options));
}

}  // namespace lab
