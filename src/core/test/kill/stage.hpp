// The crew as the tracer uses it, and what it must see after a guest was killed or stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "harness.hpp"

namespace tandem::test {

/// What a guest says of itself: memory that the tracer shares with it.
struct Board {
  std::atomic<bool> go;                  ///< the guest may begin
  std::atomic<bool> watched;             ///< a phase is being walked through
  std::atomic<bool> over;                ///< the phase has ended
  std::atomic<std::uint64_t> attempted;  ///< messages of which publish() was called
  std::atomic<std::uint64_t> published;  ///< messages of which publish() has returned
  char failure[200];
};

/// Something was lost or broken.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage &) = delete;
  Stage & operator=(const Stage &) = delete;

  Board & board() { return *board_; }
  /// A fresh board for the next guest.
  void clear_board();

  // The crew. Throw when the answer is an error.
  std::string reader(const std::string & line) { return ask(reader_, "reader", line); }
  std::string writer(const std::string & line) { return ask(writer_, "writer", line); }
  /// The writer publishes `count` messages with each of its publishers.
  void publish(std::uint64_t count) { note(writer("publish " + std::to_string(count))); }
  /// The reader takes all there is: just what the writer has published, and of the guest what it may have published.
  void drain();
  /// The writer publishes in keep-all until the guest keeps it from it; the reader takes what it gets.
  void fill();
  /// Once the guest has taken or gone.
  void end_fill();

  /// The others go on, as long as nobody takes, and after.
  void verify_flow();
  /// Far more messages than the ring of the keep-last publisher has slots.
  void verify_lap();
  /// The sleeping reader wakes up: for the guest's message or else for the writer's.
  void verify_wake();
  /// All that the guest had is given back.
  void verify_clean();

 private:
  static std::string ask(Child & child, const char * name, const std::string & line);
  void note(const std::string & answer);

  Board * board_;
  Child writer_;
  Child reader_;
  std::string counts_ = "0 0";  ///< of the writer's publishers
};

}  // namespace tandem::test
