// Memory goes back to the kernel once nobody needs it.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "agent.hpp"

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
  Station writer(true);
  Station reader(true);
  ASSERT_EQ(writer("join 0"), "ok");
  ASSERT_EQ(reader("join 0"), "ok");
  const std::array<std::string, 3> verbs{"publish", "copy", "adopt"};  // each is the name of a topic as well
  for (const std::string & verb : verbs) {
    ASSERT_EQ(writer("pub " + verb + " " + verb + " depth=20 loans=20"), "ok");
    ASSERT_EQ(reader("sub " + verb + " " + verb + " depth=20 quota=20"), "ok");
    ASSERT_TRUE(writer.until("matched " + verb, "1"));
    ASSERT_TRUE(reader.until("matched " + verb, "1"));
    ASSERT_EQ(writer(verb + " " + verb + " 1 100"), "ok");
    ASSERT_EQ(reader("await " + verb + " 1"), "ok");
  }
  const long writer_before = resident(writer.child().pid());
  const long reader_before = resident(reader.child().pid());

  for (const std::string & verb : verbs) {
    ASSERT_EQ(writer(verb + " " + verb + " 15 2000000"), "ok");
    reader("keep " + verb + " 15");
  }
  ASSERT_EQ(reader("check"), "45");
  EXPECT_GT(resident(writer.child().pid()), 80'000);
  EXPECT_GT(resident(reader.child().pid()), 80'000);
  ASSERT_EQ(reader("drop"), "ok");

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
