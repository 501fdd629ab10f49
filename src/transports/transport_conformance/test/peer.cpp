#include "peer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <optional>

#include "conformance.hpp"
#include "services.hpp"

extern char ** environ;

namespace conformance {

Peer::Peer(std::vector<std::string> role_and_arguments) {
  int input[2];
  int output[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
    ADD_FAILURE() << "no pipe for a peer";
    return;
  }
  std::vector<std::string> words = {"conformance", "--transport", transport_under_test().name(), "--peer"};
  words.insert(words.end(), role_and_arguments.begin(), role_and_arguments.end());
  std::vector<char *> arguments;
  for (std::string & word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  if (posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ) != 0) {
    ADD_FAILURE() << "no peer could be started";
    pid_ = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  to_ = input[1];
  from_ = output[0];
}

Peer::~Peer() {
  kill();
  close(from_);
}

bool Peer::says(const std::string & line) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (const auto at = heard_.find(line + "\n"); at != std::string::npos) {
      heard_.erase(0, at + line.size() + 1);
      return true;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd readable{from_, POLLIN, 0};
    char part[256];
    ssize_t size = 0;
    if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0 ||
        (size = read(from_, part, sizeof part)) <= 0) {
      return false;
    }
    heard_.append(part, static_cast<std::size_t>(size));
  }
}

void Peer::kill() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  if (to_ >= 0) {
    close(to_);
    to_ = -1;
  }
}

int Peer::finish() {
  close(to_);
  to_ = -1;
  int status = -1;
  if (!eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) {
    return -1;
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

namespace {

void say(const char * line) {
  std::puts(line);
  std::fflush(stdout);
}

/// Becomes true, and wakes the wait-set, when the standard input closes.
class End {
 public:
  explicit End(std::shared_ptr<WaitSet> set)
      : set_(std::move(set)), thread_([this] {
          char byte = 0;
          while (read(0, &byte, 1) > 0) {
          }
          reached_ = true;
          set_->wake();
        }) {}
  ~End() { thread_.join(); }
  explicit operator bool() const { return reached_; }

 private:
  std::shared_ptr<WaitSet> set_;
  std::atomic<bool> reached_{false};
  std::thread thread_;
};

template <class T>
void echo(Context & context, const std::vector<std::string> & topics, const Qos & qos) {
  const auto pub = context.create_publisher(type_of<T>(), options_of(topics.at(1), qos));
  const auto sub = context.create_subscription(type_of<T>(), options_of(topics.at(0), qos));
  const auto set = context.create_wait_set();
  set->attach(sub);
  const End end(set);
  if (qos.durability == Durability::kVolatile) {
    eventually([&] { return (pub->subscription_count() > 0 && sub->publisher_count() > 0) || end; });
  }
  say("ready");
  while (!end) {
    set->wait(std::chrono::nanoseconds(-1));
    while (const Sample sample = sub->take()) {
      pub->publish(sample.message);
    }
  }
}

template <class T>
void flood(Context & context, const std::string & topic) {
  const auto pub = context.create_publisher(type_of<T>(), options_of(topic, keep_last(10)));
  const End end(context.create_wait_set());
  eventually([&] { return pub->subscription_count() > 0 || end; });
  for (std::uint64_t value = 0; !end; ++value) {
    auto loan = pub->borrow();
    if (loan) {
      fill(*static_cast<T *>(loan.data()), value);
      pub->publish(std::move(loan));
    }
  }
}

void drink(Context & context, const std::vector<std::string> & words) {
  const auto sub = context.create_subscription(type_of<Small>(), options_of(words.at(1), keep_all()));
  const End end(context.create_wait_set());
  eventually([&] { return sub->publisher_count() > 0 || end; });
  say("matched");
}

void be_there(Context & context, const std::vector<std::string> & words) {
  const transport::NodeName name{words.at(1), words.at(2)};
  const auto node = context.create_node(name);
  const auto pub = context.create_publisher(type_of<Small>(), {name, words.at(3), keep_last(3)});
  const End end(context.create_wait_set());
  say("ready");
}

void live(Context & context, const std::string & topic, transport::Liveliness liveliness) {
  Qos qos = keep_last(10);
  qos.liveliness = liveliness;
  qos.lease = kPeerLease;
  const auto pub = context.create_publisher(type_of<Small>(), options_of(topic, qos));
  const End end(context.create_wait_set());
  while (!end) {
    if (liveliness == transport::Liveliness::kManualByTopic) {
      pub->assert_liveliness();
    }
    std::this_thread::sleep_for(kPeerLease / 20);
  }
}

void be_of_another_type(Context & context, const std::string & topic) {
  const auto pub = context.create_publisher(small_with_other_name(), options_of(topic, keep_last(3)));
  const auto sub = context.create_subscription(small_with_other_name(), options_of(topic, keep_last(3)));
  const End end(context.create_wait_set());
  say("ready");
  const Small message;
  while (!end) {
    pub->publish(&message);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

template <class T>
void serve(Context & context, const std::string & service) {
  transport::ServiceServer server(context, service_type_of<T>(), service_options(service));
  const auto set = context.create_wait_set();
  set->attach(server.requests());
  const End end(set);
  say("ready");
  while (!end) {
    set->wait(std::chrono::nanoseconds(-1));
    while (const Sample request = server.requests()->take()) {
      reply<T>(server, request.info.request, answer_to(value_of<T>(request)));
    }
  }
}

void call_without_end(Context & context, const std::string & service) {
  transport::ServiceClient client(context, service_type_of<Small>(), service_options(service));
  const End end(context.create_wait_set());
  eventually([&] { return client.is_ready() || end; });
  call(client, 0);
  say("calling");
  for (std::uint64_t value = 1; !end; ++value) {
    call(client, value);
  }
}

template <class T>
bool run_typed(const std::string & role, Context & context, const std::vector<std::string> & topics) {
  if (role == "echo") {
    echo<T>(context, topics, keep_last(kDeep));
  } else if (role == "flood") {
    flood<T>(context, topics.at(0));
  } else if (role == "serve") {
    serve<T>(context, topics.at(0));
  } else {
    return false;
  }
  return true;
}

bool run_role(Context & context, const std::vector<std::string> & words) {
  const std::string & role = words.at(0);
  if (role == "echo_history") {
    echo<Small>(context, {words.at(1), words.at(2)}, transient_local(keep_all()));
  } else if (role == "drink") {
    drink(context, words);
  } else if (role == "call") {
    call_without_end(context, words.at(1));
  } else if (role == "node") {
    be_there(context, words);
  } else if (role == "other_type") {
    be_of_another_type(context, words.at(1));
  } else if (role == "live") {
    live(context, words.at(1), transport::Liveliness::kAutomatic);
  } else if (role == "assert") {
    live(context, words.at(1), transport::Liveliness::kManualByTopic);
  } else {
    const std::string & type = words.at(1);
    const std::vector<std::string> topics(words.begin() + 2, words.end());
    return (type == "small" && run_typed<Small>(role, context, topics)) ||
           (type == "large" && run_typed<Large>(role, context, topics)) ||
           (type == "report" && run_typed<Report>(role, context, topics));
  }
  return true;
}

}  // namespace

int run_peer(const std::vector<std::string> & words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no peer survives a test that was killed
  if (!run_role(*new_context(), words)) {
    std::fprintf(stderr, "there is no role '%s' of this type\n", words.at(0).c_str());
    return 2;
  }
  return 0;
}

}  // namespace conformance
