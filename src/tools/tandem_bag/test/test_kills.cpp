// Writers and recorders that are killed before each system call that changes a file of their bag: what is there then can be
// read and is whole, MCAP files end with a record, and nothing is missing that was flushed or written on demand.
//
// TANDEM_KILL_POINTS: how many points of each way, or "all".
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "file_tracer.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"
#include "support.hpp"
#include "tandem/bag/recorder.hpp"

namespace {

using namespace std::chrono_literals;

/// What processes tell each other.
struct Progress {
  std::atomic<int> flushed = 0;    // messages that outlive their writer
  std::atomic<int> published = 0;  // messages
  std::atomic<bool> is_over = false;
};

class Shared {
 public:
  Shared()
      : progress_(new (mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                      Progress()) {}
  ~Shared() { munmap(progress_, sizeof(Progress)); }
  Shared(const Shared &) = delete;
  Shared & operator=(const Shared &) = delete;
  Progress * operator->() const { return progress_; }
  Progress & operator*() const { return *progress_; }

 private:
  Progress * const progress_;
};

struct Way {
  std::string name;
  std::string storage_id;
  std::string profile;
  std::uint64_t max_file_size = 0;
  std::chrono::nanoseconds black_box{0};
};

std::ostream & operator<<(std::ostream & out, const Way & way) { return out << way.name; }

bag::WriterOptions options_of(const Way & way, const fs::path & folder) {
  bag::WriterOptions options;
  options.folder = folder;
  options.storage_id = way.storage_id;
  options.storage = bag::storage_options(way.profile, {});
  options.storage.chunk_size = std::min<std::uint64_t>(options.storage.chunk_size, 16 << 10);
  options.max_file_size = way.max_file_size;
  return options;
}

std::vector<Way> ways() {
  std::vector<Way> all = {{"sqlite3", "sqlite3", ""}, {"sqlite3_split", "sqlite3", "", 100 << 10}};
  if (storages().front() == "mcap") {
    all.insert(all.end(), {{"mcap", "mcap", ""},
                           {"mcap_split", "mcap", "", 100 << 10},
                           {"mcap_zstd", "mcap", "zstd_fast"},
                           {"mcap_without_chunks", "mcap", "fastwrite"}});
  }
  return all;
}

std::vector<Way> recorded_ways() {
  std::vector<Way> all = {{"sqlite3", "sqlite3", ""}};
  if (storages().front() == "mcap") {
    all.insert(all.end(), {{"mcap", "mcap", ""},
                           {"mcap_split", "mcap", "", 200 << 10},
                           {"black_box", "mcap", "", 0, 1min},
                           {"black_box_zstd", "mcap", "zstd_fast", 0, 1min}});
  }
  return all;
}

/// Points of 1 to `count`, in order.
std::vector<int> choose(int count) {
  const char * const wanted = std::getenv("TANDEM_KILL_POINTS");
  std::vector<int> chosen(static_cast<std::size_t>(count));
  std::iota(chosen.begin(), chosen.end(), 1);
  if (wanted == nullptr || std::string(wanted) != "all") {
    const char * const given = std::getenv("BAG_TEST_SEED");
    const unsigned seed = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device()();
    std::cout << "BAG_TEST_SEED=" << seed << " repeats it" << std::endl;
    std::shuffle(chosen.begin(), chosen.end(), std::mt19937(seed));
    chosen.resize(std::min<std::size_t>(chosen.size(), wanted != nullptr ? std::stoul(wanted) : 30));
    std::sort(chosen.begin(), chosen.end());
  }
  std::cout << "figures: killed before " << chosen.size() << " of " << count << " calls" << std::endl;
  return chosen;
}

/// Bytes of a message that tell its number.
std::string body(int number) {
  const std::size_t size = number % 7 == 0 ? 100000 : 3000;
  return std::to_string(number) + " " + std::string(size, static_cast<char>('a' + number % 26));
}

int number_of(const std::string & text) {
  const int number = std::atoi(text.c_str());
  return text == body(number) ? number : -1;
}

constexpr std::size_t kCdrString = 8;  // bytes before its text; one is behind

/// The numbers of a bag's messages; `skip` bytes lie before each body, one behind where there are some.
std::vector<int> numbers_in(const fs::path & folder, std::size_t skip = 0) {
  std::vector<int> numbers;
  bag::Reader reader(folder);
  for (const Stored & one : rest(reader)) {
    numbers.push_back(number_of(one.bytes.substr(skip, one.bytes.size() - skip - (skip != 0 ? 1 : 0))));
  }
  EXPECT_EQ(numbers.size(), reader.metadata().message_count);
  return numbers;
}

/// Whether more was done than to make a file.
bool is_begun(const fs::path & folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return std::any_of(begin(entries), end(entries), [](const fs::directory_entry & entry) {
    const bool is_file = entry.path().extension() == ".mcap" || entry.path().extension() == ".db3";
    return is_file && entry.file_size() != 0;
  });
}

/// Whether the records of the folder's MCAP files fill them to their ends.
bool end_with_records(const fs::path & folder) {
  constexpr std::size_t kMagic = 8;
  for (const auto & entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".mcap" || entry.file_size() == 0) {
      continue;
    }
    const std::string bytes = content(entry.path());
    std::size_t at = kMagic;
    bool has_footer = false;
    while (!has_footer && at + 9 <= bytes.size()) {
      std::uint64_t length = 0;
      std::memcpy(&length, bytes.data() + at + 1, sizeof length);
      has_footer = bytes[at] == 2;
      if (length > bytes.size()) {
        return false;
      }
      at += 9 + length;
    }
    if (at + (has_footer ? kMagic : 0) != bytes.size()) {
      return false;
    }
  }
  return true;
}

/// Their paths.
std::string files_in(const fs::path & folder) {
  std::string paths;
  for (const auto & entry : fs::recursive_directory_iterator(folder)) {
    paths += entry.is_regular_file() ? entry.path().string() + "\n" : "";
  }
  return paths;
}

// ---- the writer ----

constexpr int kMessages = 60;

int write_bag(const bag::WriterOptions & options, Progress & progress) {
  bag::Writer writer(options);
  const std::uint32_t a = writer.add_topic(topic("/a"));
  for (int number = 1; number <= kMessages; ++number) {
    writer.write(message(a, number, body(number)));
    if (number % 20 == 0) {
      writer.flush();
      progress.flushed = number;
    }
    if (number == 30) {
      writer.finish_file();
      progress.flushed = number;
    }
  }
  writer.close();
  return 0;
}

class Kill : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (!FileTracer::is_possible()) {
      GTEST_SKIP() << "a process may not trace its child here";
    }
  }
  Folder folder_;
};
using WriterKill = Kill;
INSTANTIATE_TEST_SUITE_P(All, WriterKill, testing::ValuesIn(ways()), testing::PrintToStringParamName());

