// Roles of other processes in the integration tests.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "harness.hpp"
#include "options.hpp"
#include "payload.hpp"

#if defined(__SANITIZE_ADDRESS__)
namespace {
bool is_forked_child = false;
}
// In a forked child the memory of its parent's threads belongs to nobody, which is no leak.
extern "C" int __lsan_is_turned_off() { return is_forked_child ? 1 : 0; }
#endif

namespace tandem::test {
namespace {

void say(const std::string & line) { std::cout << line << std::endl; }

/// Sends "ping" back as "pong" until it is killed.
int echo(const std::vector<std::string> &) {
  setenv("TANDEM_SPIN_US", "0", 1);
  const auto participant = Participant::join(0);
  const auto set = std::move(*participant->create_wait_set());
  const auto in = std::move(*participant->create_subscription(subscription_options("ping")));
  const auto out = std::move(*participant->create_publisher(publisher_options("pong")));
  set->attach(*in);
  wait_until([&] { return in->matched_count() == 1 && out->matched_count() == 1; });
  say("ready");
  for (;;) {
    set->wait(std::chrono::seconds(-1));
    while (const Sample sample = in->take()) {
      if (!out->publish_copy(sample.data(), sample.size())) {
        return 1;
      }
    }
  }
}

struct Inherited {
  Participant & participant;
  Publisher & publisher;
  Subscription & subscription;
  WaitSet & set;
  Sample & sample;
};

/// What a child made by fork(2) finds. \return its exit status.
int forked(Inherited inherited, bool rejoin) {
  alarm(60);
#if defined(__SANITIZE_ADDRESS__)
  is_forked_child = true;
#endif
  if (!is_whole(inherited.sample.data(), inherited.sample.size())) {
    return 1;
  }
  say("child: reads what it had");
  auto loan = inherited.publisher.borrow(64);
  if (loan && inherited.publisher.publish(std::move(*loan))) {
    return 2;
  }
  if (inherited.publisher.publish_copy("x", 1) || inherited.subscription.take() ||
      inherited.participant.create_publisher(publisher_options("topic"))) {
    return 3;
  }
  inherited.set.wait(std::chrono::milliseconds(1));
  say("child: publishes nothing");
  inherited.sample.release();
  if (!rejoin) {
    return 0;
  }
  const auto participant = Participant::join(0);
  if (!participant) {
    std::fprintf(stderr, "%s\n", participant.error().message.c_str());
    return 4;
  }
  auto own = participant->create_publisher(publisher_options("topic", {.transient = true}));
  char buffer[64];
  fill(buffer, sizeof buffer, 1, 0);
  if (!own || !wait_until([&] { return (*own)->matched_count() == 2; }) ||
      !(*own)->publish_copy(buffer, sizeof buffer)) {
    return 5;
  }
  say("child: joined anew");
  return 0;
}

int forking(const std::vector<std::string> &) {
  auto participant = Participant::join(0);
  const auto in = std::move(*participant->create_subscription(subscription_options("topic")));
  const auto out = std::move(*participant->create_publisher(publisher_options("topic", {.transient = true})));
  const auto set = std::move(*participant->create_wait_set());
  set->attach(*in);
  wait_until([&] { return in->matched_count() == 1 && out->matched_count() >= 1; });
  char buffer[1000];
  const auto publish = [&](std::uint64_t counter) {
    fill(buffer, sizeof buffer, 1, counter);
    static_cast<void>(out->publish_copy(buffer, sizeof buffer));
    say("parent: published");
  };
  publish(0);
  Sample sample;
  wait_until([&] { return static_cast<bool>(sample = in->take()); });
  std::string word;
  std::cin >> word;
  if (word.empty()) {
    return 0;
  }
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0 && word == "linger") {
    prctl(PR_SET_PDEATHSIG, 0);
    alarm(120);
    pause();
    _exit(0);
  }
  if (child == 0) {
    const int status = forked({*participant, *out, *in, *set, sample}, word == "fork");
    std::cout.flush();
    std::exit(status);
  }
  if (word == "linger") {
    say(std::to_string(child));
    pause();
  }
  int status = 0;
  waitpid(child, &status, 0);
  say("parent: child ended with " + std::to_string(status));
  publish(1);
  return is_whole(sample.data(), sample.size()) ? 0 : 1;
}

Role roles(const std::string & name) {
  if (name == "echo") {
    return echo;
  }
  if (name == "fork") {
    return forking;
  }
  return {};
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
