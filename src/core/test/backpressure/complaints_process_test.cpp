// What users of other middlewares complain about, continued: processes that die or stand still, files, discovery.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "payload.hpp"
#include "reading.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;

/// Sleeps of all threads of a process.
std::uint64_t sleeps(pid_t pid) {
  std::uint64_t sum = 0;
  for (const auto & thread : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    std::ifstream status(thread.path() / "status");
    for (std::string word; status >> word;) {
      std::uint64_t count = 0;
      if (word == "voluntary_ctxt_switches:" && status >> count) {
        sum += count;
      }
    }
  }
  return sum;
}

/// Two processes that are connected, and none besides.
class ComplaintAboutProcesses : public testing::Test {
 protected:
  void connect(const EndpointOptions & publisher = {}, const EndpointOptions & subscription = {}) {
    for (Station * station : {&a_, &b_}) {
      ASSERT_TRUE(station->join(0));
    }
    ASSERT_TRUE(a_.create_publisher("p", "topic", publisher));
    ASSERT_TRUE(b_.create_subscription("s", "topic", subscription));
    ASSERT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  }
  void pass(int messages = 5) {
    ASSERT_TRUE(a_.publish("p", messages, 5000));
    ASSERT_TRUE(b_.await("s", messages));
  }
  bool files_are(std::size_t count) {
    return wait_until([&] { return folder_.files(0, "").size() == count; });
  }

  Folder folder_;
  Station a_{Place::kElsewhere};
  Station b_{Place::kElsewhere};
};

constexpr std::size_t kRoster = 1;
constexpr std::size_t kOfAProcess = 2;  ///< region and bell

TEST_F(ComplaintAboutProcesses, DevShmFillsAndTheCleanerMissesFiles_FastDDS_2790_5308) {
  const fs::space_info before = fs::space(folder_.path());
  {
    std::vector<std::unique_ptr<Station>> victims;
    for (int i = 0; i < 6; ++i) {
      victims.push_back(std::make_unique<Station>(Place::kElsewhere));
      ASSERT_TRUE(victims.back()->join(0));
      ASSERT_TRUE(victims.back()->create_publisher("p", "topic"));
      ASSERT_TRUE(victims.back()->publish("p", 3, 10000000));
    }
    EXPECT_TRUE(files_are(kRoster + 6 * kOfAProcess));
    for (const auto & victim : victims) {
      victim->child().signal(SIGSTOP);  // or the last ones would tidy up for the first
    }
  }  // each is killed
  EXPECT_TRUE(files_are(kRoster + 6 * kOfAProcess)) << "nobody is left to tidy up";
  ASSERT_TRUE(a_.join(0));
  EXPECT_TRUE(files_are(kRoster + kOfAProcess));
  EXPECT_EQ(a_.finish(), 0);
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, "").size() <= kRoster; }));
  const std::uintmax_t victims_memory = 6 * 30'000'000;
  EXPECT_TRUE(wait_until([&] { return fs::space(folder_.path()).free + victims_memory / 2 > before.free; }));
}

TEST_F(ComplaintAboutProcesses, OtherUsersLeftoversBlock_FastDDS_3535) {
  fs::create_directory(folder_.path() + "/0");
  fs::permissions(folder_.path() + "/0", fs::perms::owner_all);
  for (const char * name : {"0123456789abcdef.region", "0123456789abcdef.bell", "fedcba9876543210.region"}) {
    const std::string path = folder_.path() + "/0/" + name;
    std::ofstream(path) << "leftover";
    fs::permissions(path, fs::perms::none);
    if (geteuid() == 0) {
      ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    }
  }
  connect();
  pass();
  EXPECT_EQ(a_.graph_size().processes, 2U);
}

