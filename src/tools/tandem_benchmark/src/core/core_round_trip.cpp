// Round trips over tandem_core between two processes.
//
//   core.poll.N    both sides call take() until there is a message
//   core.block.N   both sides sleep in a wait-set that does not spin (TANDEM_SPIN_US=0)
//
// One way is: borrow N bytes, write the first 16, publish, take on the other side, read these 16.
#include "common/core_endpoints.hpp"

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

}  // namespace

std::unique_ptr<Contestant> make_core(const std::string & name, const Role & role) {
  const bool blocking = name.rfind("core.block.", 0) == 0;
  const std::size_t size = number_after(name, blocking ? "core.block." : "core.poll.");
  return std::make_unique<CoreRoundTrip>(name, size, blocking, role.ping);
}

}  // namespace bench
