#include "input.hpp"
#include "process/directory.hpp"
#include "targets.hpp"

namespace tandem::fuzz {

/// What is read is what is written again: nothing was made up, nothing was read outside.
int description(const std::uint8_t * data, std::size_t size) {
  const Input input(data, size);
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  EndpointInfo endpoint;
  if (parse(bytes, endpoint)) {
    const std::string again = describe(endpoint);
    require(bytes.compare(0, again.size(), again) == 0, "an endpoint is described as it was read");
  }
  NodeName node;
  if (parse(bytes, node)) {
    const std::string again = describe(node);
    require(bytes.compare(0, again.size(), again) == 0, "a node is described as it was read");
  }
  return 0;
}

}  // namespace tandem::fuzz
