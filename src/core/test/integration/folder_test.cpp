// The folder in shared memory: missing, forbidden, full, full of rubbish, deleted underneath.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>

#include "agent.hpp"
#include "layout/layout.hpp"
#include "payload.hpp"
#include "process/process.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;

/// What another process answers to "join 0" with this folder.
std::string join_with(const std::string & folder) {
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  Station agent(true);
  std::string answer = agent("join 0");
  EXPECT_EQ(agent.finish(), 0);
  return answer;
}

void expect_refusal(const std::string & folder) {
  const std::string answer = join_with(folder);
  EXPECT_EQ(answer.rfind("error 1 ", 0), 0U) << answer;
  EXPECT_NE(answer.find(folder), std::string::npos) << answer;
  EXPECT_NE(answer.find("TANDEM_SHM_DIR"), std::string::npos) << answer;
}

TEST(FolderTest, MissingParentIsRefused) {
  const Folder folder;
  expect_refusal(folder.path() + "/not/there");
}

TEST(FolderTest, IsMadeWhenItsParentExists) {
  const Folder folder;
  EXPECT_EQ(join_with(folder.path() + "/new"), "ok");
}

TEST(FolderTest, FileIsRefused) {
  const Folder folder;
  std::ofstream(folder.path() + "/file") << "x";
  expect_refusal(folder.path() + "/file");
}

TEST(FolderTest, WorldWritableIsRefused) {
  const Folder folder;
  chmod(folder.path().c_str(), 0777);
  expect_refusal(folder.path());
}

TEST(FolderTest, ForeignOwnedIsRefused) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "needs root to give a folder away";
  }
  const Folder folder;
  ASSERT_EQ(chown(folder.path().c_str(), 12345, 12345), 0);
  expect_refusal(folder.path());
}

TEST(FolderTest, FullOneIsAnErrorNotASignal) {
  const Folder folder;
  const std::string small = folder.path() + "/small";
  mkdir(small.c_str(), 0700);
  if (mount("tandem-test", small.c_str(), "tmpfs", 0, "size=6m,mode=0700") != 0) {
    GTEST_SKIP() << "needs the right to mount: " << std::strerror(errno);
  }
  const std::unique_ptr<const std::string, void (*)(const std::string *)> unmount(
      &small, [](const std::string * path) { EXPECT_EQ(umount2(path->c_str(), MNT_DETACH), 0); });
  setenv("TANDEM_SHM_DIR", small.c_str(), 1);
  {
    Station agent(true);
    ASSERT_EQ(agent("join 0"), "ok");
    ASSERT_EQ(agent("pub p topic loans=100"), "ok");
    const int got = std::stoi(agent("borrow p 100 1000000"));
    EXPECT_GE(got, 1);
    EXPECT_LE(got, 6);
    EXPECT_EQ(agent("failed p"), "1");
    EXPECT_EQ(agent("publish_loans p"), "ok");
    EXPECT_EQ(agent("publish p 10 1000000"), "ok");  // nobody is owed the others
    EXPECT_EQ(agent.finish(), 0);
  }
  {
    std::ofstream filler(small + "/filler");
    const std::string block(4096, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  const std::string answer = join_with(small);
  EXPECT_EQ(answer.rfind("error ", 0), 0U) << answer;
  EXPECT_NE(answer.find(small), std::string::npos) << answer;
}

/// A file with the lock of a living owner; like a region it gets its name last.
int locked_file(const std::string & path, const std::string & content) {
  const std::string unfinished = path + ".unfinished";
  const int fd = open(unfinished.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EQ(write(fd, content.data(), content.size()), static_cast<ssize_t>(content.size()));
  struct flock lock {};
  lock.l_type = F_WRLCK;
  EXPECT_EQ(fcntl(fd, F_OFD_SETLK, &lock), 0);
  EXPECT_EQ(rename(unfinished.c_str(), path.c_str()), 0);
  return fd;
}

std::string region_name(std::uint64_t incarnation) {
  char name[32];
  std::snprintf(name, sizeof name, "/%016llx.region", static_cast<unsigned long long>(incarnation));
  return name;
}

/// A header that is right but for what `change` does.
std::string region_bytes(std::uint64_t incarnation, const std::function<void(RegionHeader &)> & change) {
  std::string bytes(kHeapOffset + 4096, '\0');
  auto * header = new (bytes.data()) RegionHeader{};
  header->magic = kRegionMagic;
  header->version = kLayoutVersion;
  header->pid = 1;
  header->incarnation = incarnation;
  header->reserved_size = bytes.size();
  change(*header);
  return bytes;
}

class Rubbish : public testing::Test {
 protected:
  Rubbish() : agent_(false) {
    EXPECT_EQ(agent_("join 0"), "ok");
    EXPECT_EQ(agent_("pub p topic"), "ok");
    EXPECT_EQ(agent_("sub s topic"), "ok");
    EXPECT_TRUE(agent_.until("matched p", "1") && agent_.until("matched s", "1"));
  }
  ~Rubbish() override {
    for (const int fd : fds_) {
      close(fd);
    }
  }
  std::string path(std::uint64_t incarnation) const { return folder_.path() + "/0" + region_name(incarnation); }
  void put(std::uint64_t incarnation, const std::string & content) {
    std::ofstream(path(incarnation).substr(0, path(incarnation).size() - 6) + "bell") << std::string(4096, '\0');
    fds_.push_back(locked_file(path(incarnation), content));
  }
  void expect_flow() {
    ASSERT_EQ(agent_("settle"), "ok");
    ASSERT_EQ(agent_("publish p 3 64"), "ok");
    EXPECT_EQ(agent_("await s 3"), "ok");
    Station newcomer(true);
    ASSERT_EQ(newcomer("join 0"), "ok");
    ASSERT_EQ(newcomer("sub s topic"), "ok");
    ASSERT_TRUE(newcomer.until("matched s", "1"));
    ASSERT_EQ(agent_("publish p 1 64"), "ok");
    EXPECT_NE(newcomer("take s 1"), "nothing");
    EXPECT_EQ(agent_("await s 1"), "ok");
  }

  Folder folder_;
  LogCapture log_;
  Station agent_;
  std::vector<int> fds_;
};

TEST_F(Rubbish, OfTheDeadIsRemoved) {
  std::ofstream(path(0x11)) << "garbage";
  std::ofstream(path(0x12)) << std::string(2 * kHeapOffset, 'x');
  std::ofstream(path(0x13)) << "";
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 1; }));
  expect_flow();
  EXPECT_LE(log_.count({path(0x11)}), 1);
  EXPECT_EQ(log_.count({path(0x12)}), 1);
}

