#include "memory/piece_map.hpp"

#include <sys/mman.h>

namespace tandem {

static_assert(sizeof(PieceMap::Kind) == 1 && PieceMap::Kind::is_always_lock_free);

std::optional<PieceMap> PieceMap::create(const Region & region) {
  void * const memory = mmap(nullptr, region.reserved() / kGranule, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? std::optional(PieceMap(region, static_cast<Kind *>(memory))) : std::nullopt;
}

void PieceMap::destroy() { munmap(kinds_, granules_); }

}  // namespace tandem
