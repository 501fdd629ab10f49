// The process that is killed or stopped: what it does, scene by scene.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "crew.hpp"
#include "stage.hpp"
#include "tandem/participant.hpp"
#include "walker.hpp"

namespace tandem::test {

/// What it does between begin_phase() and end_phase() is walked through, if there is a tracer.
class Guest {
 public:
  explicit Guest(Board & board) : board_(board) {}

  void join();
  void create_publisher(const std::string & options);
  void create_subscription(const std::string & options);
  void await_matches();
  /// join() to await_matches().
  void become_publisher();
  void become_reader(const std::string & options);

  /// Publishes, by `gated` calls to publish() or to borrow() or by none.
  enum class Gated { kNone, kBorrow, kPublish };
  void publish(int count, Gated gated);
  void publish_copy();
  void publish_allocation();
  /// Takes up to `count` messages and keeps each second one. Messages of one publisher come in order, and from "all"
  /// each if `all`.
  void take(int count, bool gated, bool all);
  void take_rest(bool all);
  void release();
  void close_publisher();
  void close_subscription();
  void leave();
  /// Messages that are kept are as they were.
  void check();
  void begin_phase();
  void end_phase();

 private:
  /// The next call is to be walked through.
  void gate(bool wanted = true);
  void expect(bool condition, const char * what);

  Board & board_;
  std::optional<Participant> participant_;
  std::unique_ptr<Publisher> publisher_;
  std::unique_ptr<Subscription> subscription_;
  std::vector<Sample> kept_;
  std::uint64_t taken_ = 0;
  std::uint64_t next_[4] = {};
  bool has_begun_[4] = {};
};

struct Scene {
  const char * name;
  Walker::Thread thread = Walker::Thread::kMain;
  void (*prepare)(Guest &);             ///< by the guest, before the phase
  void (*before)(Stage &) = nullptr;    ///< by the crew, after that
  void (*act)(Guest &);                 ///< the phase
  void (*finish)(Guest &) = nullptr;    ///< by the guest, if it lives: the end of its work
  void (*on_sleep)(Stage &) = nullptr;  ///< by the crew, when the guest is about to sleep in the phase
  void (*after)(Stage &) = nullptr;     ///< by the crew, when the guest was killed or stopped or is at its end
  bool may_stop = true;
  int kills = 230;  ///< points at scale 1
};

inline void PrintTo(const Scene & scene, std::ostream * stream) { *stream << scene.name; }

const std::vector<Scene> & scenes();
/// nullptr when there is none of that name.
const Scene * find_scene(const std::string & name);

/// The guest's life, in a process of its own.
[[noreturn]] void live(const Scene & scene, Board & board);

}  // namespace tandem::test
