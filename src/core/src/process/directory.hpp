// The owner's side of its region's directory, and the form in which endpoints and nodes are described there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "layout/layout.hpp"
#include "tandem/types.hpp"

namespace tandem {

class Region;

/// Callers exclude each other: Process::directory() asks for its mutex.
class Directory {
 public:
  explicit Directory(Region & region) : region_(region) {}

  struct Line {
    EntryKind kind = EntryKind::kFree;
    std::uint32_t domain = 0;
    std::uint64_t number = 0;
    std::string description;     ///< copied into the heap
    std::uint64_t record = 0;    ///< offset, or 0
    std::uint64_t leads_to = 0;  ///< of a lane: its publisher's incarnation
  };

  std::uint64_t next_number() { return next_number_++; }
  /// \return the entry's index; nothing when the directory or the heap is full.
  std::optional<std::uint32_t> add(const Line & line);
  bool is_full() const { return find_free() == kDirectoryEntries; }
  void close(std::uint32_t index);
  void remove(std::uint32_t index);
  /// Moves all entries from one domain tag to another.
  void retag(std::uint32_t from, std::uint32_t to);

 private:
  std::uint32_t find_free() const;
  template <class Change>
  void write(std::uint32_t index, Change change);

  Region & region_;
  std::uint64_t next_number_ = 1;
  std::uint32_t first_free_ = 0;  ///< all entries before it are in use
};

std::string describe(const EndpointInfo & endpoint);
std::string describe(const NodeName & node);
/// False when the bytes are no such description.
bool parse(const std::string & bytes, EndpointInfo & endpoint);
bool parse(const std::string & bytes, NodeName & node);

}  // namespace tandem
