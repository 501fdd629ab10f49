// The limits that an administrator sets: descriptors, address space, locked memory, file sizes, processes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "sweep.hpp"

namespace tandem::test {
namespace {

class Limits : public testing::Test {
 protected:
  Limits() : observer_(folder_), subject_(std::make_unique<Child>("subject")) {}

  std::string ask(const std::string & line) { return subject_->ask(line); }
  bool until(const std::string & line, const std::string & wanted) {
    return wait_until([&] { return ask(line) == wanted; });
  }
  /// Lives on once the limit is no more.
  void expect_life_without(const std::string & limit) {
    const auto said = live_through(*subject_, observer_, [&] { EXPECT_EQ(ask("unlimit " + limit), "ok"); });
    ASSERT_FALSE(said.empty());
    for (const std::string & text : said) {
      EXPECT_TRUE(names_a_remedy(text)) << text;
    }
    std::cout << said[0] << std::endl;
  }

  Folder folder_;
  Observer observer_;
  std::unique_ptr<Child> subject_;
};

TEST_F(Limits, OfDescriptorsAtEveryNumber) {
  const std::size_t before = std::stoul(ask("fds"));
  std::size_t refusals = 0;
  // Two for its own region, one for each process that it knows, and one more while it looks.
  const std::size_t step = is_emulated() || TANDEM_SANITIZED ? 3 : 1;
  for (std::size_t more = 0; more < 8; more += step) {
    SCOPED_TRACE(std::to_string(more) + " descriptors");
    ASSERT_EQ(ask("limit nofile " + std::to_string(before + more)), "ok");
    const auto said = live_through(*subject_, observer_, [&] { ask("unlimit nofile"); });
    for (const std::string & text : said) {
      EXPECT_NE(text.find("ulimit -n"), std::string::npos) << text;
    }
    refusals += said.size();
    ASSERT_FALSE(HasFailure());
    subject_ = std::make_unique<Child>("subject");
  }
  EXPECT_GE(refusals, 2U);
}

/// More processes than there are descriptors: those that are known go on, the others are met once there are more.
TEST_F(Limits, OfDescriptorsAmongManyProcesses) {
  ASSERT_EQ(ask("join 0"), "ok");
  ASSERT_EQ(ask("sub s crowd"), "ok");
  ASSERT_EQ(ask("limit nofile " + std::to_string(std::stoul(ask("fds")) + 4)), "ok");
  std::vector<std::unique_ptr<Child>> crowd;
  for (int i = 0; i < 8; ++i) {
    crowd.push_back(std::make_unique<Child>("subject"));
    ASSERT_EQ(crowd.back()->ask("join 0"), "ok");
    ASSERT_EQ(crowd.back()->ask("pub p crowd"), "ok");
  }
  std::string log;
  EXPECT_TRUE(wait_until([&] { return (log += ask("log")).find("ulimit -n") != std::string::npos; })) << log;
  EXPECT_TRUE(wait_until([&] { return std::stoi(ask("matched s")) >= 1; }));
  const int matched = std::stoi(ask("matched s"));
  EXPECT_LT(matched, 8);
  for (const auto & child : crowd) {
    EXPECT_EQ(child->ask("publish p 2 1000"), "ok");
  }
  EXPECT_NE(ask("take s 2"), "nothing");
  ASSERT_EQ(ask("unlimit nofile"), "ok");
  EXPECT_TRUE(until("matched s", "8"));
  observer_.check();
}

TEST_F(Limits, OfFileSizesAreNoSignal) {
  ASSERT_EQ(ask("limit fsize 100000"), "ok");
  expect_life_without("fsize");
}

TEST_F(Limits, OfFileSizesWhileRunning) {
  ASSERT_EQ(ask("join 0"), "ok");
  ASSERT_EQ(ask("pub p topic loans=100"), "ok");
  ASSERT_EQ(ask("limit fsize 8000000"), "ok");
  EXPECT_LE(std::stoi(ask("borrow p 100 1000000")), 8);
  EXPECT_EQ(ask("drop_loans"), "ok");
  std::string log;
  EXPECT_TRUE(wait_until([&] { return (log += ask("log")).find("ulimit -f") != std::string::npos; })) << log;
  ASSERT_EQ(ask("unlimit fsize"), "ok");
  EXPECT_EQ(ask("borrow p 100 1000000"), "100");
}

TEST_F(Limits, OfAddressSpaceShrinkTheRegionThenRefuse) {
  if (TANDEM_SANITIZED || is_emulated()) {
    GTEST_SKIP() << "sanitizers and the emulator need all address space";
  }
  ASSERT_EQ(ask("limit as 1000000000"), "ok");  // less than a region takes by default
  ASSERT_EQ(ask("join 0"), "ok");
  EXPECT_LT(std::stoull(ask("reserved")), 1000000000U);
  ASSERT_EQ(ask("pub p topic"), "ok");
  EXPECT_EQ(ask("publish p 3 100000"), "ok");
  observer_.check();
  subject_ = std::make_unique<Child>("subject");
  ASSERT_EQ(ask("limit as 30000000"), "ok");  // not even the least
  expect_life_without("as");
}

TEST_F(Limits, OfLockedMemory) {
  if (TANDEM_SANITIZED || is_emulated() || ask("mlockall") != "ok") {
    GTEST_SKIP() << "mlockall is not possible here";
  }
  if (ask("limit memlock 200000000") != "ok") {
    GTEST_SKIP() << "needs root, to raise the limit of locked memory";
  }
  ASSERT_EQ(ask("forget_rights"), "ok");
  ASSERT_EQ(ask("join 0"), "ok");
  EXPECT_LT(std::stoull(ask("reserved")), 200000000U);
  ASSERT_EQ(ask("pub p topic"), "ok");
  EXPECT_EQ(ask("publish p 3 100000"), "ok");
}

TEST_F(Limits, OfLockedMemoryTooLow) {
  ASSERT_EQ(ask("forget_rights"), "ok");
  if (TANDEM_SANITIZED || is_emulated()) {
    GTEST_SKIP() << "mlockall is not possible here";
  }
  if (ask("mlockall") != "ok") {
    GTEST_SKIP() << "needs a limit of locked memory that a process fits into";
  }
  ASSERT_EQ(ask("limit memlock 1000000"), "ok");
  const std::string answer = ask("join 0");
  EXPECT_EQ(answer.rfind("error 2", 0), 0U) << answer;
  EXPECT_NE(answer.find("ulimit -l"), std::string::npos) << answer;
}

TEST_F(Limits, OfProcesses) {
  if (geteuid() != 0 || TANDEM_SANITIZED || is_emulated()) {
    GTEST_SKIP() << "needs root, to become a user who has no other process";
  }
  constexpr unsigned kUser = 54321;
  const std::string root = folder_.path() + "/other";
  mkdir(root.c_str(), 0700);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0711), 0);
  ASSERT_EQ(chown(root.c_str(), kUser, kUser), 0);
  setenv("TANDEM_SHM_DIR", root.c_str(), 1);
  subject_ = std::make_unique<Child>("subject");
  ASSERT_EQ(ask("become " + std::to_string(kUser)), "ok");
  ASSERT_EQ(ask("limit nproc 1"), "ok");
  const std::string answer = ask("join 0");
  EXPECT_EQ(answer.rfind("error 2", 0), 0U) << answer;
  EXPECT_NE(answer.find("ulimit -u"), std::string::npos) << answer;
  EXPECT_TRUE(folder_.files(0, ".region").size() == 1);
  ASSERT_EQ(ask("unlimit nproc"), "ok");
  EXPECT_EQ(ask("join 0"), "ok");
  EXPECT_EQ(subject_->finish(), 0);
  setenv("TANDEM_SHM_DIR", folder_.path().c_str(), 1);
}

}  // namespace
}  // namespace tandem::test
