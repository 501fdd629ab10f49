// Files of living processes that are not what they were: shortened, deleted, replaced, somebody else's, huge. Whoever
// knows each other goes on, newcomers connect, and one line at most says what is the matter.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <tuple>

#include "forged_region.hpp"
#include "process/process.hpp"
#include "station.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kIncarnation = 0x51;

/// Puts something of a kind under a name. Empty, or why that is impossible here.
std::string put(const std::string & kind, const std::string & path, const std::string & elsewhere) {
  if (kind == "directory") {
    mkdir(path.c_str(), 0700);
  } else if (kind == "fifo") {
    mkfifo(path.c_str(), 0600);
  } else if (kind == "socket") {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const File file(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    static_cast<void>(bind(file.get(), reinterpret_cast<sockaddr *>(&address), sizeof address));
  } else if (kind == "device") {
    if (mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 5)) != 0) {
      return "needs the right to make devices: " + error_text(errno);
    }
  } else if (kind == "loop") {
    static_cast<void>(symlink(path.c_str(), path.c_str()));
  } else if (kind == "link") {
    std::ofstream(elsewhere) << std::string(8192, 'x');
    static_cast<void>(symlink(elsewhere.c_str(), path.c_str()));
  } else if (kind == "foreign" || kind == "foreign_link") {
    std::ofstream(elsewhere) << std::string(8192, 'x');
    if (chown(elsewhere.c_str(), 12345, 12345) != 0) {
      return "needs root to give a file away";
    }
    kind == "foreign" ? fs::rename(elsewhere, path) : fs::create_hard_link(elsewhere, path);
  } else if (kind == "short") {
    std::ofstream(path) << "x";
  } else if (kind == "garbage") {
    std::ofstream(path) << std::string(2 * kHeapOffset, 'x');
  }
  return {};
}

