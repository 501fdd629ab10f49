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

#include "layout/layout.hpp"
#include "payload.hpp"
#include "process/process.hpp"
#include "station.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;

/// How another process joins with this folder.
Outcome join_with(const std::string & folder) {
  setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
  Station user(Place::kElsewhere);
  const Outcome joined = user.join(0);
  EXPECT_EQ(user.finish(), 0);
  return joined;
}

void expect_refusal(const std::string & folder) {
  const Outcome joined = join_with(folder);
  EXPECT_TRUE(joined.is(JoinError::kNoDirectory)) << joined;
  EXPECT_TRUE(joined.says(folder)) << joined;
  EXPECT_TRUE(joined.says("TANDEM_SHM_DIR")) << joined;
}

TEST(FolderTest, MissingParentIsRefused) {
  const Folder folder;
  expect_refusal(folder.path() + "/not/there");
}

TEST(FolderTest, IsMadeWhenItsParentExists) {
  const Folder folder;
  EXPECT_TRUE(join_with(folder.path() + "/new"));
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
    Station user(Place::kElsewhere);
    ASSERT_TRUE(user.join(0));
    ASSERT_TRUE(user.create_publisher("p", "topic", {.loans = 100}));
    const std::size_t got = user.borrow("p", 100, 1000000);
    EXPECT_GE(got, 1U);
    EXPECT_LE(got, 6U);
    EXPECT_EQ(user.failed_borrows("p"), 1U);
    EXPECT_TRUE(user.publish_loans("p"));
    EXPECT_TRUE(user.publish("p", 10, 1000000));  // nobody is owed the others
    EXPECT_EQ(user.finish(), 0);
  }
  {
    std::ofstream filler(small + "/filler");
    const std::string block(4096, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  const Outcome joined = join_with(small);
  EXPECT_FALSE(joined);
  EXPECT_TRUE(joined.says(small)) << joined;
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
  Rubbish() : user_(Place::kHere) {
    EXPECT_TRUE(user_.join(0));
    EXPECT_TRUE(user_.create_publisher("p", "topic"));
    EXPECT_TRUE(user_.create_subscription("s", "topic"));
    EXPECT_TRUE(user_.until_matched("p", 1) && user_.until_matched("s", 1));
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
    ASSERT_TRUE(user_.settle());
    ASSERT_TRUE(user_.publish("p", 3, 64));
    EXPECT_TRUE(user_.await("s", 3));
    Station newcomer(Place::kElsewhere);
    ASSERT_TRUE(newcomer.join(0));
    ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
    ASSERT_TRUE(newcomer.until_matched("s", 1));
    ASSERT_TRUE(user_.publish("p", 1, 64));
    EXPECT_FALSE(newcomer.take("s", 1).empty());
    EXPECT_TRUE(user_.await("s", 1));
  }

  Folder folder_;
  LogCapture log_;
  Station user_;
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
  Station reader(Place::kHere);
  Station healthy(Place::kElsewhere);
  ASSERT_TRUE(reader.join(0));
  ASSERT_TRUE(healthy.join(0));
  ASSERT_TRUE(reader.create_subscription("s", "topic"));
  ASSERT_TRUE(healthy.create_publisher("p", "topic"));
  ASSERT_TRUE(reader.until_matched("s", 1));
  const auto before = folder.files(0, ".region");
  Station faulty(Place::kElsewhere);
  ASSERT_TRUE(faulty.join(0));
  ASSERT_TRUE(faulty.create_publisher("p", "topic"));
  ASSERT_TRUE(reader.until_matched("s", 2) && faulty.until_matched("p", 1));
  ASSERT_TRUE(faulty.publish("p", 3, 1000000));
  ASSERT_EQ(reader.keep("s", 1), Numbers{0});
  faulty.child().signal(SIGSTOP);  // its own touching of what is not there is its own affair
  int truncated = 0;
  for (const std::string & file : folder.files(0, ".region")) {
    if (std::find(before.begin(), before.end(), file) == before.end()) {
      EXPECT_EQ(truncate(file.c_str(), 0), 0);
      ++truncated;
    }
  }
  ASSERT_EQ(truncated, 1);
  EXPECT_TRUE(reader.check_kept(1).says("torn"));  // zeros, not a signal
  EXPECT_NE(reader.take("s", 1), Numbers{1});
  EXPECT_TRUE(reader.until_matched("s", 1));
  ASSERT_TRUE(healthy.publish("p", 2, 64));
  EXPECT_TRUE(reader.await("s", 2));
  reader.drop_kept();
}

TEST(Deletion, OfEverythingIsMended) {
  const Folder folder;
  Station a(Place::kElsewhere);
  Station b(Place::kElsewhere);
  ASSERT_TRUE(a.join(0));
  ASSERT_TRUE(b.join(0));
  ASSERT_TRUE(a.create_publisher("p", "topic"));
  ASSERT_TRUE(b.create_subscription("s", "topic"));
  ASSERT_TRUE(a.until_matched("p", 1) && b.until_matched("s", 1));
  for (const std::string what : {"/0/roster", "/0"}) {
    fs::remove_all(folder.path() + what);
    ASSERT_TRUE(a.publish("p", 3, 64));
    EXPECT_TRUE(b.await("s", 3));
    Station newcomer(Place::kElsewhere);
    ASSERT_TRUE(newcomer.join(0));
    ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
    ASSERT_TRUE(newcomer.until_matched("s", 1)) << what;
    ASSERT_TRUE(a.publish("p", 1, 64));
    EXPECT_FALSE(newcomer.take("s", 1).empty());
    EXPECT_TRUE(b.await("s", 1));
    EXPECT_EQ(newcomer.finish(), 0);
  }
}

TEST(Deletion, OfTheHomeHidesNobodyWhoHasMadeItAnewBeforeUs) {
  const Folder folder;
  Station here(Place::kHere);
  Station other(Place::kElsewhere);
  ASSERT_TRUE(here.join(0));
  ASSERT_TRUE(other.join(0));
  ASSERT_TRUE(here.create_publisher("p", "topic"));
  {
    const std::lock_guard lock(Process::instance().mutex());  // our housekeeping waits
    fs::remove_all(folder.path());
    ASSERT_TRUE(wait_until([&] { return fs::exists(folder.path() + "/0/roster"); }));
    ASSERT_TRUE(other.create_subscription("s", "topic"));
  }
  here.graph_size();  // looks at everybody, as yet under the old key
  EXPECT_TRUE(here.until_matched("p", 1));
  ASSERT_TRUE(here.publish("p", 1, 64));
  EXPECT_TRUE(other.await("s", 1));
}

TEST(Deletion, ByLeavingAndJoiningAgainWorks) {
  const Folder folder;
  Station a(Place::kElsewhere);
  Station b(Place::kElsewhere);
  ASSERT_TRUE(b.join(0));
  ASSERT_TRUE(b.create_subscription("s", "topic"));
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(a.join(0));
    ASSERT_TRUE(a.create_publisher("p", "topic"));
    ASSERT_TRUE(a.until_matched("p", 1) && b.until_matched("s", 1));
    ASSERT_TRUE(a.publish("p", 1, 64));
    EXPECT_EQ(b.take("s", 5), Numbers{0});
    a.leave();
    ASSERT_TRUE(b.until_matched("s", 0));
  }
}

}  // namespace
}  // namespace tandem::test
