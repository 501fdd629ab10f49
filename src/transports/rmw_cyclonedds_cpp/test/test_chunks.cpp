// With iceoryx: messages that lie in shared memory, and those that cannot. RouDi has fixed names on a machine, so these
// tests run in a mount namespace of their own, with a /dev/shm and a /tmp of their own, in a process of their own.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>

#include "shared_memory.hpp"
#include "std_msgs/msg/u_int64.hpp"
#include "support.hpp"
#include "tandem/message_type.hpp"

extern char ** environ;

namespace cyclonedds_test {
namespace {

namespace fs = std::filesystem;
using Number = std_msgs::msg::UInt64;
using transport::PublishResult;
using transport::Sample;

constexpr int kCannot = 77;  ///< this machine has no RouDi, or no namespaces for us

/// A new /tmp in which the old one's folders, and not its files, are seen: this program may lie in one of them.
bool cover_tmp() {
  const int old = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (old < 0 || mount("tmpfs", "/tmp", "tmpfs", 0, nullptr) != 0) {
    return false;
  }
  const fs::path before = "/proc/self/fd/" + std::to_string(old);
  for (const auto & entry : fs::directory_iterator(before / "")) {
    const fs::path now = "/tmp" / entry.path().filename();
    if (entry.is_directory() && mkdir(now.c_str(), 0700) == 0) {
      mount(entry.path().c_str(), now.c_str(), nullptr, MS_BIND | MS_REC, nullptr);
    }
  }
  close(old);
  return true;
}

bool is_apart() {
  if (unshare(CLONE_NEWNS) != 0) {
    std::cout << "SKIPPED: no mount namespace of its own (" << std::strerror(errno) << "): iceoryx is not tested\n";
    return false;
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", "/dev/shm", "tmpfs", 0, nullptr) == 0 && cover_tmp();
}

class Roudi {
 public:
  Roudi() {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    // It ends with us, even if we are killed.
    const char * arguments[] = {"setpriv", "--pdeathsig", "KILL", "iox-roudi", nullptr};
    if (posix_spawnp(&pid_, arguments[0], &actions, nullptr, const_cast<char **>(arguments), environ) != 0) {
      pid_ = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Roudi() { stop(); }
  bool runs() {
    const auto has_ended = [this] { return pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == pid_; };
    eventually([&] {
      pid_ = has_ended() ? -1 : pid_;
      return pid_ <= 0 || rmw_cyclonedds::roudi_runs();
    });
    return pid_ > 0 && rmw_cyclonedds::roudi_runs();
  }
  void stop() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
      pid_ = -1;
    }
  }

 private:
  pid_t pid_ = -1;
};

/// Failures of this process, which is no test of its own.
int failures = 0;
#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << #condition << '\n'; \
      ++failures;                                                             \
    }                                                                         \
  } while (false)

const tandem::MessageType & type() { return tandem::message_type<Number>(); }

bool publish(transport::Publisher & pub, std::uint64_t value) {
  Number message;
  message.data = value;
  return pub.publish(&message) == PublishResult::kOk;
}

Sample take_one(transport::Subscription & sub) {
  Sample sample;
  CHECK(eventually([&] { return static_cast<bool>(sample = sub.take()); }));
  return sample;
}

void loans_are_seen_where_they_were_written(transport::Context & context) {
  const auto pub = context.create_publisher(type(), on("/loans", keep_last(10)));
  auto sub = context.create_subscription(type(), on("/loans", keep_last(10)));
  CHECK(pub->can_loan());
  CHECK(eventually([&] { return pub->subscription_count() == 1 && sub->publisher_count() == 1; }));
  std::vector<Sample> kept;
  for (std::uint64_t value = 0; value < 20; ++value) {
    auto loan = pub->borrow();
    CHECK(loan != nullptr);
    if (!loan) {
      return;
    }
    static_cast<Number *>(loan->message())->data = value;
    CHECK(pub->publish(std::move(loan)) == PublishResult::kOk);
    kept.push_back(take_one(*sub));
    CHECK(kept.back() && static_cast<const Number *>(kept.back().message)->data == value);
    CHECK(kept.back().info.sequence == value && kept.back().info.publisher == pub->gid());
  }
  CHECK(pub->copied() == 0);
  CHECK(sub->copied() == 12);  // beyond the quota of 8
  sub.reset();
  CHECK(eventually([&] { return pub->subscription_count() == 0; }));  // although messages are kept
  for (std::uint64_t value = 0; value < kept.size(); ++value) {
    CHECK(static_cast<const Number *>(kept[value].message)->data == value);
  }
}

void other_processes_get_messages_of_either_kind(transport::Context & context) {
  for (const transport::Qos & qos : {keep_last(100), keep_all()}) {
    const bool lends = qos.history == transport::History::kKeepLast;
    const std::string topic = lends ? "/lent" : "/sent";
    const auto pub = context.create_publisher(type(), on(topic, qos));
    CHECK(pub->can_loan() == lends);
    Peer peer({"take", topic, "50"});
    CHECK(eventually([&] { return pub->subscription_count() == 1; }));
    for (std::uint64_t value = 0; value < 50; ++value) {
      CHECK(publish(*pub, value));
    }
    CHECK(peer.wait() == 0);
  }
}

void goes_on_without_roudi(transport::Context & context) {
  const auto pub = context.create_publisher(type(), on("/after", keep_last(10)));
  const auto sub = context.create_subscription(type(), on("/after", keep_last(10)));
  CHECK(!pub->can_loan());
  CHECK(eventually([&] { return pub->subscription_count() == 1 && sub->publisher_count() == 1; }));
  CHECK(publish(*pub, 1));
  CHECK(take_one(*sub));
}

TEST(Chunks, WithRoudi) {
  const Environment untuned({{"TANDEM_TRANSPORT_TUNING", ""}, {"CYCLONEDDS_URI", ""}});
  Peer peer({"chunks"});
  const int status = peer.wait();
  if (status == kCannot) {
    GTEST_SKIP() << "iceoryx is not tested: see above";
  }
  EXPECT_EQ(status, 0);
}

}  // namespace

int run_chunks() {
  if (!is_apart()) {
    return kCannot;
  }
  Roudi roudi;
  if (!roudi.runs()) {
    std::cout << "SKIPPED: iox-roudi does not start (Debian: iceoryx): iceoryx is not tested\n";
    return kCannot;
  }
  {
    const auto context = transport_under_test().create_context(kDomain + 2);
    const auto peers_context = transport_under_test().create_context(kDomain);
    loans_are_seen_where_they_were_written(*context);
    other_processes_get_messages_of_either_kind(*peers_context);
    roudi.stop();
    goes_on_without_roudi(*context);
  }
  // Without its daemon, iceoryx ends a process badly; that is not what is tested.
  std::cout.flush();
  _exit(failures == 0 ? 0 : 1);
}

}  // namespace cyclonedds_test
