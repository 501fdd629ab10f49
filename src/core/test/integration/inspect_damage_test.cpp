// What tools see of the dead, of other users and versions, and of garbage; and what is cleaned away.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "inspecting.hpp"
#include "layout/layout.hpp"
#include "payload.hpp"

namespace tandem::test {
namespace {

TEST_F(Inspection, ReadsWhatTheDeadLeftAndCleansIt) {
  connect();
  ASSERT_TRUE(a_.publish("p", 3, 1000));
  const pid_t dead = a_.child().pid();
  stop(b_.child());  // it would remove the other's region
  a_.child().kill();
  auto domain = look();
  ASSERT_EQ(domain.regions.size(), 2U);
  for (const auto & region : domain.regions) {
    EXPECT_EQ(region.state, region.pid == dead ? State::kDead : State::kAlive);
    EXPECT_EQ(region.publishers.size(), region.state == State::kDead ? 1U : 0U);
  }
  EXPECT_TRUE(domain.connections.empty());
  const auto cleaned = inspection::clean();
  EXPECT_EQ(cleaned.removed.size(), 2U);  // a region and a bell
  EXPECT_GT(cleaned.removed.at(0).memory, 0U);
  EXPECT_TRUE(cleaned.failed.empty()) << testing::PrintToString(cleaned.failed);
  EXPECT_TRUE(inspection::clean().removed.empty());
  b_.child().signal(SIGCONT);
  EXPECT_TRUE(b_.await("s", 3));  // what was matched stays readable
  EXPECT_EQ(look().regions.size(), 1U);
  b_.child().kill();
  EXPECT_EQ(inspection::clean().removed.size(), 3U);  // and the folder
  EXPECT_FALSE(fs::exists(folder_.path() + "/0"));
}

TEST_F(Inspection, CleansOneDomainWhenAsked) {
  ASSERT_TRUE(a_.join(3));
  ASSERT_TRUE(b_.join(4));
  a_.child().kill();
  b_.child().kill();
  inspection::Options options;
  options.domain = 3;
  EXPECT_EQ(inspection::clean(options).removed.size(), 3U);
  EXPECT_FALSE(fs::exists(folder_.path() + "/3"));
  EXPECT_TRUE(fs::exists(folder_.path() + "/4"));
}

TEST_F(Inspection, OnlyStrayBellsGo) {
  stop(a_.child());  // they would remove it
  stop(b_.child());
  const std::string stray = folder_.path() + "/0/00000000000000aa.bell";
  std::ofstream(stray) << "x";
  EXPECT_EQ(look().stray.size(), 1U);
  EXPECT_EQ(inspection::clean().removed.size(), 1U);
  EXPECT_FALSE(fs::exists(stray));
  EXPECT_EQ(look().regions.size(), 2U);
  EXPECT_EQ(folder_.files(0, ".bell").size(), 2U);
}

TEST_F(Inspection, AnotherVersionIsNamedAndLeftAloneWhileItLives) {
  const std::string path = folder_.path() + "/0/00000000000000bb.region";
  a_.child().kill();
  b_.child().kill();
  inspection::clean();
  fs::create_directories(folder_.path() + "/0");
  std::vector<std::uint64_t> words(kHeapOffset / 8 + 8);
  auto * header = new (words.data()) std::uint64_t[4]{kRegionMagic, 99ULL | std::uint64_t{4711} << 32, 0xbb, 0};
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(fd, header, 32), 32);
  EXPECT_EQ(look().regions.at(0).state, State::kDead);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(fd, F_OFD_SETLK, &lock), 0);
  ASSERT_EQ(ftruncate(fd, kHeapOffset), 0);
  const auto region = look().regions.at(0);
  EXPECT_EQ(region.state, State::kOtherVersion);
  EXPECT_EQ(region.version, 99U);
  EXPECT_EQ(region.pid, 4711);
  EXPECT_NE(region.reason.find("99"), std::string::npos);
  EXPECT_NE(region.reason.find(std::to_string(kLayoutVersion)), std::string::npos);
  EXPECT_TRUE(inspection::clean().removed.empty());
  close(fd);
  EXPECT_EQ(inspection::clean().removed.size(), 2U);
}

TEST_F(Inspection, AnotherUsersRegionIsForeign) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  const auto files = folder_.files(0, ".region");
  ASSERT_EQ(chown(files.at(0).c_str(), 54321, 54321), 0);
  int foreign = 0;
  for (const auto & region : look().regions) {
    foreign += region.state == State::kForeign ? 1 : 0;
    EXPECT_EQ(region.user, region.state == State::kForeign ? 54321U : geteuid());
  }
  EXPECT_EQ(foreign, 1);
  EXPECT_TRUE(inspection::clean().removed.empty());
}

