// Round trips over tandem_core between two processes.
//
//   core.poll.N    both sides call take() until there is a message
//   core.block.N   both sides sleep in a wait-set that does not spin (TANDEM_SPIN_US=0)
//
// One way is: borrow N bytes, write the first 16, publish, take on the other side, read these 16.
#include "common/core_endpoints.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

struct Received {
  explicit Received(tandem::Sample && taken) : sample(std::move(taken)), head(head_of(sample)) {}
  tandem::Sample sample;
  Head head;
};

class CoreRoundTrip : public Contestant {
 public:
  CoreRoundTrip(const std::string & name, std::size_t size, bool blocking, bool ping)
      : name_(name),
        size_(size),
        publisher_(make_publisher("/bench/" + name + (ping ? "/there" : "/back"))),
        subscription_(make_subscription("/bench/" + name + (ping ? "/back" : "/there"))) {
    if (blocking) {
      wait_set_ = value_or_throw(participant().create_wait_set());
      wait_set_->attach(*subscription_);
    }
  }

  bool is_connected() const override { return publisher_->matched_count() == 1 && subscription_->matched_count() == 1; }

  Samples ping(const Burst & burst) override {
    return {{name_,
             play_ping(
                 burst, [this](const Head & head) { send(*publisher_, size_, head); }, [this] { return receive(); })}};
  }

  void pong() override {
    play_pong([this](const Head & head) { send(*publisher_, size_, head); }, [this] { return receive(); });
  }

 private:
  Received receive() {
    Patience patience;
    for (;;) {
      if (auto sample = subscription_->take()) {
        return Received(std::move(sample));
      }
      if (!wait_set_) {
        patience.check();
      } else if (!wait_set_->wait(kPatience)) {
        Patience::give_up();
      }
    }
  }

  const std::string name_;
  const std::size_t size_;
  std::unique_ptr<tandem::Publisher> publisher_;
  std::unique_ptr<tandem::Subscription> subscription_;
  std::unique_ptr<tandem::WaitSet> wait_set_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  const bool blocking = name.rfind("core.block.", 0) == 0;
  const std::size_t size = number_after(name, blocking ? "core.block." : "core.poll.");
  return std::make_unique<CoreRoundTrip>(name, size, blocking, role.ping);
}

}  // namespace

Suite core_suite(const Length & length) {
  Suite suite{"core", 1, make};
  // And a message that fits into its slot of the ring.
  for (const std::size_t size : {std::size_t{16}, kSizes[0], kSizes[1], kSizes[2], kSizes[3]}) {
    const std::string series = "core.poll." + std::to_string(size);
    const std::string what = "core, polling, " + size_text(size);
    suite.add(series, length.polled(), what);
    suite.targets.push_back({what + " / cache line", series, "floor.cache_line", 1.7});
    suite.excesses.push_back({what + " - cache line", series, "floor.cache_line"});
  }
  suite.targets.push_back(
      {"core, polling, 4 MiB / 64 B", "core.poll." + std::to_string(kSizes.back()), "core.poll.64", 1.02});
  for (const std::size_t size : kSizes) {
    const std::string series = "core.block." + std::to_string(size);
    const std::string what = "core, blocking, " + size_text(size);
    suite.add(series, length.samples(1000), what);
    suite.targets.push_back({what + " / futex", series, "floor.futex", 1.3});
  }
  return suite;
}

}  // namespace bench