TEST_F(ComplaintAboutProcesses, LogindDeletesFiles_FastDDS_5576) {
  connect();
  pass();
  fs::remove_all(folder_.path());
  pass();
  Station newcomer(Place::kElsewhere);
  ASSERT_TRUE(newcomer.join(0));
  ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
  ASSERT_TRUE(a_.until_matched("p", 2) && newcomer.until_matched("s", 1));
  ASSERT_TRUE(a_.publish("p", 3, 5000));
  EXPECT_EQ(newcomer.take("s", 10), range(10, 13));
  EXPECT_TRUE(b_.await("s", 3));
}

TEST_F(ComplaintAboutProcesses, OrphansAfterSigkill_iceoryx2_1584_1967) {
  connect();
  pass();
  std::vector<std::unique_ptr<Station>> victims;
  for (int i = 0; i < 4; ++i) {
    victims.push_back(std::make_unique<Station>(Place::kElsewhere));
    ASSERT_TRUE(victims.back()->join(0));
    ASSERT_TRUE(i % 2 == 0 ? victims.back()->create_publisher("p", "topic")
                           : victims.back()->create_subscription("s", "topic"));
  }
  ASSERT_TRUE(wait_until([&] {
                return a_.graph_size() == GraphSize{6, 6, 0};
              }) &&
              a_.until_matched("p", 3) && b_.until_matched("s", 3));
  victims.clear();
  EXPECT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  EXPECT_TRUE(wait_until([&] {
                return a_.graph_size() == GraphSize{2, 2, 0};
              }) &&
              wait_until([&] {
                return b_.graph_size() == GraphSize{2, 2, 0};
              }));
  EXPECT_TRUE(files_are(kRoster + 2 * kOfAProcess));
  pass();
}

TEST_F(ComplaintAboutProcesses, KilledSubscriberDeadlocksPublisher_ecal_1206) {
  std::mt19937 random(seed());
  const auto participant = Participant::join(0);
  const auto out = std::move(*participant->create_publisher(publisher_options("topic", {.keep_all = true})));
  std::uint64_t counter = 0;
  Watchdog watchdog(
      "publisher", [&] { return std::to_string(counter) + " published"; }, 120);
  const int deaths = std::max(3, static_cast<int>(20 * scale()));
  for (int death = 0; death < deaths; ++death) {
    ReadingChild victim({{.depth = 10, .keep_all = death % 2 == 0}, kEnd, 10, 50, 20});
    ASSERT_TRUE(victim.is_matched());
    const std::uint64_t kill_at = counter + random() % 3000;
    for (const std::uint64_t end = counter + 4000; counter < end; ++counter) {
      if (counter == kill_at) {
        victim.process().signal(SIGKILL);  // not reaped, not waited for: it dies while we publish
      }
      auto loan = out->borrow(500);
      ASSERT_TRUE(loan) << to_string(loan.error());
      fill(loan->data(), 500, 0, counter);
      ASSERT_TRUE(out->publish(std::move(*loan))) << out->last_timeout();
      watchdog.beat();
    }
  }
}

// Nothing in here has a time after which somebody is taken for dead.
TEST_F(ComplaintAboutProcesses, WatchdogDropsLiveMessages_zenoh_2628) {
  connect({.depth = 10}, {.depth = 10});
  ASSERT_TRUE(a_.publish("p", 10, 5000));
  ASSERT_EQ(b_.keep("s", 3), range(0, 3));
  const auto let_housekeeping_look = [&](Station & station) {
    const std::uint64_t before = sleeps(station.child().pid());
    ASSERT_TRUE(wait_until([&] { return sleeps(station.child().pid()) >= before + 3; }));
  };
  b_.child().signal(SIGSTOP);
  let_housekeeping_look(a_);
  EXPECT_EQ(a_.matched("p"), 1U);
  b_.child().signal(SIGCONT);
  a_.child().signal(SIGSTOP);
  let_housekeeping_look(b_);
  EXPECT_EQ(b_.keep("s", 100), range(3, 10));
  EXPECT_TRUE(b_.check_kept(10));
  EXPECT_EQ(b_.matched("s"), 1U);
  a_.child().signal(SIGCONT);
  ASSERT_TRUE(a_.publish("p", 1, 5000));
  EXPECT_EQ(b_.take("s", 1), Numbers{10});
}