TEST_F(Inspection, OddFilesDoNoHarm) {
  const std::string path = folder_.path() + "/0/00000000000000";
  ASSERT_EQ(mkdir((path + "c1.region").c_str(), 0700), 0);
  ASSERT_EQ(mkfifo((path + "c2.region").c_str(), 0600), 0);
  ASSERT_EQ(symlink("/etc/passwd", (path + "c3.region").c_str()), 0);
  ASSERT_EQ(symlink("/proc/999999999/fd/3", (path + "c4.region").c_str()), 0);
  std::ofstream(folder_.path() + "/0/readme.txt") << "x";
  std::ofstream(folder_.path() + "/name") << "x";
  fs::create_directory(folder_.path() + "/007");
  const auto domain = look();
  EXPECT_EQ(domain.regions.size(), 6U);
  EXPECT_EQ(std::count_if(domain.regions.begin(), domain.regions.end(),
                          [](const auto & region) { return region.state == State::kDamaged; }),
            4);
  EXPECT_TRUE(inspection::clean().removed.empty());
  EXPECT_EQ(inspection::inspect().domains.size(), 1U);
}

/// Copies of real regions with random damage, dead and alive.
TEST_F(Inspection, GarbageDoesNoHarm) {
  connect({.keep_all = true, .transient = true}, {.keep_all = true, .transient = true});
  ASSERT_TRUE(a_.create_subscription("own", "/topic"));
  ASSERT_TRUE(a_.until_matched("own", 1));
  ASSERT_TRUE(a_.publish("p", 300, 64));
  std::string real;
  for (const auto & region : look().regions) {
    if (region.pid == a_.child().pid()) {
      std::ifstream file(region.path);
      real.assign(std::istreambuf_iterator<char>(file), {});
    }
  }
  ASSERT_GT(real.size(), kHeapOffset);
  a_.child().kill();
  b_.child().kill();
  inspection::clean();
  fs::create_directories(folder_.path() + "/0");
  std::uint64_t random = seed();
  const auto next = [&](std::uint64_t limit) { return (random = mix(random + 0x9e3779b97f4a7c15ULL)) % limit; };
  const std::uint64_t incarnation = reinterpret_cast<const RegionHeader *>(real.data())->incarnation;
  char name[32];
  std::snprintf(name, sizeof name, "/0/%016llx.region", static_cast<unsigned long long>(incarnation));
  const int fd = open((folder_.path() + name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const std::size_t front = std::min<std::size_t>(real.size(), std::size_t{2} << 20);
  ASSERT_EQ(write(fd, real.data(), real.size()), static_cast<ssize_t>(real.size()));
  struct flock lock {};
  lock.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(fd, F_OFD_SETLK, &lock), 0);
  EXPECT_EQ(look().connections.size(), 1U);
  const int rounds = static_cast<int>(300 * std::max(0.1, scale()));
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint64_t> places;
    for (std::uint64_t i = next(12) + 1; i > 0; --i) {
      // The header, the used part of the directory, and where records and descriptions lie.
      const std::uint64_t area = next(3);
      const std::uint64_t place = area == 0   ? next(512)
                                  : area == 1 ? kDirectoryOffset + next(6 * sizeof(DirectoryEntry))
                                              : kHeapOffset + next(front - kHeapOffset);
      const std::uint64_t wild = next(3) == 0 ? next(~0ULL) : next(300);
      ASSERT_EQ(pwrite(fd, &wild, 8, static_cast<off_t>(place / 8 * 8)), 8);
      places.push_back(place / 8 * 8);
    }
    if (next(8) == 0) {
      ASSERT_EQ(ftruncate(fd, static_cast<off_t>(next(front))), 0);
      look();
      ASSERT_EQ(pwrite(fd, real.data(), real.size(), 0), static_cast<ssize_t>(real.size()));
    }
    EXPECT_LE(look().regions.size(), 1U);
    for (const std::uint64_t place : places) {
      ASSERT_EQ(
          pwrite(fd, real.data() + place, std::min<std::size_t>(8, real.size() - place), static_cast<off_t>(place)),
          static_cast<ssize_t>(std::min<std::size_t>(8, real.size() - place)));
    }
  }
  EXPECT_EQ(look().connections.size(), 1U);
  EXPECT_TRUE(look().regions.at(0).damage.empty());
  close(fd);
}

Outcome come_and_go(User & user) {
  Outcome made = user.create_publisher("p", "/comes");
  made = made ? user.create_subscription("s", "/comes") : made;
  user.close("p");
  user.close("s");
  return made;
}

/// Endpoints that come and go while somebody looks: what is told is whole.
TEST_F(Inspection, ReadsADirectoryThatChanges) {
  ASSERT_TRUE(a_.create_publisher("p0", "/stays"));
  for (int round = 0; round < 50; ++round) {
    auto changing = a_.start<come_and_go>();
    for (int i = 0; i < 4; ++i) {
      int stays = 0;
      for (const auto & region : look().regions) {
        EXPECT_TRUE(region.damage.empty()) << testing::PrintToString(region.damage);
        for (const auto & publisher : region.publishers) {
          EXPECT_TRUE(publisher.info.topic == "/stays" || publisher.info.topic == "/comes") << publisher.info.topic;
          stays += publisher.info.topic == "/stays" ? 1 : 0;
        }
      }
      EXPECT_EQ(stays, 1);
    }
    EXPECT_TRUE(changing.get());
  }
}

}  // namespace
}  // namespace tandem::test
