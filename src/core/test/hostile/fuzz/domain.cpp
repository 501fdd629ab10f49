#include <cstddef>
#include <memory>

#include "input.hpp"
#include "process/process.hpp"
#include "tandem/participant.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

constexpr std::uint32_t kDomain = 8;
constexpr std::uint32_t kDepth = 100;

template <class Options>
Options endpoint() {
  Options options;
  options.topic = "topic";
  options.type.name = "test/msg/Words";
  options.node = {"/", "node"};
  options.qos.depth = kDepth;
  return options;
}

/// An honest process: it publishes to itself, and each of its messages arrives, whoever else is there.
class Honest {
 public:
  Honest() : participant_(*Participant::join(kDomain)) {
    out_ = std::move(*participant_.create_publisher(endpoint<PublisherOptions>()));
    in_ = std::move(*participant_.create_subscription(endpoint<SubscriptionOptions>()));
    participant_.settle(std::chrono::seconds(10));
  }
  EndpointId id() const { return out_->info().id; }
  Participant & participant() { return participant_; }
  void look() { participant_.graph(); }

  void publish() {
    if (sent_ - taken_ == kDepth) {
      take();  // keep-last would rightly forget the oldest
    }
    require(out_->publish_copy("message", 8).has_value(), "a hostile neighbour keeps nobody from publishing");
    ++sent_;
  }
  void take() {
    for (int foreign = 0; foreign < 1000;) {
      const Sample sample = in_->take();
      if (!sample) {
        break;
      }
      if (sample.publisher() == id()) {
        require(sample.sequence() == taken_, "messages of an honest publisher arrive in order, all of them");
        ++taken_;
      } else {
        ++foreign;
        static_cast<void>(static_cast<const volatile std::uint8_t *>(sample.data())[0]);
      }
    }
  }
  bool has_all() const { return taken_ == sent_; }

 private:
  Participant participant_;
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
  std::uint64_t sent_ = 0;
  std::uint64_t taken_ = 0;
};

void acknowledge_lane(test::ForgedRegion & forged) {
  for (const std::uint64_t lane : test::lanes_to(forged.incarnation())) {
    forged.acknowledge(Process::instance().incarnation(), lane);
  }
}

}  // namespace

int domain(const std::uint8_t * data, std::size_t size) {
  static auto * honest = new Honest;
  Input input(data, size);
  const Log log;
  std::uint64_t next = 0;
  std::uint64_t version = 4;  // of the forged directory, to be looked at again
  {
    test::ForgedRegion forged({fresh_incarnation(), kDomain, "topic", honest->id(), 2048, {}});
    while (!input.empty()) {
      switch (input.byte() % 9) {
        case 0:
        case 1: input.poke(forged); break;
        case 2: honest->look(); break;
        case 3: acknowledge_lane(forged); break;
        case 4: forged.publish(next++); break;
        case 5: honest->publish(); break;
        case 6: honest->take(); break;
        case 7: forged.resize(input.length()); break;
        default: forged.poke(offsetof(RegionHeader, directory_version), ++version, sizeof version); break;
      }
    }
  }
  honest->look();  // it has gone
  for (int i = 0; i < 3000 && !honest->has_all(); ++i) {
    honest->take();
  }
  require(honest->has_all(), "all messages of an honest publisher arrive");
  return 0;
}

}  // namespace tandem::fuzz
