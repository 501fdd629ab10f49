// Which messages of each source have come: new ones, duplicates, gaps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lab {

/// Not thread-safe.
class Sequences {
 public:
  Sequences();

  /// Allocates: with the first message of a source only. \param source below 256.
  /// \return false for a duplicate, as far as the last 65536 numbers of its source can tell.
  bool add(std::size_t source, std::uint64_t sequence);

  std::uint64_t received() const noexcept { return received_; }
  std::uint64_t duplicates() const noexcept { return duplicates_; }
  /// Numbers between the first and the last of each source that did not come.
  std::uint64_t gaps() const noexcept;

 private:
  struct Source {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t received = 0;
    std::vector<bool> seen;
  };
  std::vector<std::unique_ptr<Source>> sources_;
  std::uint64_t received_ = 0;
  std::uint64_t duplicates_ = 0;
};

}  // namespace lab
