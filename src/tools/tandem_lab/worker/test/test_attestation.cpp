// Where memory lies: by made-up maps, and by two mappings of the same file.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <sstream>

#include "measures/attestation.hpp"

namespace {

constexpr char kMaps[] =
    "55d0c0000000-55d0c0001000 r-xp 00000000 fe:00 77                         /usr/bin/x y\n"
    "7f0000000000-7f0000100000 rw-s 00010000 00:1b 1234                       /dev/shm/a (deleted)\n"
    "7f0000100000-7f0000200000 rw-p 00000000 00:00 0 \n";

lab::Location find(std::uintptr_t address) {
  std::istringstream maps(kMaps);
  return lab::find_location(maps, address);
}

TEST(Attestation, FindsTheOffsetInSharedMemory) {
  const lab::Location memory = find(0x7f0000000040);
  EXPECT_EQ(memory.device, "00:1b");
  EXPECT_EQ(memory.inode, 1234U);
  EXPECT_EQ(memory.offset, 0x10040U);
  EXPECT_EQ(find(0x7f00000fffff).inode, 1234U);
}

TEST(Attestation, PrivateMemoryHasNoInode) {
  EXPECT_EQ(find(0x7f0000100000).inode, 0U);
  EXPECT_EQ(find(0x55d0c0000010).inode, 0U) << "a file's private mapping is copied when written";
  EXPECT_EQ(find(0x10).inode, 0U);
}

TEST(Attestation, TwoMappingsOfTheSameMemoryAreTheSame) {
  const int file = memfd_create("attested", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, 8192), 0);
  char * const whole = static_cast<char *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  char * const half = static_cast<char *>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 4096));
  char mine[64];
  lab::Attestation attestation(2, 3);
  for (std::uint64_t sequence = 1; sequence <= 9; ++sequence) {
    attestation.look(sequence, sequence == 3 ? whole + 4100 : sequence == 4 ? half + 4 : mine);
  }
  const auto found = attestation.to_json();
  ASSERT_EQ(found.size(), 3U) << "after the warm-up, so many";
  EXPECT_EQ(found[0]["sequence"], 3);
  EXPECT_EQ(found[0]["offset"], 4100);
  EXPECT_NE(found[0]["inode"], 0);
  for (const char * field : {"device", "inode", "offset"}) EXPECT_EQ(found[0][field], found[1][field]);
  EXPECT_EQ(found[2]["inode"], 0);
  munmap(whole, 8192);
  munmap(half, 4096);
  close(file);
}

}  // namespace
