// The fuzz targets of the core: each reads its input as a script of what a hostile neighbour does and checks what this
// process makes of it. They need TANDEM_SHM_DIR, return 0, and end the process on a broken promise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tandem::fuzz {

using Run = int (*)(const std::uint8_t * data, std::size_t size);

int description(const std::uint8_t * data, std::size_t size);  ///< texts of the directory
int region(const std::uint8_t * data, std::size_t size);       ///< header and directory: Peer, Neighbour
int ring(const std::uint8_t * data, std::size_t size);         ///< slots and acknowledgements: Lane
int readers(const std::uint8_t * data, std::size_t size);      ///< lanes: PublisherImpl, ReaderSet
int domain(const std::uint8_t * data, std::size_t size);       ///< all of it behind the API
int inspection(const std::uint8_t * data, std::size_t size);   ///< tools that look from outside
int folder(const std::uint8_t * data, std::size_t size);       ///< names and kinds of files
int environment(const std::uint8_t * data, std::size_t size);  ///< values of TANDEM_*

struct Target {
  const char * name;
  Run run;
  int rounds;  ///< mutated inputs in `make test`
};
inline constexpr std::array<Target, 8> kTargets{{{"description", description, 20000},
                                                 {"region", region, 4000},
                                                 {"ring", ring, 4000},
                                                 {"readers", readers, 3000},
                                                 {"domain", domain, 1500},
                                                 {"inspection", inspection, 1000},
                                                 {"folder", folder, 2000},
                                                 {"environment", environment, 1000}}};

}  // namespace tandem::fuzz
