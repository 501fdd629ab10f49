// What is measured: a contestant plays one burst at a time, alone on the machine, in turn with all others.
//
// A contestant has one "ping" side, which keeps the time, and any number of "pong" sides (none where one process is
// enough), each in a process of its own. The ping side marks its last message; that ends the burst for everybody.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/measure.hpp"

namespace bench {

/// How long anybody waits for another process before the run is given up.
inline constexpr std::chrono::seconds kPatience{30};

/// The words of a message that are written and read; the rest of its payload is never touched.
struct Head {
  std::uint64_t sequence = 0;
  std::uint64_t last = 0;
};

struct Burst {
  std::size_t warm_up = 0;
  std::size_t samples = 0;  ///< of each series
  /// Round trips in one sample, which is their mean: more than one where the clock's tick would show.
  std::size_t batch = 1;
  /// The burst ends early, with fewer samples, when the machine is so loaded that it would take longer.
  std::chrono::milliseconds budget{2000};
};

/// Samples in ns by the name of their series.
using Samples = std::map<std::string, std::vector<double>>;

/// Which side of which contestant a worker process plays.
struct Role {
  bool ping = true;
  std::size_t index = 0;  ///< of this pong side among all
  std::string folder;     ///< the run's own shared-memory folder
};

class Contestant {
 public:
  virtual ~Contestant() = default;
  /// Whether every other side is there.
  virtual bool is_connected() const { return true; }
  virtual Samples ping(const Burst & burst) = 0;
  virtual void pong() {}
};

/// Makes the contestant `name`; throws std::runtime_error when that fails.
using Factory = std::function<std::unique_ptr<Contestant>(const std::string & name, const Role & role)>;

/// Sends numbered messages and waits for each one's answer. One sample is half a round trip, from one answer to another,
/// so that the clock is read once in it.
template <class Send, class Receive>
std::vector<double> play_ping(const Burst & burst, Send send, Receive receive) {
  std::vector<double> samples;
  samples.reserve(burst.samples);
  const std::size_t total = (burst.warm_up + burst.samples) * burst.batch;
  auto before = Clock::now();
  const auto limit = before + burst.budget;
  for (std::size_t i = 0, sent = 1;; ++i, ++sent) {
    const bool last = i + 1 >= total || (before > limit && sent == burst.batch);
    send(Head{i, last ? 1U : 0U});
    {
      const auto answer = receive();
      if (answer.head.sequence != i) {
        throw std::runtime_error("message " + std::to_string(i) + " was answered by " +
                                 std::to_string(answer.head.sequence));
      }
    }
    if (sent < burst.batch) {
      continue;
    }
    const auto now = Clock::now();
    if (i >= burst.warm_up * burst.batch || last) {
      samples.push_back(nanoseconds_between(before, now) / static_cast<double>(2 * burst.batch));
    }
    before = now;
    sent = 0;
    if (last) {
      return samples;
    }
  }
}

/// The other side: sends every message back.
template <class Send, class Receive>
void play_pong(Send send, Receive receive) {
  for (;;) {
    const auto message = receive();  // kept until the answer is out
    send(message.head);
    if (message.head.last != 0) {
      return;
    }
  }
}

/// A burst in one process: `play(turn, samples)` again and again.
template <class Play>
Samples play_alone(const Burst & burst, Play play) {
  Samples samples;
  const auto limit = Clock::now() + burst.budget;
  for (std::size_t turn = 0; turn < burst.warm_up + burst.samples && Clock::now() < limit; ++turn) {
    if (turn == burst.warm_up) {
      samples.clear();
    }
    play(turn, samples);
  }
  return samples;
}

/// Ends a busy wait that takes too long. Reads the clock rarely.
class Patience {
 public:
  void check() {
    if (++turns_ % 65536 != 0) {
      return;
    }
    const auto now = Clock::now();
    if (turns_ == 65536) {
      start_ = now;
    } else if (now - start_ > kPatience) {
      give_up();
    }
  }
  [[noreturn]] static void give_up() { throw std::runtime_error("the other process does not answer"); }

 private:
  std::uint64_t turns_ = 0;
  Clock::time_point start_;
};

/// "poll.64" with prefix "poll." -> 64.
inline std::size_t number_after(const std::string & name, const std::string & prefix) {
  return std::stoul(name.substr(prefix.size()));
}

}  // namespace bench
