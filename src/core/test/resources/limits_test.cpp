// The limits that an administrator sets: descriptors, address space, locked memory, file sizes, processes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "subject.hpp"
#include "sweep.hpp"

namespace tandem::test {
namespace {

class Limits : public testing::Test {
 protected:
  Limits() : observer_(folder_), subject_(std::make_unique<Station>(Place::kElsewhere)) {}

  /// Lives on once the limit is no more.
  void expect_life_without(int resource) {
    const auto said = live_through(*subject_, observer_, [&] { EXPECT_TRUE(subject_->call<unlimit>(resource)); });
    ASSERT_FALSE(said.empty());
    for (const std::string & text : said) {
      EXPECT_TRUE(names_a_remedy(text)) << text;
    }
    std::cout << said[0] << std::endl;
  }

  Folder folder_;
  Observer observer_;
  std::unique_ptr<Station> subject_;
};

TEST_F(Limits, OfDescriptorsAtEveryNumber) {
  const std::size_t before = subject_->call<descriptors>();
  std::size_t refusals = 0;
  // Two for its own region, one for each process that it knows, and one more while it looks.
  const std::size_t step = is_emulated() || TANDEM_SANITIZED ? 3 : 1;
  for (std::size_t more = 0; more < 8; more += step) {
    SCOPED_TRACE(std::to_string(more) + " descriptors");
    ASSERT_TRUE(subject_->call<limit>(RLIMIT_NOFILE, before + more));
    const auto said = live_through(*subject_, observer_, [&] { subject_->call<unlimit>(RLIMIT_NOFILE); });
    for (const std::string & text : said) {
      EXPECT_NE(text.find("ulimit -n"), std::string::npos) << text;
    }
    refusals += said.size();
    ASSERT_FALSE(HasFailure());
    subject_ = std::make_unique<Station>(Place::kElsewhere);
  }
  EXPECT_GE(refusals, 2U);
}

/// More processes than there are descriptors: those that are known go on, the others are met once there are more.
TEST_F(Limits, OfDescriptorsAmongManyProcesses) {
  ASSERT_TRUE(subject_->join(0));
  ASSERT_TRUE(subject_->create_subscription("s", "crowd"));
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_NOFILE, subject_->call<descriptors>() + 4));
  std::vector<std::unique_ptr<Station>> crowd;
  for (int i = 0; i < 8; ++i) {
    crowd.push_back(std::make_unique<Station>(Place::kElsewhere));
    ASSERT_TRUE(crowd.back()->join(0));
    ASSERT_TRUE(crowd.back()->create_publisher("p", "crowd"));
  }
  EXPECT_TRUE(wait_until([&] { return contains(subject_->log(), "ulimit -n"); }));
  EXPECT_TRUE(wait_until([&] { return subject_->matched("s") >= 1; }));
  EXPECT_LT(subject_->matched("s"), 8U);
  for (const auto & process : crowd) {
    EXPECT_TRUE(process->publish("p", 2, 1000));
  }
  EXPECT_FALSE(subject_->take("s", 2).empty());
  ASSERT_TRUE(subject_->call<unlimit>(RLIMIT_NOFILE));
  EXPECT_TRUE(subject_->until_matched("s", 8));
  observer_.check();
}

TEST_F(Limits, OfFileSizesAreNoSignal) {
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_FSIZE, 100000));
  expect_life_without(RLIMIT_FSIZE);
}

TEST_F(Limits, OfFileSizesWhileRunning) {
  ASSERT_TRUE(subject_->join(0));
  ASSERT_TRUE(subject_->create_publisher("p", "topic", {.loans = 100}));
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_FSIZE, 8000000));
  EXPECT_LE(subject_->borrow("p", 100, 1000000), 8U);
  subject_->drop_loans();
  EXPECT_TRUE(wait_until([&] { return contains(subject_->log(), "ulimit -f"); }));
  ASSERT_TRUE(subject_->call<unlimit>(RLIMIT_FSIZE));
  EXPECT_EQ(subject_->borrow("p", 100, 1000000), 100U);
}

TEST_F(Limits, OfAddressSpaceShrinkTheRegionThenRefuse) {
  if (TANDEM_SANITIZED || is_emulated()) {
    GTEST_SKIP() << "sanitizers and the emulator need all address space";
  }
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_AS, 1000000000));  // less than a region takes by default
  ASSERT_TRUE(subject_->join(0));
  EXPECT_LT(subject_->call<reserved>(), 1000000000U);
  ASSERT_TRUE(subject_->create_publisher("p", "topic"));
  EXPECT_TRUE(subject_->publish("p", 3, 100000));
  observer_.check();
  subject_ = std::make_unique<Station>(Place::kElsewhere);
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_AS, 30000000));  // not even the least
  expect_life_without(RLIMIT_AS);
}

TEST_F(Limits, OfLockedMemory) {
  if (TANDEM_SANITIZED || is_emulated() || !subject_->call<lock_all_memory>()) {
    GTEST_SKIP() << "mlockall is not possible here";
  }
  if (!subject_->call<limit>(RLIMIT_MEMLOCK, 200000000)) {
    GTEST_SKIP() << "needs root, to raise the limit of locked memory";
  }
  ASSERT_TRUE(subject_->call<forget_rights>());
  ASSERT_TRUE(subject_->join(0));
  EXPECT_LT(subject_->call<reserved>(), 200000000U);
  ASSERT_TRUE(subject_->create_publisher("p", "topic"));
  EXPECT_TRUE(subject_->publish("p", 3, 100000));
}

TEST_F(Limits, OfLockedMemoryTooLow) {
  ASSERT_TRUE(subject_->call<forget_rights>());
  if (TANDEM_SANITIZED || is_emulated()) {
    GTEST_SKIP() << "mlockall is not possible here";
  }
  if (!subject_->call<lock_all_memory>()) {
    GTEST_SKIP() << "needs a limit of locked memory that a process fits into";
  }
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_MEMLOCK, 1000000));
  const Outcome joined = subject_->join(0);
  EXPECT_TRUE(joined.is(JoinError::kNoMemory)) << joined;
  EXPECT_TRUE(joined.says("ulimit -l")) << joined;
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
  subject_ = std::make_unique<Station>(Place::kElsewhere);
  ASSERT_TRUE(subject_->call<become>(kUser));
  ASSERT_TRUE(subject_->call<limit>(RLIMIT_NPROC, 1));
  const Outcome joined = subject_->join(0);
  EXPECT_TRUE(joined.is(JoinError::kNoMemory)) << joined;
  EXPECT_TRUE(joined.says("ulimit -u")) << joined;
  EXPECT_TRUE(folder_.files(0, ".region").size() == 1);
  ASSERT_TRUE(subject_->call<unlimit>(RLIMIT_NPROC));
  EXPECT_TRUE(subject_->join(0));
  EXPECT_EQ(subject_->finish(), 0);
  setenv("TANDEM_SHM_DIR", folder_.path().c_str(), 1);
}

}  // namespace
}  // namespace tandem::test
