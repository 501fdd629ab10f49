// stream.N: messages of N bytes one after the other, from one process to another that polls; none may be lost (keep-all).
//
// One sample a burst: the time from the first publish until the reader has said that it has taken the last one, for each
// message.
#include "common/core_endpoints.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

tandem::Qos keep_all() {
  tandem::Qos qos;
  qos.history = tandem::History::kKeepAll;
  return qos;
}

class Stream : public Contestant {
 public:
  Stream(const std::string & name, std::size_t size, bool ping)
      : name_(name),
        size_(size),
        publisher_(make_publisher("/bench/" + name + (ping ? "/there" : "/back"), participant(), keep_all())),
        subscription_(make_subscription("/bench/" + name + (ping ? "/back" : "/there"), participant(), keep_all())) {}

  bool is_connected() const override { return publisher_->matched_count() == 1 && subscription_->matched_count() == 1; }

  Samples ping(const Burst & burst) override {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < burst.samples; ++i) {
      send(*publisher_, size_, Head{i, i + 1 == burst.samples ? 1U : 0U});
    }
    receive(0);
    return {{name_, {nanoseconds_between(begin, Clock::now()) / static_cast<double>(burst.samples)}}};
  }

  void pong() override {
    for (std::size_t i = 0; receive(i).last == 0; ++i) {
    }
    send(*publisher_, size_, Head{0, 1});
  }

 private:
  /// The next message, which must be number `sequence`.
  Head receive(std::uint64_t sequence) {
    Patience patience;
    for (;;) {
      if (const auto sample = subscription_->take()) {
        const Head head = head_of(sample);
        if (head.sequence != sequence) {
          throw std::runtime_error("message " + std::to_string(head.sequence) + " came instead of " +
                                   std::to_string(sequence));
        }
        return head;
      }
      patience.check();
    }
  }

  const std::string name_;
  const std::size_t size_;
  std::unique_ptr<tandem::Publisher> publisher_;
  std::unique_ptr<tandem::Subscription> subscription_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  return std::make_unique<Stream>(name, number_after(name, "stream."), role.ping);
}

}  // namespace

Suite stream_suite(const Length & length) {
  Suite suite{"stream", 1, make};
  suite.add("stream.64", length.samples(1'000'000), "stream of 64 B, for each message sent and taken");
  suite.targets = {{"stream of 64 B, each message", "stream.64", "", 100}};  // ten million a second
  return suite;
}

}  // namespace bench
