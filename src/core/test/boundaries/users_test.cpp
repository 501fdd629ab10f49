// Several users on one machine: apart by default, a group where its members ask for it, and what others leave lying.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "guest.hpp"
#include "layout/layout.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;

class Users : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) {
      GTEST_SKIP() << "needs root to be several users";
    }
  }
  void TearDown() override {
    for (const uid_t user : {ann_, bob_, eve_}) {
      remove_all(default_of(user));
    }
  }
  static std::string default_of(uid_t user) { return "/dev/shm/tandem-" + std::to_string(user); }
  /// Ann and Bob are in the group, Eve is not.
  std::vector<std::string> identity(uid_t user, const std::string & umask = "022") const {
    std::vector<std::string> words{std::to_string(user), std::to_string(user), umask};
    if (user != eve_) {
      words.push_back(std::to_string(group_));
    }
    return words;
  }
  void give_to_group(const std::string & path) const {
    ASSERT_EQ(chown(path.c_str(), ann_, group_), 0);
    ASSERT_EQ(chmod(path.c_str(), 0770), 0);
  }

  const uid_t ann_ = some_user(1);
  const uid_t bob_ = some_user(2);
  const uid_t eve_ = some_user(3);
  const gid_t group_ = some_user(4);
  Folder folder_;
};

struct stat status_of(const std::string & path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path << ": " << std::strerror(errno);
  return status;
}

TEST_F(Users, DoNotMeetByDefault) {
  unsetenv("TANDEM_SHM_DIR");
  Station ann("other_user", identity(ann_, "000"));
  Station bob("other_user", identity(bob_, "000"));
  for (Station * user : {&ann, &bob}) {
    ASSERT_TRUE(user->join(0));
    ASSERT_TRUE(user->create_publisher("p", "topic"));
    ASSERT_TRUE(user->create_subscription("s", "topic"));
    ASSERT_TRUE(user->until_matched("s", 1));
  }
  for (Station * user : {&ann, &bob}) {
    ASSERT_TRUE(user->settle());
    EXPECT_EQ(user->graph_size(), (GraphSize{1, 2, 0}));
    EXPECT_TRUE(flows(*user, *user));
    EXPECT_TRUE(user->log().empty());
  }
  for (const uid_t user : {ann_, bob_}) {
    const auto status = status_of(default_of(user));
    EXPECT_EQ(status.st_mode & 07777, 0700U);
    EXPECT_EQ(status.st_uid, user);
  }
  setenv("TANDEM_SHM_DIR", default_of(ann_).c_str(), 1);
  Station intruder("other_user", identity(bob_));
  const Outcome answer = intruder.join(0);
  EXPECT_TRUE(answer.says("belongs to user " + std::to_string(ann_) + " and is not shared")) << answer;
}

TEST_F(Users, OfAGroupShareWhatTheyAskedToShare) {
  give_to_group(folder_.path());
  Station ann("other_user", identity(ann_, "077"));
  Station bob("other_user", identity(bob_, "000"));
  ASSERT_TRUE(ann.join(0));
  ASSERT_TRUE(bob.join(0));
  ASSERT_TRUE(connect(ann, bob, "there"));
  ASSERT_TRUE(connect(bob, ann, "back"));
  EXPECT_TRUE(flows(ann, bob, 20, 100000));
  EXPECT_TRUE(flows(bob, ann, 20, 100000));
  EXPECT_TRUE(ann.log().empty() && bob.log().empty());
  int regions = 0;
  for (const std::string & path : folder_.files(0, "")) {
    const auto status = status_of(path);
    const bool is_region = path.find(".region") != std::string::npos;
    EXPECT_EQ(status.st_mode, S_IFREG | (is_region ? 0640U : 0660U)) << path;
    EXPECT_EQ(status.st_gid, group_) << path;
    // No copies: each has both regions mapped.
    for (const pid_t pid : {ann.child().pid(), bob.child().pid()}) {
      std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
      const std::string all{std::istreambuf_iterator<char>(maps), {}};
      EXPECT_TRUE(is_emulated() || all.find(" " + std::to_string(status.st_ino) + " ") != std::string::npos) << path;
    }
    regions += is_region ? 1 : 0;
  }
  EXPECT_EQ(regions, 2);
  EXPECT_EQ(status_of(folder_.path() + "/0").st_mode, S_IFDIR | 02770U);

  Station eve("other_user", identity(eve_));
  const Outcome answer = eve.join(0);
  EXPECT_TRUE(answer.says("Permission denied, it is shared with group " + std::to_string(group_) + " only")) << answer;
  EXPECT_TRUE(flows(ann, bob));
  ann.child().kill();
  EXPECT_TRUE(bob.until_matched("s", 0));
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 1; }));
}

