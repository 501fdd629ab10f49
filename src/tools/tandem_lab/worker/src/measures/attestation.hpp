// In which memory a payload lies: what lets the runner see whether both ends read the same bytes (docs/design/laboratory.md, Attestation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab {

/// A place in a file or in shared memory, by its device and inode; inode 0: memory that no other process sees.
struct Location {
  std::string device = "00:00";
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;
};

/// What lies at `address`, by text in the format of /proc/self/maps.
Location find_location(std::istream & maps, std::uintptr_t address);

/// Looks payloads up. One thread at a time.
class Attestation {
 public:
  /// \param warm_up messages of this sequence and below are left out, \param count so many after them are looked at.
  Attestation(std::uint64_t warm_up, std::uint64_t count) : warm_up_(warm_up), count_(count) {}

  /// Reads /proc/self/maps when the message is among those: some 100 us. Else it costs nothing.
  void look(std::uint64_t number, const void * payload) {
    const std::uint64_t sequence = number & 0xffff'ffff;
    if (count_ != 0 && sequence > warm_up_ && sequence - warm_up_ <= count_) {
      note(number, payload);
    }
  }

  /// As in `finished`.
  nlohmann::ordered_json to_json() const;

 private:
  struct Found {
    std::uint64_t number;
    Location location;
  };
  void note(std::uint64_t number, const void * payload);

  const std::uint64_t warm_up_;
  const std::uint64_t count_;
  std::vector<Found> found_;
};

}  // namespace lab
