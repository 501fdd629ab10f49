// Memory goes back to the kernel once nobody needs it.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "station.hpp"

namespace tandem::test {
namespace {

/// Resident memory of a process in KiB. Sanitizers and the emulator keep memory of their own, so there only what is
/// shared counts.
long resident(pid_t pid) {
  const std::string wanted = TANDEM_SANITIZED || is_emulated() ? "RssShmem:" : "VmRSS:";
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::string word;
  long kibibytes = -1;
  while (status >> word && kibibytes < 0) {
    if (word == wanted) {
      status >> kibibytes;
    }
  }
  return kibibytes;
}

TEST(Memory, GoesBackAfterABurst) {
  const Folder folder;
  Station writer(Place::kElsewhere);
  Station reader(Place::kElsewhere);
  ASSERT_TRUE(writer.join(0));
  ASSERT_TRUE(reader.join(0));
  const std::array<Way, 3> ways{Way::kLoan, Way::kCopy, Way::kAllocation};
  const auto name_of = [](Way way) { return "topic" + std::to_string(static_cast<int>(way)); };
  for (const Way way : ways) {
    const std::string name = name_of(way);
    ASSERT_TRUE(writer.create_publisher(name, name, {.depth = 20, .loans = 20}));
    ASSERT_TRUE(reader.create_subscription(name, name, {.depth = 20, .quota = 20}));
    ASSERT_TRUE(writer.until_matched(name, 1));
    ASSERT_TRUE(reader.until_matched(name, 1));
    ASSERT_TRUE(writer.publish(name, 1, 100, way));
    ASSERT_TRUE(reader.await(name, 1));
  }
  const long writer_before = resident(writer.child().pid());
  const long reader_before = resident(reader.child().pid());

  for (const Way way : ways) {
    ASSERT_TRUE(writer.publish(name_of(way), 15, 2000000, way));
    reader.keep(name_of(way), 15);
  }
  ASSERT_TRUE(reader.check_kept(45));
  EXPECT_GT(resident(writer.child().pid()), 80'000);
  EXPECT_GT(resident(reader.child().pid()), 80'000);
  reader.drop_kept();

  const auto is_back = [&] {
    return resident(writer.child().pid()) * 10 <= writer_before * 11 &&
           resident(reader.child().pid()) * 10 <= reader_before * 11;
  };
  EXPECT_TRUE(wait_until(is_back, 180)) << "KiB before: " << writer_before << ", " << reader_before
                                        << "; after: " << resident(writer.child().pid()) << ", "
                                        << resident(reader.child().pid());
  EXPECT_EQ(writer.finish(), 0);
  EXPECT_EQ(reader.finish(), 0);
}

}  // namespace
}  // namespace tandem::test