bool is_there(const std::string & path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

const char * const kKinds[] = {"nothing", "directory", "fifo",  "socket",  "device",      "loop",
                               "link",    "foreign",   "short", "garbage", "foreign_link"};

/// A publisher and a subscription, in two processes; this one looks after the files.
class Files : public testing::Test {
 protected:
  Files() : a_(Place::kElsewhere), b_(Place::kElsewhere) {
    EXPECT_TRUE(a_.join(0));
    EXPECT_TRUE(b_.join(0));
    EXPECT_TRUE(a_.create_publisher("p", "topic"));
    EXPECT_TRUE(b_.create_subscription("s", "topic"));
    EXPECT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  }
  void expect_flow() {
    ASSERT_TRUE(a_.publish("p", 3, 64));
    ASSERT_TRUE(b_.await("s", 3));
  }
  void expect_newcomer() {
    Station newcomer(Place::kElsewhere);
    ASSERT_TRUE(newcomer.join(0));
    ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
    ASSERT_TRUE(newcomer.until_matched("s", 1)) << testing::PrintToString(newcomer.log());
    ASSERT_TRUE(a_.publish("p", 1, 64));
    newcomer.take("s", 9);
    ASSERT_TRUE(b_.await("s", 1));
    EXPECT_EQ(newcomer.finish(), 0);
  }
  std::string elsewhere() const { return folder_.path() + "/elsewhere"; }

  Folder folder_;
  Station a_;
  Station b_;
};

/// Whatever takes the place of a file of a living process, that process puts it right.
class Replaced : public Files, public testing::WithParamInterface<std::tuple<const char *, const char *>> {};

INSTANTIATE_TEST_SUITE_P(, Replaced,
                         testing::Combine(testing::Values("region", "bell", "roster"), testing::ValuesIn(kKinds)),
                         [](const auto & info) {
                           return std::string(std::get<0>(info.param)) + "_by_" + std::get<1>(info.param);
                         });

TEST_P(Replaced, IsPutRight) {
  const auto [what, kind] = GetParam();
  for (const std::string & path : folder_.files(0, what)) {
    ASSERT_EQ(unlink(path.c_str()), 0);
    if (const std::string reason = put(kind, path, elsewhere()); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
  expect_flow();
  expect_newcomer();
  expect_flow();
  if (fs::exists(elsewhere())) {
    std::ifstream stream(elsewhere());
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), std::string(8192, 'x')) << "it is written to";
  }
}

/// What never was a region: ignored with one line, or, if it could be one that has lost its owner, removed by somebody.
class Stray : public Files, public testing::WithParamInterface<const char *> {};

INSTANTIATE_TEST_SUITE_P(, Stray, testing::ValuesIn(kKinds + 1, kKinds + std::size(kKinds)),
                         [](const auto & info) { return std::string(info.param); });

TEST_P(Stray, IsIgnoredWithOneLine) {
  LogCapture log;
  Station reader(Place::kHere);
  ASSERT_TRUE(reader.join(0));
  ASSERT_TRUE(reader.create_subscription("s", "topic"));
  const std::string path = folder_.path() + "/0/0000000000000051.region";
  if (const std::string reason = put(GetParam(), path, elsewhere()); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  EXPECT_TRUE(wait_until([&] { return log.count({path}) == 1 || !is_there(path); }))
      << testing::PrintToString(log.lines());
  expect_newcomer();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(reader.settle());
  }
  EXPECT_LE(log.count({path}), 1) << testing::PrintToString(log.lines());
  expect_flow();
}

// ---- regions that are not as large as they say ---------------------------------------------------------------------

/// A reader in this process, beside an honest publisher and a forged one.
class Forged : public Files {
 protected:
  Forged() : reader_(Place::kHere), forged_({kIncarnation, 0, "topic", {}, 2048, {}}) {
    EXPECT_TRUE(reader_.join(0));
    EXPECT_TRUE(reader_.create_subscription("s", "topic"));
  }
  void connect() {
    ASSERT_TRUE(wait_until([] { return !lanes_to(kIncarnation).empty(); }));
    forged_.acknowledge(Process::instance().incarnation(), lanes_to(kIncarnation).front());
    ASSERT_TRUE(reader_.until_matched("s", 2));
  }
  /// The forged publisher is dropped, with one line; the honest one is heard.
  void expect_dropped(const std::string & why) {
    EXPECT_TRUE(reader_.until_matched("s", 1));
    EXPECT_TRUE(wait_until([&] {
      return log_.count({forged_.path(), why}) == 1;
    })) << testing::PrintToString(log_.lines());
    ASSERT_TRUE(a_.publish("p", 3, 64));
    EXPECT_TRUE(reader_.await("s", 3));
    EXPECT_TRUE(b_.await("s", 3));
    EXPECT_EQ(log_.count({forged_.path()}), 1) << testing::PrintToString(log_.lines());
  }

  LogCapture log_;
  Station reader_;
  ForgedRegion forged_;
};

TEST_F(Forged, RegionThatIsShortenedIsDroppedWithOneLine) {
  connect();
  forged_.resize(0);
  EXPECT_TRUE(reader_.take("s", 1).empty());
  expect_dropped("shortened");
}

TEST_F(Forged, RegionThatIsShortenedUnderAMessageReadsAsZeros) {
  connect();
  forged_.publish(0);
  ASSERT_FALSE(reader_.keep("s", 1).empty());
  forged_.resize(0);
  EXPECT_TRUE(reader_.check_kept(1).says("torn"));  // zeros, not a signal
  expect_dropped("shortened");
  reader_.drop_kept();
}

TEST_F(Forged, RegionWithAHoleOfAnExbibyteIsRead) {
  forged_.resize(std::size_t{1} << 60);
  connect();
  forged_.publish(0);
  EXPECT_FALSE(reader_.take("s", 1).empty());
  forged_.publish(1);
  forged_.slot(1).offset = std::uint64_t{1} << 59;
  EXPECT_TRUE(reader_.take("s", 1).empty());
  expect_dropped("lies outside its region");
}

TEST_F(Forged, MessageBeyondTheFileIsDroppedWithOneLine) {
  forged_.header().reserved_size = kGreatestRegion;
  connect();
  forged_.publish(0);
  forged_.slot(0).offset = std::uint64_t{1} << 30;
  EXPECT_TRUE(reader_.take("s", 1).empty());
  expect_dropped("lies outside its region");
}

TEST_F(Forged, SequenceOfAnotherSlotIsDroppedWithOneLine) {
  connect();
  forged_.slot(0).seq = gone(3);
  EXPECT_TRUE(reader_.take("s", 1).empty());
  expect_dropped("sequence number of another one");
}

TEST(Region, LargerThanThereIsAddressSpaceIsIgnoredWithOneLine) {
  const Folder folder;
  const LogCapture log;
  Station reader(Place::kHere);
  ASSERT_TRUE(reader.join(0));
  ForgedRegion forged({kIncarnation, 0, "topic", {}, 2048, {}});
  forged.header().reserved_size = 2 * kGreatestRegion;
  EXPECT_TRUE(wait_until([&] { return log.count({forged.path()}) == 1; }));
}

TEST(Region, OfAnotherUserIsIgnoredWithOneLine) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "needs root to give a file away";
  }
  const Folder folder;
  const LogCapture log;
  ForgedRegion forged({kIncarnation, 0, "topic", {}, 2048, {}});
  ASSERT_EQ(chown(forged.path().c_str(), 12345, 12345), 0);
  Station reader(Place::kHere);
  ASSERT_TRUE(reader.join(0));
  EXPECT_TRUE(wait_until([&] { return log.count({forged.path(), "belongs to user 12345"}) == 1; }));
}

