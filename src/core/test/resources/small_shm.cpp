#include "small_shm.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace tandem::test {
namespace {

std::string refusal = "enter_mount_namespace() was not called";

void map_user(const char * file, unsigned id) {
  std::ofstream(std::string("/proc/self/") + file) << id << " " << id << " 1\n";
}

}  // namespace

void enter_mount_namespace() {
  const unsigned user = geteuid();
  const unsigned group = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      refusal = std::string("needs mounts of its own: ") + std::strerror(errno);
      return;
    }
    std::ofstream("/proc/self/setgroups") << "deny";
    map_user("uid_map", user);
    map_user("gid_map", group);
  }
  refusal = mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0
                ? ""
                : std::string("needs mounts of its own: ") + std::strerror(errno);
}

SmallShm::SmallShm(const std::string & options) : reason_(refusal) {
  const std::string all = options + ",mode=0700";
  if (reason_.empty() && mount("tandem-test", folder_.path().c_str(), "tmpfs", 0, all.c_str()) != 0) {
    reason_ = std::string("needs the right to mount: ") + std::strerror(errno);
  }
}

SmallShm::~SmallShm() {
  if (reason_.empty()) {
    umount2(folder_.path().c_str(), MNT_DETACH);
  }
}

std::size_t SmallShm::free_pages() const {
  struct statvfs status {};
  EXPECT_EQ(statvfs(folder_.path().c_str(), &status), 0);
  return status.f_bfree * status.f_frsize / 4096;
}

void SmallShm::leave(std::size_t pages) {
  clear();
  const int fd = open(filler().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(fd, 0);
  // Others give memory back meanwhile, as they do after a while without a need for it.
  std::size_t filled = 0;
  for (std::size_t now = free_pages(); now > pages; now = free_pages()) {
    EXPECT_EQ(fallocate(fd, 0, static_cast<off_t>(filled * 4096), static_cast<off_t>((now - pages) * 4096)), 0);
    filled += now - pages;
  }
  close(fd);
}

void SmallShm::clear() {
  unlink(filler().c_str());
  for (; inodes_ > 0; --inodes_) {
    unlink((filler() + std::to_string(inodes_)).c_str());
  }
}

void SmallShm::use_up_inodes() {
  while (symlink("x", (filler() + std::to_string(inodes_ + 1)).c_str()) == 0) {
    ++inodes_;
  }
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace tandem::test
