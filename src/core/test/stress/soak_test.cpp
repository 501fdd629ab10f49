// As many messages as the time allows, between processes that stay, endpoints that come and go in one that stays, and
// processes that come and go: nothing may grow. TANDEM_SOAK_MESSAGES: how many, 1e6 by default.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>

#include "harness.hpp"
#include "shared_counters.hpp"
#include "soak.hpp"

namespace tandem::test {
namespace {

// What may be added after the first tenth, or the first seconds.
constexpr std::uint64_t kPrivateMargin = 1024;  ///< KiB of a process's own memory
constexpr std::uint64_t kRssMargin = 16384;     ///< KiB of a process's memory, shared included
constexpr std::uint64_t kSharedMargin =
    32768;  ///< KiB of all files at a peak, which depends on how short-lived endpoints overlap
constexpr std::uint64_t kLeastMargin = 4096;  ///< the same of what is always there
constexpr std::uint64_t kLooks = 50;          ///< that tell what is always there
constexpr std::chrono::milliseconds kLookInterval{20};
constexpr std::uint64_t kFirstLooks = 50;       ///< 1 s at least: on a busy machine some processes begin late
constexpr std::uint64_t kFileMargin = 4;        ///< files in the domain's folder
constexpr std::uint64_t kDescriptorMargin = 8;  ///< of a process

/// KiB of a line of /proc/<pid>/status.
std::uint64_t status_of(pid_t process, const std::string & name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name, 0) == 0) {
      return std::stoull(line.substr(name.size()));
    }
  }
  return 0;
}

std::uint64_t count_entries(const std::string & folder) {
  std::error_code error;
  std::uint64_t count = 0;
  for (const auto & entry : std::filesystem::directory_iterator(folder, error)) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

/// The most of each that was seen. Of processes: the sum over those that stay.
struct Usage {
  std::uint64_t own = 0;
  std::uint64_t rss = 0;
  std::uint64_t shared = 0;
  std::uint64_t files = 0;
  std::uint64_t descriptors = 0;

  void raise_to(const Usage & other) {
    own = std::max(own, other.own);
    rss = std::max(rss, other.rss);
    shared = std::max(shared, other.shared);
    files = std::max(files, other.files);
    descriptors = std::max(descriptors, other.descriptors);
  }
  std::string text() const {
    std::ostringstream out;
    out << "own memory " << own << " KiB, RSS " << rss << " KiB, shared memory " << shared << " KiB, " << files
        << " files, " << descriptors << " descriptors";
    return out.str();
  }
};

/// KiB of the files in the folder of domain 0.
std::uint64_t committed(const Folder & folder) {
  std::uint64_t blocks = 0;
  for (const std::string & file : folder.files(0, "")) {
    struct stat status {};
    blocks += stat(file.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) : 0;
  }
  return blocks / 2;
}

/// What of shared memory is always there, however short-lived endpoints come and go.
struct Least {
  std::uint64_t shared = std::numeric_limits<std::uint64_t>::max();  ///< KiB
  std::uint64_t looks = 0;

  void lower_to(std::uint64_t other) {
    shared = std::min(shared, other);
    ++looks;
  }
};

class Soak {
 public:
  Soak(const Folder & folder, std::uint64_t messages)
      : folder_(folder), messages_(messages), path_(folder.path() + "/counters"), counters_(map_counters(path_)) {
    stay("soak_writer", {"all", "runs"});
    stay("soak_writer", {"last", "yields"});
    stay("soak_reader", {"waits"});
    stay("soak_reader", {"yields"});
    stay("soak_churn", {"0"});
    start_churn();
  }

  void run() {
    Watchdog watchdog(
        "soak", [this] { return counters_.text(); }, 120);
    while (taken() < messages_ || churns_ < 20 || looks_ < 3 * kFirstLooks) {
      const std::uint64_t before = taken();
      wait_until([&] { return taken() > before; }, 1);
      look();
      if (taken() != before) {
        watchdog.beat();
      }
    }
    counters_.stop = true;
    for (const auto & child : staying_) {
      EXPECT_EQ(child->finish(), 0);
    }
    churn_->finish();
    std::cout << "figures: " << counters_.text() << ", " << churns_ << " churns" << std::endl;
    EXPECT_EQ(counters_.faults(), 0U);
  }

  /// Seen from the second tenth to the fourth, and in the last three.
  const Least & first_least() const { return first_least_; }
  const Least & last_least() const { return last_least_; }
  /// The most that was seen in the first tenth, and after it.
  const Usage & first() const { return first_; }
  const Usage & rest() const { return rest_; }
  std::uint64_t staying() const { return staying_.size(); }

 private:
  std::uint64_t taken() const { return counters_.sum(&WorkerCounters::taken); }
  std::vector<std::string> arguments(std::vector<std::string> own) {
    own.insert(own.begin(), {path_, std::to_string(seats_++)});
    return own;
  }
  void stay(const std::string & role, const std::vector<std::string> & own) {
    staying_.push_back(std::make_unique<Child>(role, arguments(own)));
  }
  void start_churn() {
    seats_ = staying_.size();
    churn_ = std::make_unique<Child>("soak_churn", arguments({"3"}));
  }

  void look() {
    if (kill(churn_->pid(), 0) == 0 && has_ended(*churn_)) {
      EXPECT_EQ(churn_->finish(), 0);
      ++churns_;
      start_churn();
    }
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) {
      return;
    }
    next_look_ = now + kLookInterval;
    Usage usage{0, 0, committed(folder_), count_entries(folder_.path() + "/0"), 0};
    for (const auto & child : staying_) {
      usage.own += status_of(child->pid(), "RssAnon:");
      usage.rss += status_of(child->pid(), "VmRSS:");
      usage.descriptors += count_entries("/proc/" + std::to_string(child->pid()) + "/fd");
    }
    const bool is_early = taken() < messages_ / 10 || churns_ < 4 || looks_ < kFirstLooks;
    ++looks_;
    (is_early ? first_ : rest_).raise_to(usage);
    const std::uint64_t tenth = 10 * taken() / messages_;
    if (tenth >= 7) {
      last_least_.lower_to(usage.shared);
    } else if (!is_early && tenth < 4) {
      first_least_.lower_to(usage.shared);
    }
    if (now >= next_report_) {
      next_report_ = now + std::chrono::seconds(10);
      std::cout << "done " << taken() << "/" << messages_ << ": " << churns_ << " churns, " << usage.text()
                << std::endl;
    }
  }
  static bool has_ended(const Child & child) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  }

  const Folder & folder_;
  const std::uint64_t messages_;
  const std::string path_;
  SharedCounters & counters_;
  std::vector<std::unique_ptr<Child>> staying_;
  std::unique_ptr<Child> churn_;
  std::size_t seats_ = 0;
  std::uint64_t churns_ = 0;
  std::uint64_t looks_ = 0;
  Usage first_;
  Usage rest_;
  Least first_least_;
  Least last_least_;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_report_ = next_look_;
};

