#include "fork_roles.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "guest.hpp"
#include "payload.hpp"
#include "tandem/heap.hpp"
#include "tandem/log.hpp"
#include "tandem/participant.hpp"

extern char ** environ;

namespace tandem::test {
namespace {

constexpr unsigned kHangs = 100;  ///< seconds after which a child that hangs is ended

void say(const std::string & line) { std::cout << line << std::endl; }

/// A node that publishes for the reader in the test, and for itself.
struct Node {
  Participant participant;
  std::unique_ptr<Publisher> out;
  std::unique_ptr<Subscription> in;
  std::uint64_t next = 0;

  /// Made once `readers` subscriptions are matched with it.
  static std::unique_ptr<Node> make(std::size_t readers = 2) {
    auto joined = Participant::join(0);
    if (!joined) {
      std::fprintf(stderr, "%s\n", joined.error().message.c_str());
      return nullptr;
    }
    auto node = std::make_unique<Node>(Node{*joined, nullptr, nullptr});
    node->out = std::move(*joined->create_publisher(publisher_options("topic", {.keep_all = true})));
    node->in = std::move(*joined->create_subscription(subscription_options("topic", {.depth = 8})));
    const bool matched =
        wait_until([&] { return node->out->matched_count() >= readers && node->in->matched_count() >= 1; });
    return matched ? std::move(node) : nullptr;
  }
  bool publish(std::size_t size = 1000) {
    char buffer[1000];
    fill(buffer, size, out->info().id.number, next++);
    return static_cast<bool>(out->publish_copy(buffer, size));
  }
  Sample take() {
    Sample sample;
    wait_until([&] { return static_cast<bool>(sample = in->take()); });
    return sample;
  }
};

/// Whether everything inherited answers, and does nothing.
bool is_inert(Node & node) {
  auto loan = node.out->borrow(64);
  const bool published = (loan && node.out->publish(std::move(*loan))) || node.publish();
  return !published && !node.in->take() && !node.in->has_data() && node.in->matched_count() == 0 &&
         node.out->matched_count() == 0 && node.participant.graph().processes.empty() &&
         !node.participant.create_publisher(publisher_options("topic")) && !node.participant.create_wait_set();
}

int status_of(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Starts a child that ends in the way of this number. \return its status.
int end_in_way(int way) {
  char program[] = "/bin/true";
  char * const argv[] = {program, nullptr};
  if (way == 0) {
    return std::system("true");
  }
  if (way == 1) {
    pid_t child = -1;
    return posix_spawn(&child, program, nullptr, nullptr, argv, environ) == 0 ? status_of(child) : -1;
  }
  const pid_t child = way == 2 ? vfork() : fork();
  if (child == 0) {
    if (way == 2 || way == 3) {
      execv(program, argv);
      _exit(1);
    }
    if (way == 4) {
      _exit(0);
    }
    if (way == 5) {
      std::exit(0);
    }
    kill(getpid(), SIGKILL);
  }
  const int status = status_of(child);
  return way == kWaysToEnd - 1 && WIFSIGNALED(status) ? 0 : status;
}

int run_ends() {
  const auto node = Node::make();
  std::string word;
  for (int way = 0; node && way < kWaysToEnd; ++way) {
    if (end_in_way(way) != 0 || !node->publish()) {
      return 10 + way;
    }
    say("published");
    std::cin >> word;
  }
  return node ? 0 : 1;
}

/// Each generation reads what all before it have left, joins anew and publishes.
int run_generations() {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Sample> samples;
  for (int generation = 0; generation < kGenerations; ++generation) {
    for (const auto & node : nodes) {
      if (!is_inert(*node)) {
        return 2;
      }
    }
    for (const Sample & sample : samples) {
      if (!is_whole(sample.data(), sample.size())) {
        return 3;
      }
    }
    // The test's reader, one's own, and one of each generation before, which all live on.
    nodes.push_back(Node::make(static_cast<std::size_t>(generation) + 2));
    if (!nodes.back() || !nodes.back()->publish()) {
      return 4;
    }
    samples.push_back(nodes.back()->take());
    say("generation " + std::to_string(generation));
    const pid_t child = generation + 1 < kGenerations ? fork() : -1;
    if (child > 0) {
      const int status = status_of(child);
      return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
    }
    alarm(kHangs);
  }
  return 0;
}

/// Each generation gives back what it has inherited, which does nothing, and has memory of its own.
int run_heirs() {
  constexpr std::size_t kSize = 10'000;
  constexpr int kHeirs = 40;
  auto * memory = static_cast<char *>(allocate(kSize));
  for (int generation = 0; generation < kHeirs; ++generation) {
    fill(memory, kSize, 1, static_cast<std::uint64_t>(generation));
    const pid_t child = fork();
    if (child > 0) {
      const int status = status_of(child);
      return is_whole(memory, kSize) && WIFEXITED(status) ? WEXITSTATUS(status) : 5;
    }
    alarm(kHangs);
    if (!is_whole(memory, kSize)) {
      return 2;
    }
    deallocate(memory);
    memory = static_cast<char *>(allocate(kSize));
    if (!is_shared_allocation(memory, kSize)) {
      return 3;
    }
  }
  return 0;
}

/// What a child does that was forked amid other threads.
int live(Node & node, bool join) {
  alarm(kHangs);
  if (!is_inert(node)) {
    return 2;
  }
  void * memory = allocate(5000);
  if (memory == nullptr) {
    return 3;
  }
  deallocate(memory);
  log(LogLevel::kInfo, "child");
  if (join) {
    const auto participant = Participant::join(0);
    if (!participant || !(*participant->create_publisher(publisher_options("own")))->publish_copy("x", 1)) {
      return 4;
    }
  }
  return 0;
}

int run_busy() {
  const auto node = Node::make();
  if (!node) {
    return 1;
  }
  const int forks = is_emulated() || is_sanitized() ? 10 : 30;
  const int total = is_emulated() ? 2000 : 20'000;
  say(std::to_string(total));
  std::atomic<bool> done = false;
  std::atomic<bool> failed = false;
  std::atomic<int> published = 0;
  std::vector<std::thread> threads;
  const auto busy = [&](auto work) {
    threads.emplace_back([&, work] {
      while (!done) {
        work();
      }
    });
  };
  threads.emplace_back([&] {
    for (; published < total; ++published) {
      failed = failed || !node->publish();
    }
  });
  busy([&] { node->in->take(); });
  busy([&] { deallocate(allocate(3000)); });
  busy([&] { log(LogLevel::kInfo, "busy"); });
  busy([&] {
    const auto loan = node->out->borrow(2000);
    const Sample kept = node->in->take();
    std::this_thread::yield();
  });
  busy([&] { node->participant.graph(); });
  int status = 0;
  for (int i = 0; i < forks && status == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const int result = live(*node, i % 4 == 0 && may_join_after_fork());
      _exit(result);
    }
    status = status_of(child);
  }
  wait_until([&] { return published == total; });
  done = true;
  for (std::thread & thread : threads) {
    thread.join();
  }
  if (status != 0 || failed) {
    std::fprintf(stderr, "a child ended with %#x, publishing %s\n", static_cast<unsigned>(status),
                 failed ? "failed" : "went well");
    return 2;
  }
  say("done");
  return 0;
}

/// Publishes once it is told to.
int publish_when_told(const std::string & word) {
  alarm(kHangs);
  const auto node = Node::make();
  if (!node) {
    return 2;
  }
  say(word);
  std::string go;
  std::cin >> go;
  for (int i = 0; i < 5; ++i) {
    node->publish();
  }
  return 0;
}

int run_orphan() {
  const auto node = Node::make();
  if (!node) {
    return 1;
  }
  if (fork() == 0) {
    std::exit(publish_when_told("child has joined"));
  }
  for (;;) {
    pause();
  }
}

int run_daemon() {
  const auto node = Node::make();
  if (!node || daemon(1, 1) != 0) {
    return 1;
  }
  return publish_when_told("daemon has joined");
}

}  // namespace

int run_forks(const std::vector<std::string> & arguments) {
  set_log_sink([](LogLevel level, const std::string & line) {
    if (level >= LogLevel::kWarning) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  });
  const std::string & what = arguments.at(0);
  return what == "ends"          ? run_ends()
         : what == "generations" ? run_generations()
         : what == "heirs"       ? run_heirs()
         : what == "busy"        ? run_busy()
         : what == "orphan"      ? run_orphan()
                                 : run_daemon();
}

}  // namespace tandem::test