TEST_F(Users, OfAGroupFindEachOtherAfterTheirFilesWereDeleted) {
  give_to_group(folder_.path());
  Station ann("other_user", identity(ann_, "077"));
  ASSERT_TRUE(ann.join(0));
  remove_all(folder_.path() + "/0");
  Station bob("other_user", identity(bob_, "077"));
  ASSERT_TRUE(bob.join(0));
  ASSERT_TRUE(connect(ann, bob));
  EXPECT_TRUE(flows(ann, bob));
  for (const std::string & path : folder_.files(0, "")) {
    EXPECT_EQ(status_of(path).st_gid, group_) << path;
    EXPECT_EQ(status_of(path).st_mode & 07, 0U) << path;
  }
  ann.child().kill();
  EXPECT_TRUE(bob.until_matched("s", 0));
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 1; }));
}

TEST_F(Users, RootSharesWithAGroupButNotWithAnotherUser) {
  ASSERT_EQ(chown(folder_.path().c_str(), ann_, ann_), 0);
  const Outcome answer = Station(Place::kElsewhere).join(0);
  EXPECT_TRUE(answer.says("belongs to user " + std::to_string(ann_) + " and is not shared")) << answer;
  give_to_group(folder_.path());
  Station root(Place::kElsewhere);
  Station bob("other_user", identity(bob_));
  ASSERT_TRUE(root.join(0));
  ASSERT_TRUE(bob.join(0));
  ASSERT_TRUE(connect(root, bob, "there"));
  ASSERT_TRUE(connect(bob, root, "back"));
  EXPECT_TRUE(flows(root, bob) && flows(bob, root));
}

/// What Bob is told when he joins with his default folder.
Outcome refusal(const std::vector<std::string> & bob) {
  Station guest("other_user", bob);
  const Outcome answer = guest.join(0);
  EXPECT_TRUE(answer.is(JoinError::kNoDirectory)) << answer;
  EXPECT_TRUE(answer.says("TANDEM_SHM_DIR")) << answer;
  EXPECT_EQ(guest.child().finish(), 0);
  return answer;
}

TEST_F(Users, SquattedDefaultFolderIsRefused) {
  unsetenv("TANDEM_SHM_DIR");
  const std::string path = default_of(bob_);
  const struct {
    uid_t owner;
    mode_t mode;
    const char * wanted;
  } cases[] = {{eve_, 0700, "belongs to user"},
               {eve_, 0777, "can be written by everybody"},
               {eve_, 0770, "belongs to user"},
               {bob_, 0777, "can be written by everybody"},
               {bob_, 0500, "cannot be written"}};
  for (const auto & squat : cases) {
    ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
    ASSERT_EQ(chown(path.c_str(), squat.owner, group_), 0);
    ASSERT_EQ(chmod(path.c_str(), squat.mode), 0);
    EXPECT_TRUE(refusal(identity(bob_)).says(squat.wanted)) << squat.owner << " " << squat.mode;
    EXPECT_TRUE(fs::is_empty(path));
    ASSERT_EQ(rmdir(path.c_str()), 0);
  }
  std::ofstream(path) << "x";
  EXPECT_TRUE(refusal(identity(bob_)).says("is not a directory"));
  fs::remove(path);
  ASSERT_EQ(chown(folder_.path().c_str(), bob_, bob_), 0);
  ASSERT_EQ(symlink(folder_.path().c_str(), path.c_str()), 0);
  EXPECT_TRUE(refusal(identity(bob_)).says("is not a directory"));
  fs::remove(path);
}