TEST(Soak, NothingGrows) {
  const Folder folder;
  const char * const text = std::getenv("TANDEM_SOAK_MESSAGES");
  Soak soak(folder, static_cast<std::uint64_t>((text != nullptr ? std::strtod(text, nullptr) : 5e6 * scale())));
  soak.run();
  const Usage & first = soak.first();
  const Usage & rest = soak.rest();
  std::cout << "figures: at most in the first tenth: " << first.text() << "; after it: " << rest.text() << std::endl;
  std::cout << "figures: shared memory at least " << soak.first_least().shared << " KiB, later "
            << soak.last_least().shared << " KiB" << std::endl;
  EXPECT_LE(rest.shared, first.shared + kSharedMargin);
  if (std::min(soak.first_least().looks, soak.last_least().looks) >= kLooks) {
    EXPECT_LE(soak.last_least().shared, soak.first_least().shared + kLeastMargin);
  }
  EXPECT_LE(rest.files, first.files + kFileMargin);
  if (is_emulated()) {
    std::cout << "the emulator's own memory and descriptors are not checked" << std::endl;
    return;
  }
  EXPECT_LE(rest.descriptors, first.descriptors + kDescriptorMargin * soak.staying());
  if (TANDEM_SANITIZED) {
    std::cout << "the sanitizer's own memory is not checked" << std::endl;
    return;
  }
  EXPECT_LE(rest.own, first.own + kPrivateMargin * soak.staying());
  EXPECT_LE(rest.rss, first.rss + kRssMargin * soak.staying());
}

Role roles(const std::string & name) {
  if (name == "soak_writer") {
    return soak_writer;
  }
  if (name == "soak_reader") {
    return soak_reader;
  }
  return name == "soak_churn" ? Role(soak_churn) : Role();
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