TEST_P(WriterKill, LosesNothingThatWasFlushed) {
  const Shared progress;
  const auto work = [&](const fs::path & folder) {
    return [&, folder] { return write_bag(options_of(GetParam(), folder), *progress); };
  };
  int points = 0;
  {
    FileTracer whole(folder_ / "whole", work(folder_ / "whole"));
    while (whole.run(1)) {
      ++points;
    }
    ASSERT_EQ(whole.exit_status(), 0);
    EXPECT_EQ(numbers_in(folder_ / "whole").size(), std::size_t{kMessages});
  }
  ASSERT_GT(points, 15);
  for (const int point : choose(points)) {
    SCOPED_TRACE("killed before call " + std::to_string(point) + " of " + std::to_string(points));
    progress->flushed = 0;
    const fs::path folder = folder_ / std::to_string(point);
    FileTracer writer(folder, work(folder));
    ASSERT_TRUE(writer.run(point));
    writer.kill();
    if (!is_begun(folder)) {
      EXPECT_EQ(progress->flushed, 0);
      continue;
    }
    std::vector<int> all(kMessages);
    std::iota(all.begin(), all.end(), 1);
    const std::vector<int> numbers = numbers_in(folder);
    ASSERT_LE(numbers.size(), all.size());
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), all.begin())) << numbers.size() << " messages";
    EXPECT_GE(static_cast<int>(numbers.size()), progress->flushed);
    EXPECT_TRUE(end_with_records(folder));
    fs::remove_all(folder);
  }
}

// ---- the recorder ----

/// Publishes until it is told to end.
int publish(Progress & progress) {
  rclcpp::init(0, nullptr);
  {
    const auto node = std::make_shared<rclcpp::Node>("robot");
    const auto publisher = node->create_publisher<std_msgs::msg::String>("/a", rclcpp::QoS(100).reliable());
    std_msgs::msg::String message;
    for (int number = 1; !progress.is_over; ++number) {
      message.data = body(number);
      publisher->publish(message);
      progress.published = number;
      std::this_thread::sleep_for(1ms);
    }
  }
  rclcpp::shutdown();
  return 0;
}

