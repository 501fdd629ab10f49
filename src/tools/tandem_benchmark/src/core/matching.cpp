// match: how soon endpoints find each other. Nothing is matched before the clock starts.
//
//   match.topics.1000     two processes, each makes one side of a thousand topics; until all are matched on both sides
//   match.processes.200   two hundred processes join and subscribe to a topic of one more, all at once; until each has a message
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "common/core_endpoints.hpp"
#include "common/processors.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

constexpr std::uint32_t kCrowdDomain = 2;

template <class Condition>
void wait_until(Condition condition) {
  const auto limit = Clock::now() + kPatience;
  while (!condition()) {
    if (Clock::now() > limit) {
      Patience::give_up();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

template <class Endpoint>
bool are_matched(const std::vector<std::unique_ptr<Endpoint>> & endpoints) {
  return std::all_of(endpoints.begin(), endpoints.end(),
                     [](const auto & endpoint) { return endpoint->matched_count() == 1; });
}

class Topics : public Contestant {
 public:
  Topics(const std::string & name, std::size_t count, bool ping)
      : name_(name),
        count_(count),
        publisher_(make_publisher("/bench/" + name + (ping ? "/there" : "/back"))),
        subscription_(make_subscription("/bench/" + name + (ping ? "/back" : "/there"))) {}

  bool is_connected() const override { return publisher_->matched_count() == 1 && subscription_->matched_count() == 1; }

  Samples ping(const Burst & burst) override {
    std::vector<double> samples;
    for (std::size_t i = 0; i < burst.samples; ++i) {
      send(*publisher_, sizeof(Head), Head{i, 0});
      const auto start = Clock::now();
      auto publishers = make_all<tandem::Publisher>([](const std::string & topic) { return make_publisher(topic); });
      wait_until([&] { return are_matched(publishers); });
      receive();
      samples.push_back(nanoseconds_between(start, Clock::now()));
      publishers.clear();
      send(*publisher_, sizeof(Head), Head{i, i + 1 == burst.samples ? 1U : 0U});
      receive();
    }
    return {{name_, samples}};
  }

  void pong() override {
    for (bool last = false; !last;) {
      receive();
      auto subscriptions =
          make_all<tandem::Subscription>([](const std::string & topic) { return make_subscription(topic); });
      wait_until([&] { return are_matched(subscriptions); });
      send(*publisher_, sizeof(Head), Head{});
      last = receive().last != 0;
      subscriptions.clear();
      send(*publisher_, sizeof(Head), Head{});
    }
  }

 private:
  template <class Endpoint, class Make>
  std::vector<std::unique_ptr<Endpoint>> make_all(Make make) const {
    std::vector<std::unique_ptr<Endpoint>> endpoints;
    for (std::size_t i = 0; i < count_; ++i) {
      endpoints.push_back(make("/bench/" + name_ + "/" + std::to_string(i)));
    }
    return endpoints;
  }
  Head receive() {
    Head head;
    wait_until([&] {
      const auto sample = subscription_->take();
      head = sample ? head_of(sample) : head;
      return static_cast<bool>(sample);
    });
    return head;
  }

  const std::string name_;
  const std::size_t count_;
  std::unique_ptr<tandem::Publisher> publisher_;
  std::unique_ptr<tandem::Subscription> subscription_;
};

/// Both ends of a pipe. Closing the last writing end wakes all who read.
class Pipe {
 public:
  Pipe() {
    if (pipe(ends_) != 0) {
      throw std::runtime_error("no pipe can be made");
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe &) = delete;
  Pipe & operator=(const Pipe &) = delete;
  void close_writing() { close_end(1); }
  void write_byte() const { static_cast<void>(!write(ends_[1], "", 1)); }
  /// False at the end, or when nothing comes.
  bool read_byte() const {
    pollfd ready{ends_[0], POLLIN, 0};
    char byte = 0;
    return poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) > 0 &&
           read(ends_[0], &byte, 1) == 1;
  }

 private:
  void close_end(int end) {
    if (ends_[end] >= 0) {
      close(std::exchange(ends_[end], -1));
    }
  }
  int ends_[2] = {-1, -1};
};

class Crowd : public Contestant {
 public:
  Crowd(const std::string & name, std::size_t count)
      : name_(name),
        count_(count),
        participant_(value_or_throw(tandem::Participant::join(kCrowdDomain))),
        publisher_(make_publisher("/bench/" + name, participant_)) {}

  Samples ping(const Burst & burst) override {
    std::vector<double> samples;
    for (std::size_t i = 0; i < burst.samples; ++i) {
      samples.push_back(play());
    }
    return {{name_, samples}};
  }

 private:
  double play() {
    Pipe start;
    Pipe arrived;
    Pipe end;
    std::vector<pid_t> children;
    for (std::size_t i = 0; i < count_; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        start.close_writing();
        end.close_writing();
        _exit(subscribe(start, arrived, end));
      }
      children.push_back(child);
    }
    bool is_complete = true;
    const auto await_all = [&] {
      for (std::size_t i = 0; i < count_; ++i) {
        is_complete = is_complete && arrived.read_byte();
      }
    };
    await_all();  // they are there and have done nothing yet
    const auto begin = Clock::now();
    start.close_writing();
    wait_until([&] { return publisher_->matched_count() == count_; });
    send(*publisher_, sizeof(Head), Head{});
    await_all();
    const auto done = Clock::now();
    end.close_writing();
    for (const pid_t child : children) {
      waitpid(child, nullptr, 0);
    }
    wait_until([&] { return publisher_->matched_count() == 0; });
    if (!is_complete) {
      Patience::give_up();
    }
    return nanoseconds_between(begin, done);
  }

  /// One of the crowd. \return its exit status.
  int subscribe(const Pipe & start, const Pipe & arrived, const Pipe & end) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    unpin();  // from its parent's one processor
    arrived.write_byte();
    start.read_byte();
    try {
      const auto joined = value_or_throw(tandem::Participant::join(kCrowdDomain));
      const auto subscription = make_subscription("/bench/" + name_, joined);
      const auto wait_set = value_or_throw(joined.create_wait_set());
      wait_set->attach(*subscription);
      while (!subscription->take()) {
        if (!wait_set->wait(kPatience)) {
          return 1;
        }
      }
      arrived.write_byte();
      end.read_byte();
      return 0;
    } catch (const std::exception &) {
      return 1;
    }
  }

  const std::string name_;
  const std::size_t count_;
  const tandem::Participant participant_;
  std::unique_ptr<tandem::Publisher> publisher_;
};

/// The other side of a crowd: its processes are the first side's children.
class Bystander : public Contestant {
 public:
  Samples ping(const Burst &) override { return {}; }
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  if (name.rfind("match.topics.", 0) == 0) {
    return std::make_unique<Topics>(name, number_after(name, "match.topics."), role.ping);
  }
  if (!role.ping) {
    return std::make_unique<Bystander>();
  }
  return std::make_unique<Crowd>(name, number_after(name, "match.processes."));
}

}  // namespace

Suite matching_suite(const Length &) {
  constexpr Burst kOnce{0, 1, 1, std::chrono::milliseconds(2000)};
  Suite suite{"match", 1, make};
  suite.add("match.topics.1000", kOnce, "matching: 1,000 topics between two processes");
  suite.add("match.processes.200", kOnce, "matching: 200 processes join and subscribe to one topic");
  suite.targets = {{"matching: 1,000 topics between two processes", "match.topics.1000", "", 0.3e9},
                   {"matching: 200 processes on one topic", "match.processes.200", "", 0.5e9}};
  return suite;
}

}  // namespace bench
