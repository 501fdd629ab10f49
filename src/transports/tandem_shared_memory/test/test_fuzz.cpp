// A reader before writers that publish garbage: random words where its sequences and strings begin and end. It takes
// what can be read, reads all of it, drops the writer at the first message that cannot, and lives on.
//
// test_fuzz                         the reader; it starts the writers
// test_fuzz --writer SEED COUNT     publishes COUNT messages that pass the check, then one that does not
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "tandem/cdr.hpp"
#include "tandem/message_check.hpp"
#include "tandem/participant.hpp"
#include "tandem/plugin.hpp"

extern char ** environ;

namespace {

using Message = diagnostic_msgs::msg::DiagnosticArray;
using Status = diagnostic_msgs::msg::DiagnosticStatus;
using KeyValue = diagnostic_msgs::msg::KeyValue;

const tandem::MessageType & type() { return tandem::message_type<Message>(); }

// ---- the writer: the core alone, which checks nothing that it is not told to check ---------------------------------

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  /// \return the exit status. Nothing is destroyed: destructors would follow the garbage.
  int run(int count) {
    const auto participant = tandem::Participant::join(0);
    // All messages are made before any is published, and none is reclaimed, so that what the reader has checked stays
    // as it was, wherever the messages point.
    std::vector<Message *> messages;
    for (int i = 0; i <= count; ++i) {
      messages.push_back(new Message());
      fill(*messages.back());
    }
    find_region(messages);
    for (Message * message : messages) {
      spoil(*message, message != messages.back());
    }
    tandem::PublisherOptions options;
    options.node = {"/", "writer"};
    options.topic = "/fuzz";
    options.type = {type().name, type().hash, type().abi};
    options.qos.history = tandem::History::kKeepAll;
    options.qos.durability = tandem::Durability::kTransientLocal;
    const auto out = participant->create_publisher(options);
    if (!out) {
      return 3;
    }
    while ((*out)->matched_count() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (Message * message : messages) {
      if (!(*out)->publish_allocation(message, sizeof *message)) {
        return 4;
      }
    }
    std::getchar();  // until the reader has had enough
    std::_Exit(0);
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  /// From the first to the last word of all messages.
  void find_region(const std::vector<Message *> & messages) {
    std::vector<std::uint64_t *> all;
    for (Message * message : messages) {
      const auto words = words_of(*message);
      all.insert(all.end(), words.begin(), words.end());
    }
    const auto [first, last] = std::minmax_element(all.begin(), all.end());
    region_ = *first;
    region_size_ = static_cast<std::size_t>(*last - *first) * sizeof **first;
  }
  bool is_sound(const Message & message) const {
    return tandem::is_well_formed(type(), &message, region_, region_size_);
  }

  void fill(Message & message) {
    message.header.frame_id = std::string(below(50), 'f');
    message.status.resize(below(5));
    for (Status & status : message.status) {
      status.name = std::string(below(100), 'n');
      status.message = std::string(below(30), 'm');
      status.values.resize(below(4));
      for (KeyValue & value : status.values) {
        value.key = std::string(below(20), 'k');
        value.value = std::string(below(20), 'v');
      }
    }
  }

  /// The words of the message and of what it owns; among them all that tells where its parts lie.
  static std::vector<std::uint64_t *> words_of(Message & message) {
    std::vector<std::uint64_t *> words;
    const auto add = [&words](auto & object) {
      static_assert(sizeof object % 8 == 0);
      for (std::size_t i = 0; i < sizeof object / 8; ++i) {
        words.push_back(reinterpret_cast<std::uint64_t *>(&object) + i);
      }
    };
    add(message);
    for (Status & status : message.status) {
      add(status);
      for (KeyValue & value : status.values) {
        add(value);
      }
    }
    return words;
  }

  void scribble(const std::vector<std::uint64_t *> & words) {
    std::uint64_t & word = *words[below(words.size())];
    switch (below(6)) {
      case 0: word = random_(); break;
      case 1: word = *words[below(words.size())]; break;
      case 2: word += below(64) - 32; break;
      case 3: word ^= std::uint64_t{1} << below(64); break;
      case 4: word = 0; break;
      default: word += 8 * (below(4096) - 2048); break;
    }
  }

  /// Changes some words so that the message can be read nevertheless, or cannot, as wanted.
  void spoil(Message & message, bool readable) {
    const auto words = words_of(message);
    std::vector<std::uint64_t> values(words.size());
    const auto each = [&](const auto & function) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        function(*words[i], values[i]);
      }
    };
    each([](std::uint64_t word, std::uint64_t & value) { value = word; });
    const std::uint64_t changes = readable ? 1 + below(6) : ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < changes; ++i) {
      scribble(words);
      if (is_sound(message)) {
        each([](std::uint64_t word, std::uint64_t & value) { value = word; });
      } else if (!readable) {
        return;
      } else {
        each([](std::uint64_t & word, std::uint64_t value) { word = value; });
      }
    }
  }

  std::mt19937_64 random_;
  const std::uint64_t * region_ = nullptr;
  std::size_t region_size_ = 0;
};

