#include "tandem/kit/chunk.hpp"

namespace tandem::transport {
namespace {

class HeapChunk final : public Chunk {
 public:
  explicit HeapChunk(std::size_t bytes) {
    data = static_cast<std::byte *>(::operator new(bytes, kChunkAlignment));
    size = bytes;
    hold = Hold::kAlways;
    is_fresh = true;
  }
  ~HeapChunk() override { ::operator delete(data, kChunkAlignment); }
};

}  // namespace

std::unique_ptr<Chunk> make_heap_chunk(std::size_t size) { return std::make_unique<HeapChunk>(size); }

}  // namespace tandem::transport
