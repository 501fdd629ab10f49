// Round trips of messages of one size, whatever carries them, with the processor time that they take.
#pragma once

#include <time.h>

#include "contestant.hpp"
#include "tandem/message_type.hpp"
#include "transports.hpp"

namespace bench {

/// The time that this process's threads were on a processor, in ns.
inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Of the messages of so many bytes.
const tandem::MessageType & message_type(std::size_t size);

class SizedRoundTrip : public Contestant {
 public:
  SizedRoundTrip(std::string name, TransportContest contest) : name_(std::move(name)), contest_(std::move(contest)) {}

  Samples ping(const Burst & burst) override {
    std::size_t sent = 0;
    const double before = processor_time();
    auto samples = play_ping(
        burst,
        [&](const Head & head) {
          send(head);
          ++sent;
        },
        [this] { return Received{receive()}; });
    const double each = (processor_time() - before) / static_cast<double>(sent);
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
