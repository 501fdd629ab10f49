// The tables of the guard and their lock.
#include "memory/guard.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness.hpp"
#include "system/log_later.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kMoreThanFit = 5000;  ///< ranges

/// 'S' while it sleeps, as on a lock that is taken; ' ' once it has ended.
char state_of(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string all;
  std::getline(file, all);
  const auto end = all.rfind(')');
  return end == std::string::npos ? ' ' : all[end + 2];
}

/// Whether somebody who asks for the guard's lock gets it.
bool is_free() {
  auto asked = std::make_shared<std::promise<void>>();
  std::thread([asked] {
    guard::lock();
    guard::unlock();
    asked->set_value();
  }).detach();
  return asked->get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready;
}

// fork(2) takes the log's lock first and the guard's next. A thread that logs while it holds the guard's would stop both.
TEST(Guard, SaysThatItsTablesAreFullWithoutHoldingTheirLock) {
  const LogCapture log;
  std::vector<std::byte> memory(kMoreThanFit);
  std::atomic<bool> broken = false;
  std::atomic<pid_t> watcher = 0;
  lock_log();
  std::thread thread([&] {
    watcher = gettid();
    for (std::byte & byte : memory) {
      guard::watch(&byte, 1, false, &broken);
    }
  });
  // It waits for nothing but the log, for the line that the tables are full.
  EXPECT_TRUE(wait_until([&] { return watcher != 0 && (state_of(watcher) == 'S' || state_of(watcher) == ' '); }));
  EXPECT_TRUE(is_free());
  unlock_log();
  thread.join();
  for (const std::byte & byte : memory) {
    guard::unwatch(&byte);
  }
  flush_later();
  EXPECT_EQ(log.count({"other processes is guarded", "Use fewer processes"}), 1);
}

}  // namespace
}  // namespace tandem::test
