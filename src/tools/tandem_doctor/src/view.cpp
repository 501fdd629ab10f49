#include "view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format.hpp"
#include "traffic.hpp"

namespace tandem::doctor {
namespace {

using inspection::Connection;
using inspection::Domain;
using inspection::Means;
using inspection::Region;

}  // namespace

Activity View::activity_of(std::uint64_t incarnation) const {
  const auto found = activities.find(incarnation);
  return found != activities.end() ? found->second : Activity{};
}

View look(const inspection::Options & options) {
  View view;
  view.report = look_at_memory(options);
  view.host = look_at_host(view.report.directory);
  for (const Domain & domain : view.report.domains) {
    for (const Region & region : domain.regions) {
      view.activities[region.incarnation] = activity(region);
    }
  }
  return view;
}

inspection::Report look_at_memory(const inspection::Options & options) {
  inspection::Report report = inspection::inspect(options);
  for (Domain & domain : report.domains) {
    for (Connection & connection : domain.connections) {
      // A client's place in a server's ring moves only when it takes, and most of what lies before it may be for others.
      connection.backlog = channel_of(connection.topic) == Channel::kReply ? 0 : connection.backlog;
    }
  }
  return report;
}

bool has_pending(const View & view) {
  return std::any_of(view.report.domains.begin(), view.report.domains.end(), [](const Domain & domain) {
    return std::any_of(domain.connections.begin(), domain.connections.end(),
                       [](const Connection & each) { return each.means == Means::kPending; });
  });
}

std::string process_name(const Region & region) {
  if (region.pid == 0) {
    return "an unknown process";
  }
  const std::string name = printable(base_name(region.executable));
  return fmt::format("process {}{}", region.pid, name.empty() ? "" : " (" + name + ")");
}

std::string endpoint_name(const EndpointInfo & info, const Region * region) {
  std::string name = info.node.name_space;
  name += (name.empty() || name.back() == '/' ? "" : "/") + info.node.name;
  if (region == nullptr) {
    return printable(name);
  }
  return printable(is_gateway(*region) ? "the gateway" : name) + fmt::format(" (pid {})", region->pid);
}

bool is_gateway(const Region & region) { return base_name(region.executable) == "tandem-gateway"; }

}  // namespace tandem::doctor