// ---- the reader ----------------------------------------------------------------------------------------------------

/// A writer in a process of its own.
class Process {
 public:
  Process(unsigned seed, int count) {
    int input[2];
    if (pipe(input) != 0) {
      std::abort();
    }
    std::string arguments[] = {"test_fuzz", "--writer", std::to_string(seed), std::to_string(count)};
    char * pointers[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), arguments[3].data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    posix_spawn_file_actions_addclose(&actions, input[1]);
    EXPECT_EQ(posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, pointers, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    to_ = input[1];
  }
  ~Process() {
    close(to_);
    int status = 0;
    waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  Process(const Process &) = delete;
  Process & operator=(const Process &) = delete;

 private:
  pid_t pid_ = -1;
  int to_ = -1;
};

/// Reads all of the message in each way that there is. \return something that depends on all of it.
std::size_t read(const Message & message) {
  const Message copy(message);
  const auto cdr = tandem::serialize(type(), &message);
  EXPECT_EQ(cdr, tandem::serialize(type(), &copy));
  std::size_t sum = cdr.size();
  for (const Status & status : message.status) {
    sum += std::strlen(status.name.c_str()) + std::hash<std::string>()(status.message);
    for (const KeyValue & value : status.values) {
      sum += value.key.size() + value.value.length();
    }
  }
  return sum;
}

TEST(Fuzz, ReaderSurvivesWhateverIsInMessages) {
  using namespace tandem::transport;  // NOLINT: the interface under test
  const char * const chosen = std::getenv("TANDEM_TEST_SEED");
  unsigned seed = chosen != nullptr ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : std::random_device()();
  std::printf("seed %u (TANDEM_TEST_SEED repeats it)\n", seed);
  std::fflush(stdout);
  constexpr int kMessages = 2000;  // of each writer
  constexpr std::size_t kEnough = 100'000;
  Qos qos;
  qos.history = History::kKeepAll;
  const auto context = load("rmw_tandem_cpp").create_context(0);
  std::size_t taken = 0;
  std::size_t sum = 0;
  for (int writers = 0; taken < kEnough && writers < 500; ++writers) {
    const auto sub = context->create_subscription(type(), {{"/", "reader"}, "/fuzz", qos});
    const Process writer(seed++, kMessages);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto is_late = [&] { return std::chrono::steady_clock::now() > end; };
    while (sub->publisher_count() == 0 && !is_late()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (int i = 0; i <= kMessages && sub->publisher_count() != 0;) {  // until it is dropped for what it publishes
      ASSERT_FALSE(is_late()) << "after " << i << " messages of the writer of seed " << seed - 1;
      if (const Sample sample = sub->take()) {
        sum += read(*static_cast<const Message *>(sample.message));
        ++taken;
        ++i;
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
  }
  std::printf("%zu messages were taken and read (%zx)\n", taken, sum);
  EXPECT_GE(taken, kEnough);
}

}  // namespace

int main(int argc, char ** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--writer") == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return Writer(static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10))).run(std::atoi(argv[3]));
  }
  std::string folder = "/dev/shm/tandem_fuzz_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return result;
}
