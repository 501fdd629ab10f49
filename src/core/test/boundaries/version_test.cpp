// Processes of another version in the same folder: one line that says what to do, and no harm to anybody.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "guest.hpp"
#include "layout/layout.hpp"
#include "tandem/participant.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;

/// The bytes that every version has to understand, whatever else it changes.
TEST(Version, IsFoundInTheSamePlaceForEver) {
  const Folder folder;
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  const auto regions = folder.files(0, ".region");
  ASSERT_EQ(regions.size(), 1U);
  const int fd = open(regions[0].c_str(), O_RDONLY | O_CLOEXEC);
  char header[256] = {};
  if (fd >= 0) {
    ASSERT_EQ(read(fd, header, sizeof header), 256);
    close(fd);
  } else {
    GTEST_SKIP() << "the region has a socket in place of its name";
  }
  EXPECT_EQ(std::memcmp(header, "TANDEM1\0", 8), 0);
  std::uint32_t version = 0;
  std::int32_t pid = 0;
  std::uint64_t incarnation = 0;
  std::memcpy(&version, header + 8, 4);
  std::memcpy(&pid, header + 12, 4);
  std::memcpy(&incarnation, header + 16, 8);
  EXPECT_EQ(version, kLayoutVersion);
  EXPECT_EQ(pid, getpid());
  char name[32];
  std::snprintf(name, sizeof name, "%016llx.region", static_cast<unsigned long long>(incarnation));
  EXPECT_EQ(fs::path(regions[0]).filename().string(), name);
  EXPECT_EQ(std::string(header + 48), fs::read_symlink("/proc/self/exe").string());
}

/// A living process's region, as another version makes it.
class ForgedFile {
 public:
  ForgedFile(const std::string & domain, std::uint64_t incarnation, std::size_t size,
             const std::function<void(RegionHeader &)> & change) {
    char name[32];
    std::snprintf(name, sizeof name, "/%016llx.region", static_cast<unsigned long long>(incarnation));
    path_ = domain + name;
    std::string bytes(sizeof(RegionHeader), '\0');
    auto * header = new (bytes.data()) RegionHeader{};
    header->magic = kRegionMagic;
    header->version = kLayoutVersion;
    header->pid = 4711;
    header->incarnation = incarnation;
    header->reserved_size = std::uint64_t{1} << 32;
    std::strcpy(header->executable, "/opt/robot/bin/arm");
    change(*header);
    const std::string unfinished = path_ + ".new";
    fd_ = open(unfinished.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(write(fd_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(size)), 0);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    EXPECT_EQ(fcntl(fd_, F_OFD_SETLK, &lock), 0);
    fs::rename(unfinished, path_);
  }
  ~ForgedFile() { close(fd_); }
  ForgedFile(const ForgedFile &) = delete;
  ForgedFile & operator=(const ForgedFile &) = delete;
  const std::string & path() const { return path_; }

 private:
  std::string path_;
  int fd_ = -1;
};

class Versions : public testing::Test {
 protected:
  Versions() : user_(Place::kHere), peer_(Place::kElsewhere) {
    EXPECT_TRUE(user_.join(0));
    EXPECT_TRUE(peer_.join(0));
    EXPECT_TRUE(connect(user_, peer_));
  }
  std::string domain() const { return folder_.path() + "/0"; }

  Folder folder_;
  LogCapture log_;
  Station user_;
  Station peer_;
};

struct Case {
  std::size_t size;
  std::function<void(RegionHeader &)> change;
  std::vector<std::string> wanted;
};

TEST_F(Versions, AreNamedOnceAndHarmNobody) {
  const std::string ours = "this process has version " + std::to_string(kLayoutVersion);
  const std::string newer = std::to_string(kLayoutVersion + 1);
  const std::string older = std::to_string(kLayoutVersion - 1);
  const std::vector<Case> cases{
      {2 * kHeapOffset,
       [](RegionHeader & header) { header.version = kLayoutVersion + 1; },
       {"process 4711 (/opt/robot/bin/arm) has version " + newer, ours, "run the same version of Tandem in both"}},
      {2 * kHeapOffset,
       [](RegionHeader & header) { header.version = kLayoutVersion - 1; },
       {"process 4711 (/opt/robot/bin/arm) has version " + older, ours}},
      // Whatever its size: a later version may have a smaller front.
      {4096,
       [](RegionHeader & header) { header.version = 4000000000; },
       {"(/opt/robot/bin/arm) has version 4000000000", ours}},
      // What it calls itself is shown, but for what would disturb a terminal or a log.
      {4096,
       [](RegionHeader & header) {
         header.version = kLayoutVersion + 3;
         std::memset(header.executable, '\n', sizeof header.executable);
       },
       {"process 4711 (???????"}},
      {2 * kHeapOffset,
       [](RegionHeader & header) {
         header.magic = __builtin_bswap64(kRegionMagic);
         header.version = __builtin_bswap32(kLayoutVersion);
       },
       {"another byte order"}},
      {2 * kHeapOffset, [](RegionHeader & header) { header.reserved_size = ~std::uint64_t{0}; }, {"damaged"}},
      {2 * kHeapOffset, [](RegionHeader & header) { header.reserved_size = 4096; }, {"damaged"}},
      {kHeapOffset - 1, [](RegionHeader &) {}, {"shorter than its header and directory"}},
  };
  std::vector<std::unique_ptr<ForgedFile>> forged;
  for (const Case & one : cases) {
    forged.push_back(std::make_unique<ForgedFile>(domain(), 0x50 + forged.size(), one.size, one.change));
  }
  EXPECT_TRUE(flows(user_, peer_));
  for (const auto & file : forged) {
    EXPECT_TRUE(wait_until([&] { return log_.count({file->path()}) != 0; })) << file->path();
    EXPECT_TRUE(wait_until([&] { return contains(peer_.log(), file->path()); }));
  }
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(user_.settle());
  }
  EXPECT_TRUE(flows(user_, peer_));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<std::string> parts = cases[i].wanted;
    parts.push_back(forged[i]->path());
    EXPECT_EQ(log_.count({forged[i]->path()}), 1);
    EXPECT_EQ(log_.count(parts), 1) << cases[i].wanted[0];
    EXPECT_TRUE(fs::exists(forged[i]->path()));
  }
}

TEST_F(Versions, OfTheDeadAreRemoved) {
  std::string path;
  {
    const ForgedFile file(domain(), 0x59, 8192, [](RegionHeader & header) { header.version = 2; });
    path = file.path();
  }
  EXPECT_TRUE(wait_until([&] { return !fs::exists(path); }));
  EXPECT_TRUE(flows(user_, peer_));
}

}  // namespace
}  // namespace tandem::test
