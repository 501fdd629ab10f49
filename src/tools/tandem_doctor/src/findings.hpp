// What is wrong, where, and what to do about it.
#pragma once

#include <map>
#include <string>
#include <vector>

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
/// Whether somebody is about to be connected, which takes a moment.
bool has_pending(const View & view);

struct Finding {
  std::string code;   ///< stable, for programs: "dead-regions", ...
  std::string where;  ///< a file, "domain 0", "topic /a in domain 0", "process 17 (a) in domain 0"
  std::string what;   ///< a sentence
  std::string remedy;
};
std::vector<Finding> examine(const View & view);

/// "process 17 (camera)".
std::string process_name(const inspection::Region & region);
/// "/camera/driver (pid 17)".
std::string endpoint_name(const EndpointInfo & info, const inspection::Region * region);
bool is_gateway(const inspection::Region & region);

}  // namespace tandem::doctor
