#include "support.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstdlib>
#include <thread>

#include "std_msgs/msg/u_int8_multi_array.hpp"
#include "tandem/message_type.hpp"

extern char ** environ;
extern "C" tandem::transport::Transport * tandem_transport();

namespace cyclonedds_test {
namespace {

constexpr std::size_t kLarge = 4 << 20;

int publish_large(const std::string & topic, int count) {
  using Bytes = std_msgs::msg::UInt8MultiArray;
  const auto context = transport_under_test().create_context(kDomain);
  const auto pub = context->create_publisher(tandem::message_type<Bytes>(), on(topic, keep_last(10)));
  if (!eventually([&] { return pub->subscription_count() == 1; })) {
    return 2;
  }
  Bytes message;
  message.data.resize(kLarge);
  for (int i = 0; i < count; ++i) {
    message.data[0] = static_cast<std::uint8_t>(i);
    message.data[kLarge - 1] = static_cast<std::uint8_t>(i);
    if (pub->publish(&message) != transport::PublishResult::kOk || !pub->wait_for_all_acked(kLimit)) {
      return 3;
    }
  }
  return eventually([&] { return pub->subscription_count() == 0; }) ? 0 : 4;
}

}  // namespace

transport::Transport & transport_under_test() { return *tandem_transport(); }

transport::TopicOptions on(const std::string & topic, const transport::Qos & qos) {
  transport::TopicOptions options;
  options.node = {"/", "cyclonedds_test"};
  options.topic = topic;
  options.qos = qos;
  return options;
}

transport::Qos keep_last(std::uint32_t depth) {
  transport::Qos qos;
  qos.depth = depth;
  return qos;
}

transport::Qos keep_all() {
  transport::Qos qos;
  qos.history = transport::History::kKeepAll;
  return qos;
}

Environment::Environment(const std::map<std::string, std::string> & values) {
  for (const auto & [name, value] : values) {
    const char * before = std::getenv(name.c_str());
    before_[name] = before != nullptr ? before : "";
    value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  }
}
Environment::~Environment() {
  for (const auto & [name, value] : before_) {
    value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  }
}

Peer::Peer(std::vector<std::string> words) {
  words.insert(words.begin(), {"test_cyclonedds", "--role"});
  std::vector<char *> arguments;
  for (std::string & word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  if (posix_spawn(&pid_, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) != 0) {
    ADD_FAILURE() << "no peer could be started";
    pid_ = -1;
  }
}

Peer::~Peer() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

int Peer::wait() {
  int status = -1;
  if (pid_ <= 0 || !eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) {
    return -1;
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int run_role(const std::vector<std::string> & words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no peer survives a test that was killed
  if (words.at(0) == "publish_large") {
    return publish_large(words.at(1), std::stoi(words.at(2)));
  }
  if (words.at(0) == "config") {
    transport_under_test().create_context(kDomain + 1);
    return 0;
  }
  return words.at(0) == "fork" ? run_fork() : 1;
}

}  // namespace cyclonedds_test

int main(int argc, char ** argv) {
  if (argc > 2 && std::string(argv[1]) == "--role") {
    return cyclonedds_test::run_role({argv + 2, argv + argc});
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