// ---- hints that lie ------------------------------------------------------------------------------------------------

/// Writes into a file all the time, while it lives.
class Liar {
 public:
  Liar(const std::string & path, const std::string & how)
      : thread_([this, path, how] {
          const File file(open(path.c_str(), O_RDWR | O_CLOEXEC));
          std::mt19937_64 random(1);
          while (!done_) {
            std::uint64_t words[512] = {};
            for (std::uint64_t & word : words) {
              word = how == "random" ? random() : 0;
            }
            const bool wrote = how == "shortened" ? ftruncate(file.get(), static_cast<off_t>(random() % 8)) == 0
                                                  : pwrite(file.get(), words, sizeof words, 0) > 0;
            static_cast<void>(wrote);
            std::this_thread::sleep_for(std::chrono::microseconds(50));  // others want to run
          }
        }) {}
  ~Liar() {
    done_ = true;
    thread_.join();
  }
  Liar(const Liar &) = delete;
  Liar & operator=(const Liar &) = delete;

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

class Hint : public Files, public testing::WithParamInterface<std::tuple<const char *, const char *>> {};

INSTANTIATE_TEST_SUITE_P(
    , Hint, testing::Combine(testing::Values("bell", "roster"), testing::Values("random", "stuck", "shortened")),
    [](const auto & info) { return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param); });

TEST_P(Hint, ThatLiesCostsNoMessage) {
  const auto [what, how] = GetParam();
  ASSERT_TRUE(b_.create_wait_set("w"));
  b_.attach("w", "s");
  std::vector<std::unique_ptr<Liar>> liars;
  for (const std::string & path : folder_.files(0, what)) {
    liars.push_back(std::make_unique<Liar>(path, how));
  }
  for (int i = 0; i < 3; ++i) {
    auto waiting = b_.start<&User::wait>("w", 60s);
    ASSERT_TRUE(a_.publish("p", 1, 64));
    ASSERT_TRUE(waiting.get());
    ASSERT_TRUE(b_.await("s", 1));
  }
  expect_newcomer();
  liars.clear();
  expect_flow();
  expect_newcomer();
}

}  // namespace
}  // namespace tandem::test