/// A region's file that is locked, as by a living process.
int locked_region(const std::string & path, uid_t owner, gid_t group, mode_t mode) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EQ(ftruncate(fd, 2 * kHeapOffset), 0);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  EXPECT_EQ(fcntl(fd, F_OFD_SETLK, &lock), 0);
  EXPECT_EQ(fchown(fd, owner, group), 0);
  EXPECT_EQ(fchmod(fd, mode), 0);
  return fd;
}

TEST_F(Users, LeftoversOfOthersHarmNobody) {
  give_to_group(folder_.path());
  const std::string domain = folder_.path() + "/0";
  ASSERT_EQ(mkdir(domain.c_str(), 0700), 0);
  give_to_group(domain);
  const int locked = locked_region(domain + "/00000000000000e1.region", eve_, eve_, 0600);
  const int readable = locked_region(domain + "/00000000000000e2.region", eve_, group_, 0640);
  std::ofstream(domain + "/00000000000000e3.region") << "x";  // nobody's, and cannot be opened
  chmod((domain + "/00000000000000e3.region").c_str(), 0);
  mkfifo((domain + "/00000000000000e4.region").c_str(), 0600);
  mkdir((domain + "/00000000000000e5.region").c_str(), 0);
  std::ofstream(domain + "/00000000000000e2.bell") << "x";
  chmod((domain + "/00000000000000e2.bell").c_str(), 0);
  const int silent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);  // a socket that nobody serves
  sockaddr_un address{AF_UNIX, {}};
  const std::string name = domain + "/00000000000000e6.region";
  std::strncpy(address.sun_path, name.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(silent, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  ASSERT_EQ(listen(silent, 1), 0);
  chmod(name.c_str(), 0666);

  for (const bool is_directory : {false, true}) {
    if (is_directory) {
      mkdir((domain + "/roster").c_str(), 0);
    } else {
      std::ofstream(domain + "/roster") << "x";
      chmod((domain + "/roster").c_str(), 0);
    }
    Station ann("other_user", identity(ann_));
    Station bob("other_user", identity(bob_));
    ASSERT_TRUE(ann.join(0));
    ASSERT_TRUE(bob.join(0));
    ASSERT_TRUE(connect(ann, bob));
    EXPECT_TRUE(flows(ann, bob));
    EXPECT_TRUE(wait_until([&] { return contains(ann.log(), "e1.region is ignored: Permission denied"); }))
        << testing::PrintToString(ann.log());
    EXPECT_EQ(ann.child().finish(), 0);
    EXPECT_EQ(bob.child().finish(), 0);
    fs::remove(domain + "/roster");
  }
  for (const int fd : {locked, readable, silent}) {
    close(fd);
  }
}

TEST_F(Users, HoldingTheFoldersLockForEverBlocksNobody) {
  give_to_group(folder_.path());
  const int held = open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  Station ann("other_user", identity(ann_));
  Station bob("other_user", identity(bob_));
  ASSERT_TRUE(ann.join(0));
  ASSERT_TRUE(bob.join(0));
  ASSERT_TRUE(connect(ann, bob));
  EXPECT_TRUE(flows(ann, bob));
  EXPECT_EQ(ann.child().finish(), 0);
  EXPECT_TRUE(bob.until_matched("s", 0));
  EXPECT_EQ(bob.child().finish(), 0);
  close(held);
}

}  // namespace
}  // namespace tandem::test