// As a container's default of 64 MiB, only smaller.
TEST_F(ComplaintAboutProcesses, SigbusInContainers_iceoryx_2287) {
  const std::string small = folder_.path() + "/small";
  fs::create_directory(small);
  if (mount("tandem-test", small.c_str(), "tmpfs", 0, "size=24m,mode=0700") != 0) {
    GTEST_SKIP() << "needs the right to mount: " << std::strerror(errno);
  }
  const std::unique_ptr<const std::string, void (*)(const std::string *)> unmount(
      &small, [](const std::string * path) { EXPECT_EQ(umount2(path->c_str(), MNT_DETACH), 0); });
  setenv("TANDEM_SHM_DIR", small.c_str(), 1);
  {
    Station writer(Place::kElsewhere);
    ASSERT_TRUE(writer.join(0));
    ASSERT_TRUE(writer.create_publisher("p", "topic", {.loans = 100}));
    const std::size_t got = writer.borrow("p", 100, 1000000);
    EXPECT_GE(got, 15U);
    EXPECT_LE(got, 24U);
    writer.drop_loans();
    EXPECT_TRUE(writer.publish("p", 100, 4000000));
    EXPECT_EQ(writer.finish(), 0) << "no signal";
  }
  setenv("TANDEM_SHM_DIR", folder_.path().c_str(), 1);
}

mode_t mode_of(const std::string & path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

TEST_F(ComplaintAboutProcesses, ContainerUsersAndPermissions_iceoryx2_460) {
  const mode_t before = umask(0077);  // which must not take from a group what it was given
  for (const mode_t shared : {mode_t{0}, mode_t{070}}) {
    const Folder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), 0700 | shared), 0);
    Station process(Place::kElsewhere);
    ASSERT_TRUE(process.join(0));
    EXPECT_EQ(mode_of(folder.path() + "/0") & 0777, 0700 | shared);
    const auto files = folder.files(0, "");
    EXPECT_EQ(files.size(), kRoster + kOfAProcess);
    for (const std::string & file : files) {
      const bool is_region = file.find(".region") != std::string::npos;  // its owner alone writes it
      EXPECT_EQ(mode_of(file), shared == 0 ? 0600U : is_region ? 0640U : 0660U) << file;
    }
  }
  umask(before);
}

std::size_t maps(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    count += line.find(".region") != std::string::npos || line.find("tandem_test") != std::string::npos ? 1 : 0;
  }
  return count;
}

// Who has nothing to do with a topic is woken once when it comes, maps nothing, and sends nothing.
TEST_F(ComplaintAboutProcesses, DiscoveryLoad_rmw_fastrtps_741) {
  connect();
  ASSERT_TRUE(b_.create_wait_set("w"));
  b_.attach("w", "s");
  Station other(Place::kElsewhere);
  ASSERT_TRUE(other.join(0));
  ASSERT_TRUE(wait_until([&] { return b_.graph_size() == GraphSize{3, 2, 0}; }));
  const pid_t bystander = b_.child().pid();
  const std::size_t maps_before = maps(bystander);
  auto waiting = b_.start<&User::wait>("w", -1s);
  const std::uint64_t before = sleeps(bystander);
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kTopics = 200;
  for (int i = 0; i < kTopics; ++i) {
    const std::string number = std::to_string(i);
    ASSERT_TRUE(other.create_publisher("p" + number, "unrelated" + number));
  }
  const auto seconds = static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin) / std::chrono::seconds(1));
  const std::uint64_t woken = sleeps(bystander) - before;
  EXPECT_LE(woken, 4 * kTopics + 20 * (seconds + 2)) << "for " << kTopics << " topics";
  EXPECT_EQ(maps(bystander), maps_before);
  ASSERT_TRUE(a_.publish("p", 1, 64));
  EXPECT_TRUE(waiting.get());
  std::cout << woken << " sleeps of a bystander for " << kTopics << " unrelated topics" << std::endl;
}

}  // namespace
}  // namespace tandem::test
