// Round trips of messages of one size, whatever carries them, with the processor time that they take.
#pragma once

#include "common/contestant.hpp"
#include "tandem/measure/processor_time.hpp"
#include "tandem/measure/transport_link.hpp"

namespace bench {

/// "transports.block.rmw_zeromq_cpp.64" in parts.
struct TransportContest {
  bool polls = false;
  std::string player;  ///< a transport, or a library without our adapter
  std::size_t size = 0;

  explicit TransportContest(const std::string & name);
  TransportContest(bool polling, std::string who, std::size_t bytes)
      : polls(polling), player(std::move(who)), size(bytes) {}
  /// \param how "block", "poll", "cpu".
  std::string series(const char * how) const;
};

/// Of the messages of so many bytes.
tandem::measure::MessageKind message_kind(std::size_t size);

std::unique_ptr<Contestant> make_transport(const std::string & name, const Role & role);
// Where the library is here.
std::unique_ptr<Contestant> make_bare_fastdds(const std::string & name, const Role & role);
std::unique_ptr<Contestant> make_bare_zeromq(const std::string & name, const Role & role);

class SizedRoundTrip : public Contestant {
 public:
  explicit SizedRoundTrip(const std::string & name) : name_(name), contest_(name) {}

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
      result.emplace(contest_.series("cpu"), std::vector<double>{each});
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