TEST_F(Rubbish, BellsOfTheDeadAreRemovedThoseOfTheLivingStay) {
  const auto bell = [&](std::uint64_t incarnation) { return path(incarnation).substr(0, path(1).size() - 6) + "bell"; };
  std::ofstream(bell(0x41)) << std::string(4096, '\0');
  fds_.push_back(locked_file(bell(0x42), std::string(4096, '\0')));
  EXPECT_TRUE(wait_until([&] { return !fs::exists(bell(0x41)); }));
  expect_flow();
  EXPECT_TRUE(fs::exists(bell(0x42)));
}

TEST_F(Rubbish, OfTheLivingIsIgnoredWithOneLine) {
  put(0x21, "garbage");
  put(0x22, std::string(2 * kHeapOffset, 'x'));
  put(0x23, "");
  put(0x24, region_bytes(0x24, [](RegionHeader & header) { header.version = 99; }));
  put(0x25, region_bytes(0x99, [](RegionHeader &) {}));
  put(0x26, region_bytes(0x26, [](RegionHeader & header) { header.reserved_size = ~std::uint64_t{0}; }));
  for (std::uint64_t i = 0x21; i <= 0x26; ++i) {
    EXPECT_TRUE(wait_until([&] { return log_.count({path(i)}) >= 1; })) << i;
  }
  expect_flow();
  for (std::uint64_t i = 0x21; i <= 0x26; ++i) {
    EXPECT_EQ(log_.count({path(i)}), 1) << i;
    EXPECT_TRUE(fs::exists(path(i))) << i;
  }
}

TEST_F(Rubbish, ThatIsNoFileIsIgnored) {
  mkdir(path(0x31).c_str(), 0700);
  mkfifo(path(0x32).c_str(), 0600);
  ASSERT_EQ(symlink("/etc/passwd", path(0x33).c_str()), 0);
  ASSERT_EQ(symlink("/nowhere", path(0x34).c_str()), 0);
  std::ofstream(folder_.path() + "/0/readme.txt") << "x";
  expect_flow();
}

/// A directory full of entries of every kind that point anywhere.
TEST_F(Rubbish, InALivingDirectoryHarmsNobody) {
  std::uint64_t random = seed();
  const auto next = [&] { return random = mix(random + 0x9e3779b97f4a7c15ULL); };
  for (std::uint64_t incarnation = 0x41; incarnation < 0x49; ++incarnation) {
    std::string bytes = region_bytes(incarnation, [](RegionHeader & header) { header.directory_used = ~0U; });
    reinterpret_cast<RegionHeader *>(bytes.data())->directory_version = incarnation;
    auto * directory = reinterpret_cast<DirectoryEntry *>(bytes.data() + kDirectoryOffset);
    for (std::uint32_t i = 0; i < kDirectoryEntries; ++i) {
      directory[i].kind = static_cast<std::uint32_t>(next() % 6);
      directory[i].number = next() % 4 == 0 ? next() : i + 1;
      directory[i].description = next() % 2 == 0 ? next() : next() % bytes.size();
      directory[i].description_size = static_cast<std::uint32_t>(next() % 3 == 0 ? next() : next() % 300);
      directory[i].record = next() % 2 == 0 ? next() : next() % bytes.size();
    }
    put(incarnation, bytes);
  }
  expect_flow();
}

