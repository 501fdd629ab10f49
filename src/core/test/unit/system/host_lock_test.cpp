// The lock that one process of a host holds, and where its file lies.
#include "tandem/host_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "harness.hpp"
#include "tandem/shared_memory_folder.hpp"

namespace tandem::test {
namespace {

TEST(SharedMemoryFolder, IsTheChosenOneOrTheUsersOwn) {
  const Folder folder;
  EXPECT_EQ(shared_memory_folder(), folder.path());
  const std::string own = "/dev/shm/tandem-" + std::to_string(geteuid());
  setenv("TANDEM_SHM_DIR", "", 1);
  EXPECT_EQ(shared_memory_folder(), own);
  unsetenv("TANDEM_SHM_DIR");
  EXPECT_EQ(shared_memory_folder(), own);
}

TEST(HostLock, IsHeldByOneAtATime) {
  const Folder folder;
  EXPECT_FALSE(HostLock::is_held("one"));
  std::optional<HostLock> lock = std::move(*HostLock::hold("one"));
  EXPECT_TRUE(HostLock::is_held("one"));
  EXPECT_FALSE(HostLock::is_held("other"));
  const auto second = HostLock::hold("one");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().holder, std::to_string(getpid()));
  EXPECT_NE(second.error().message.find(folder.path() + "/one.lock"), std::string::npos) << second.error().message;
  EXPECT_TRUE(HostLock::is_held("one")) << "who was refused has taken nothing away";
  EXPECT_FALSE(HostLock::is_orphaned("one"));
  lock.reset();
  EXPECT_FALSE(HostLock::is_held("one"));
  EXPECT_FALSE(HostLock::is_orphaned("one")) << "it was given up";
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/one.lock"));
  EXPECT_TRUE(HostLock::hold("one"));
}

TEST(HostLock, MovesWithItsHolder) {
  const Folder folder;
  HostLock first = std::move(*HostLock::hold("one"));
  std::optional<HostLock> second = std::move(first);
  EXPECT_TRUE(HostLock::is_held("one"));
  second.reset();
  EXPECT_FALSE(HostLock::is_held("one"));
}

// Role "holder" in main.cpp holds the lock "one".
TEST(HostLock, EndsWithItsProcess) {
  const Folder folder;
  Child holder("holder");
  ASSERT_EQ(holder.read_line(), "ready");
  EXPECT_TRUE(HostLock::is_held("one"));
  const auto refused = HostLock::hold("one");
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().holder.empty());
  holder.kill();
  EXPECT_FALSE(HostLock::is_held("one")) << "its file is left, without a lock";
  EXPECT_TRUE(HostLock::is_orphaned("one"));
  EXPECT_TRUE(HostLock::hold("one"));
}

TEST(HostLock, NeedsAFolder) {
  const Folder folder;
  setenv("TANDEM_SHM_DIR", "/nowhere/at/all", 1);
  const auto lock = HostLock::hold("one");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().holder, "");
  EXPECT_NE(lock.error().message.find("TANDEM_SHM_DIR"), std::string::npos) << lock.error().message;
  EXPECT_FALSE(HostLock::is_held("one"));
}

}  // namespace
}  // namespace tandem::test
