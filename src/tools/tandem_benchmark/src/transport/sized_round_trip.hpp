// Round trips of messages of one size, whatever carries them, with the processor time that they take.
#pragma once

#include "common/contestant.hpp"
#include "plan/transports.hpp"
#include "tandem/measure/processor_time.hpp"
#include "tandem/measure/transport_link.hpp"

namespace bench {

/// Of the messages of so many bytes.
tandem::measure::MessageKind message_kind(std::size_t size);

class SizedRoundTrip : public Contestant {
 public:
  SizedRoundTrip(std::string name, TransportContest contest) : name_(std::move(name)), contest_(std::move(contest)) {}

  Samples ping(const Burst & burst) override {
    std::size_t sent = 0;
    const std::int64_t before = tandem::measure::process_time_ns();
    auto samples = play_ping(
        burst,
        [&](const Head & head) {
          send(head);
          ++sent;
        },
        [this] { return Received{receive()}; });
    const double each = static_cast<double>(tandem::measure::process_time_ns() - before) / static_cast<double>(sent);
    Samples result = {{name_, std::move(samples)}};
    if (!contest_.polls) {
      result.emplace(cpu_series(contest_), std::vector<double>{each});
    }
    return result;
  }

  void pong() override {
    play_pong([this](const Head & head) { send(head); }, [this] { return Received{receive()}; });
  }

 protected:
  virtual void send(const Head & head) = 0;
  /// Waits for the next message, which is kept until the next call.
  virtual Head receive() = 0;

  const TransportContest & contest() const { return contest_; }

 private:
  struct Received {
    Head head;
  };
  const std::string name_;
  const TransportContest contest_;
};

}  // namespace bench