TEST(Truncation, OfAPeersFileIsSurvived) {
  const Folder folder;
  LogCapture log;
  Station reader(false);
  Station healthy(true);
  ASSERT_EQ(reader("join 0"), "ok");
  ASSERT_EQ(healthy("join 0"), "ok");
  ASSERT_EQ(reader("sub s topic"), "ok");
  ASSERT_EQ(healthy("pub p topic"), "ok");
  ASSERT_TRUE(reader.until("matched s", "1"));
  const auto before = folder.files(0, ".region");
  Station faulty(true);
  ASSERT_EQ(faulty("join 0"), "ok");
  ASSERT_EQ(faulty("pub p topic"), "ok");
  ASSERT_TRUE(reader.until("matched s", "2") && faulty.until("matched p", "1"));
  ASSERT_EQ(faulty("publish p 3 1000000"), "ok");
  ASSERT_EQ(reader("keep s 1"), "0");
  faulty.child().signal(SIGSTOP);  // its own touching of what is not there is its own affair
  int truncated = 0;
  for (const std::string & file : folder.files(0, ".region")) {
    if (std::find(before.begin(), before.end(), file) == before.end()) {
      EXPECT_EQ(truncate(file.c_str(), 0), 0);
      ++truncated;
    }
  }
  ASSERT_EQ(truncated, 1);
  EXPECT_EQ(reader("check").rfind("error torn", 0), 0U);  // zeros, not a signal
  EXPECT_EQ(reader("take s 1").find("1"), std::string::npos);
  EXPECT_TRUE(reader.until("matched s", "1"));
  ASSERT_EQ(healthy("publish p 2 64"), "ok");
  EXPECT_EQ(reader("await s 2"), "ok");
  EXPECT_EQ(reader("drop"), "ok");
}

TEST(Deletion, OfEverythingIsMended) {
  const Folder folder;
  Station a(true);
  Station b(true);
  ASSERT_EQ(a("join 0"), "ok");
  ASSERT_EQ(b("join 0"), "ok");
  ASSERT_EQ(a("pub p topic"), "ok");
  ASSERT_EQ(b("sub s topic"), "ok");
  ASSERT_TRUE(a.until("matched p", "1") && b.until("matched s", "1"));
  for (const std::string what : {"/0/roster", "/0"}) {
    fs::remove_all(folder.path() + what);
    ASSERT_EQ(a("publish p 3 64"), "ok");
    EXPECT_EQ(b("await s 3"), "ok");
    Station newcomer(true);
    ASSERT_EQ(newcomer("join 0"), "ok");
    ASSERT_EQ(newcomer("sub s topic"), "ok");
    ASSERT_TRUE(newcomer.until("matched s", "1")) << what;
    ASSERT_EQ(a("publish p 1 64"), "ok");
    EXPECT_NE(newcomer("take s 1"), "nothing");
    EXPECT_EQ(b("await s 1"), "ok");
    EXPECT_EQ(newcomer.finish(), 0);
  }
}

TEST(Deletion, OfTheHomeHidesNobodyWhoHasMadeItAnewBeforeUs) {
  const Folder folder;
  Station here(false);
  Station other(true);
  ASSERT_EQ(here("join 0"), "ok");
  ASSERT_EQ(other("join 0"), "ok");
  ASSERT_EQ(here("pub p topic"), "ok");
  {
    const std::lock_guard lock(Process::instance().mutex());  // our housekeeping waits
    fs::remove_all(folder.path());
    ASSERT_TRUE(wait_until([&] { return fs::exists(folder.path() + "/0/roster"); }));
    ASSERT_EQ(other("sub s topic"), "ok");
  }
  here("processes");  // looks at everybody, as yet under the old key
  EXPECT_TRUE(here.until("matched p", "1"));
  ASSERT_EQ(here("publish p 1 64"), "ok");
  EXPECT_EQ(other("await s 1"), "ok");
}

TEST(Deletion, ByLeavingAndJoiningAgainWorks) {
  const Folder folder;
  Station a(true);
  Station b(true);
  ASSERT_EQ(b("join 0"), "ok");
  ASSERT_EQ(b("sub s topic"), "ok");
  for (int round = 0; round < 5; ++round) {
    ASSERT_EQ(a("join 0"), "ok");
    ASSERT_EQ(a("pub p topic"), "ok");
    ASSERT_TRUE(a.until("matched p", "1") && b.until("matched s", "1"));
    ASSERT_EQ(a("publish p 1 64"), "ok");
    EXPECT_EQ(b("take s 5"), "0");
    ASSERT_EQ(a("leave"), "ok");
    ASSERT_TRUE(b.until("matched s", "0"));
  }
}

}  // namespace
}  // namespace tandem::test