/// Records for so many messages; a black box is asked for them twice.
int record(const bag::RecorderOptions & options, Progress & progress) {
  const auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  {
    bag::Recorder recorder(options, context);
    const auto wait = [&](int count) {
      for (const int end = progress.published + count; progress.published < end;) {
        std::this_thread::sleep_for(1ms);
      }
    };
    const bool is_black_box = options.black_box.count() != 0;
    for (int turn = 0; turn < 2; ++turn) {
      wait(60);
      if (is_black_box) {
        const int published = progress.published;
        if (!recorder.take_snapshot()) {
          return 2;
        }
        progress.flushed = published;
      }
    }
    recorder.stop();
    if (recorder.message_count() == 0) {
      return 3;
    }
  }
  context->shutdown("done");
  return 0;
}

class RecorderKill : public Kill {
 protected:
  void SetUp() override {
    Kill::SetUp();
    if (IsSkipped()) {
      return;
    }
    setenv("TANDEM_SHM_DIR", memory_.c_str(), 1);
    setenv("RMW_IMPLEMENTATION", "rmw_tandem_cpp", 1);
    fs::create_directory(memory_);
    robot_ = fork();
    if (robot_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      end_with([this] { return publish(*progress_); });
    }
    ASSERT_TRUE(wait_for_messages(1));
  }
  /// \return false if the robot has ended before.
  bool wait_for_messages(int count) {
    for (const int end = progress_->published + count; progress_->published < end;) {
      if (waitpid(robot_, nullptr, WNOHANG) != 0) {
        robot_ = 0;
        return false;
      }
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  void TearDown() override {
    progress_->is_over = true;
    int status = 0;
    if (robot_ > 0 && waitpid(robot_, &status, 0) == robot_) {
      EXPECT_EQ(status, 0);
    }
    fs::remove_all(memory_);
  }

  std::function<int()> recording(const fs::path & folder) {
    bag::RecorderOptions options;
    options.writer = options_of(GetParam(), folder);
    options.selection.topics = {"/a"};
    options.black_box = GetParam().black_box;
    options.snapshot_mode = options.black_box.count() != 0;
    options.polling_interval = 10ms;
    return [this, options] { return record(options, *progress_); };
  }

  const fs::path memory_ = "/dev/shm/tandem-bag-test-" + std::to_string(getpid());
  const Shared progress_;
  pid_t robot_ = 0;
};
INSTANTIATE_TEST_SUITE_P(All, RecorderKill, testing::ValuesIn(recorded_ways()), testing::PrintToStringParamName());

TEST_P(RecorderKill, LeavesWholeMessagesAndNothingInSharedMemory) {
  int points = 0;
  {
    FileTracer whole(folder_ / "whole", recording(folder_ / "whole"));
    while (whole.run(1)) {
      ++points;
    }
    ASSERT_EQ(whole.exit_status(), 0);
    EXPECT_FALSE(numbers_in(folder_ / "whole", kCdrString).empty());
  }
  ASSERT_GT(points, 5);
  int killed = 0;
  for (const int point : choose(points)) {
    SCOPED_TRACE("killed before call " + std::to_string(point) + " of " + std::to_string(points));
    progress_->flushed = 0;
    const fs::path folder = folder_ / std::to_string(point);
    FileTracer recorder(folder, recording(folder));
    killed += recorder.run(point) ? 1 : 0;  // another time it may make fewer calls
    recorder.kill();
    if (is_begun(folder)) {
      const std::vector<int> numbers = numbers_in(folder, kCdrString);
      EXPECT_EQ(std::count(numbers.begin(), numbers.end(), -1), 0);
      EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()), numbers.end());
      EXPECT_TRUE(end_with_records(folder));
      EXPECT_GE(numbers.empty() ? 0 : numbers.back(), progress_->flushed);
    }
    fs::remove_all(folder);
  }
  EXPECT_GT(killed, 0);
  ASSERT_TRUE(wait_for_messages(10)) << "the robot goes on";
  EXPECT_NE(files_in(memory_), "");
  progress_->is_over = true;
  int status = 0;
  EXPECT_EQ(waitpid(std::exchange(robot_, 0), &status, 0) > 0 ? status : -1, 0);
  EXPECT_EQ(files_in(memory_), "");
}

}  // namespace
