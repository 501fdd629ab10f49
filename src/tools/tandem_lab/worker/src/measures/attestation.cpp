// See attestation.hpp.
#include "measures/attestation.hpp"

#include <cstdio>
#include <fstream>

namespace lab {

Location find_location(std::istream & maps, std::uintptr_t address) {
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    unsigned long offset = 0;
    unsigned long inode = 0;
    char rights[5] = "";
    char device[16] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %15s %lu", &begin, &end, rights, &offset, device, &inode) != 6 ||
        address < begin || address >= end) {
      continue;
    }
    return rights[3] == 's' && inode != 0 ? Location{device, inode, offset + (address - begin)} : Location{};
  }
  return {};
}

void Attestation::note(std::uint64_t number, const void * payload) {
  // Read anew each time: mappings come and go, and what lay there a message ago says nothing.
  std::ifstream maps("/proc/self/maps");
  found_.push_back({number, find_location(maps, reinterpret_cast<std::uintptr_t>(payload))});
}

nlohmann::ordered_json Attestation::to_json() const {
  auto all = nlohmann::ordered_json::array();
  for (const auto & [number, location] : found_) {
    all.push_back(
        {{"sequence", number}, {"device", location.device}, {"inode", location.inode}, {"offset", location.offset}});
  }
  return all;
}

}  // namespace lab
