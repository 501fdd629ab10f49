// The survivors as the tracer uses them, and what they must see after a victim was killed or stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "harness.hpp"

namespace tandem::test {

/// What a victim says of itself: memory that the tracer shares with it.
struct VictimState {
  std::atomic<bool> go;                  ///< the victim may begin
  std::atomic<bool> watched;             ///< a phase is being stepped through
  std::atomic<bool> over;                ///< the phase has ended
  std::atomic<std::uint64_t> attempted;  ///< messages of which publish() was called
  std::atomic<std::uint64_t> published;  ///< messages of which publish() has returned
  char failure[200];
};

/// Something was lost or broken.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Survivors {
 public:
  Survivors();
  ~Survivors();
  Survivors(const Survivors &) = delete;
  Survivors & operator=(const Survivors &) = delete;

  VictimState & state() { return *state_; }
  /// A fresh state for the next victim.
  void reset_state();

  // The survivors. Throw when the answer is an error.
  std::string reader(const std::string & line) { return ask(reader_, "reader", line); }
  std::string writer(const std::string & line) { return ask(writer_, "writer", line); }
  /// The writer publishes `count` messages with each of its publishers.
  void publish(std::uint64_t count) { note(writer("publish " + std::to_string(count))); }
  /// The reader takes all there is: just what the writer has published, and of the victim what it may have published.
  void drain();
  /// The writer publishes in keep-all until the victim keeps it from it; the reader takes what it gets.
  void fill();
  /// Once the victim has taken or gone.
  void end_fill();

  /// The others go on, as long as nobody takes, and after.
  void verify_flow();
  /// Far more messages than the ring of the keep-last publisher has slots.
  void verify_lap();
  /// The sleeping reader wakes up: for the victim's message or else for the writer's.
  void verify_wake();
  /// All that the victim had is given back.
  void verify_clean();

 private:
  static std::string ask(Child & child, const char * name, const std::string & line);
  void note(const std::string & answer);

  VictimState * state_;
  Child writer_;
  Child reader_;
  std::string counts_ = "0 0";  ///< of the writer's publishers
};

}  // namespace tandem::test
