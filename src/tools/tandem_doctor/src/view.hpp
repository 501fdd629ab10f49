// One look at shared memory and at the machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "host.hpp"
#include "tandem/inspect.hpp"

namespace tandem::doctor {

/// All that was seen at one time.
struct View {
  inspection::Report report;
  Host host;
  std::map<std::uint64_t, Activity> activities;  ///< by incarnation

  Activity activity_of(std::uint64_t incarnation) const;
};
View look(const inspection::Options & options);
/// The report alone. The backlog of who takes replies is 0: it is not known.
inspection::Report look_at_memory(const inspection::Options & options);
/// Whether somebody is about to be connected, which takes a moment.
bool has_pending(const View & view);

/// "process 17 (camera)".
std::string process_name(const inspection::Region & region);
/// "/camera/driver (pid 17)".
std::string endpoint_name(const EndpointInfo & info, const inspection::Region * region);
bool is_gateway(const inspection::Region & region);

}  // namespace tandem::doctor
