// The table of connections: rows, waiting across processes, files that are none.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support.hpp"
#include "wire/connections.hpp"

namespace tandem::transport {
namespace {

using std::chrono::steady_clock;

constexpr auto kLong = std::chrono::minutes(1);

class Connections : public testing::Test {
 protected:
  std::string path() const { return (folder_ / "table").string(); }

  const SharedMemoryFolder home_;
  const std::filesystem::path & folder_ = home_.path;
  const std::shared_ptr<ConnectionTable> own_ = ConnectionTable::create(path(), "test");
};

TEST_F(Connections, RowsAreTakenFoundAndUsedAgain) {
  const Gid publisher{1};
  const Gid subscription{2};
  const auto theirs = ConnectionTable::open(path());
  ASSERT_NE(theirs, nullptr);
  Connection * const row = own_->take_row();
  ASSERT_NE(row, nullptr);
  row->publisher = publisher;
  row->subscription = subscription;
  EXPECT_EQ(theirs->find(publisher, subscription).row, nullptr) << "it is not connected yet";
  row->status = ConnectionStatus{ConnectionState::kConnected, 7, 0}.word();
  ConnectionTable::Found found = theirs->find(publisher, subscription);
  ASSERT_NE(found.row, nullptr);
  EXPECT_EQ(theirs->find(subscription, publisher).row, nullptr);
  const ConnectionStatus admitted{ConnectionState::kAdmitted, 7, 5};
  EXPECT_TRUE(found.row->status.compare_exchange_strong(found.status, admitted.word()));
  EXPECT_EQ(row->status, admitted.word());
  EXPECT_EQ(theirs->find(publisher, subscription).row, nullptr) << "it is admitted already";
  EXPECT_NE(own_->take_row(), row);
  row->status = ConnectionStatus{ConnectionState::kFree, 7, 0}.word();
  EXPECT_EQ(own_->take_row(), row);
}

TEST_F(Connections, WhoComesLateChangesNothingInARowThatIsUsedAnew) {
  Connection * const row = own_->take_row();
  row->publisher = {1};
  row->subscription = {2};
  row->status = ConnectionStatus{ConnectionState::kConnected, 1, 0}.word();
  ConnectionTable::Found found = own_->find({1}, {2});
  row->status = ConnectionStatus{ConnectionState::kFree, 1, 0}.word();
  row->publisher = {3};
  row->status = ConnectionStatus{ConnectionState::kConnected, 2, 0}.word();
  EXPECT_FALSE(found.row->status.compare_exchange_strong(found.status,
                                                         ConnectionStatus{ConnectionState::kAdmitted, 1, 0}.word()));
  EXPECT_NE(own_->find({3}, {2}).row, nullptr);
}

TEST(ConnectionStatus, IsOneWord) {
  const ConnectionStatus status{ConnectionState::kAdmitted, ConnectionStatus::kGenerations,
                                (std::uint64_t{1} << 48) - 1};
  const ConnectionStatus read = ConnectionStatus::of(status.word());
  EXPECT_EQ(read.state, status.state);
  EXPECT_EQ(read.generation, status.generation);
  EXPECT_EQ(read.first, status.first);
  EXPECT_EQ(ConnectionStatus::of(0).state, ConnectionState::kFree);
}

TEST_F(Connections, AFullTableHasNoRow) {
  for (std::size_t i = 0; i < ConnectionTable::kRows; ++i) {
    Connection * const row = own_->take_row();
    ASSERT_NE(row, nullptr) << i;
    row->status = ConnectionStatus{ConnectionState::kConnected, 1, 0}.word();
  }
  EXPECT_EQ(own_->take_row(), nullptr);
}

TEST_F(Connections, FilesThatAreNoTableAreLeftAlone) {
  EXPECT_EQ(ConnectionTable::open((folder_ / "none").string()), nullptr);
  std::ofstream(folder_ / "short") << "short";
  EXPECT_EQ(ConnectionTable::open((folder_ / "short").string()), nullptr);
  std::ofstream(folder_ / "foreign") << std::string(std::filesystem::file_size(path()), 'x');
  EXPECT_EQ(ConnectionTable::open((folder_ / "foreign").string()), nullptr);
  std::filesystem::create_symlink(path(), folder_ / "link");
  EXPECT_EQ(ConnectionTable::open((folder_ / "link").string()), nullptr);
}

TEST_F(Connections, WhoWaitsForProgressIsWokenByAnotherProcess) {
  constexpr std::uint64_t kRounds = 2000;
  Connection * const row = own_->take_row();
  const pid_t child = fork();
  if (child == 0) {
    const auto theirs = ConnectionTable::open(path());
    for (std::uint64_t round = 1; round <= kRounds; ++round) {
      const auto is_asked = [&] { return row->received == round; };
      if (!theirs->progress().wait(is_asked, steady_clock::now() + kLong)) {
        _exit(1);
      }
      row->taken = round;
      theirs->progress().ring();
    }
    _exit(0);
  }
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    row->received = round;
    own_->progress().ring();
    ASSERT_TRUE(own_->progress().wait([&] { return row->taken == round; }, steady_clock::now() + kLong)) << round;
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(Connections, WaitingEndsWithTheTime) {
  EXPECT_FALSE(own_->progress().wait([] { return false; }, steady_clock::now() + std::chrono::milliseconds(5)));
  EXPECT_TRUE(own_->progress().wait([] { return true; }, steady_clock::now()));
}

TEST_F(Connections, WaitersAnswerToAnyNumber) {
  RingCounter & waiter = own_->waiter(3);
  const std::uint32_t seen = waiter.count();
  std::thread other([this] { own_->waiter(3 + ConnectionTable::kWaiters).ring(RingCounter::Scope::kShared); });
  while (waiter.count() == seen) {
    waiter.sleep(seen, std::chrono::nanoseconds(-1), RingCounter::Scope::kShared);
  }
  other.join();
  EXPECT_EQ(waiter.count(), seen + 1);
}

}  // namespace
}  // namespace tandem::transport
