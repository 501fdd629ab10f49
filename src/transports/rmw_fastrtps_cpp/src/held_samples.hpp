// A subscription's side of zero-copy: messages that its user reads where the writer has put them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "board.hpp"
#include "segments.hpp"

namespace rmw_fastrtps {

/// A writer's samples, as one subscription knows them.
struct Lender {
  explicit Lender(Mapping where) : mapping(std::move(where)) {}
  const Mapping mapping;                   ///< Fast DDS's, whose addresses it tells
  std::shared_ptr<const Segment> segment;  ///< ours, made when it is needed; guarded by the reader's lock
  std::atomic<std::uint32_t> held{0};      ///< samples that the subscription's user holds
  std::atomic<std::uint32_t> granted{0};   ///< how many may be; 0 while the writer has not granted any
};

/// Keeps one sample's memory from being used again.
class Held {
 public:
  Held(std::shared_ptr<Lender> lender, std::shared_ptr<Board> board, int where)
      : lender_(std::move(lender)), board_(std::move(board)), where_(where) {}
  ~Held();
  Held(const Held &) = delete;
  Held & operator=(const Held &) = delete;

 private:
  const std::shared_ptr<Lender> lender_;
  const std::shared_ptr<Board> board_;
  const int where_;
};

/// A message in shared memory; empty where it must be copied.
struct InPlace {
  const void * message = nullptr;
  std::shared_ptr<const Held> held;
};

/// Thread-safe, except that hold() is called with the reader locked.
class HeldSamples {
 public:
  HeldSamples(std::shared_ptr<Board> board, const Gid & reader, std::uint32_t quota)
      : board_(std::move(board)), reader_(reader), quota_(quota) {}

  /// Writers have come or gone; these are the boards of those that there are.
  void set_writers(std::vector<std::shared_ptr<const BoardView>> boards);
  /// Holds the message of this size at `message`, in Fast DDS's mapping, if its writer heeds that.
  InPlace hold(const void * message, std::size_t size);

 private:
  std::shared_ptr<Lender> find(const void * message) const;
  void look_again();
  bool may_hold(Lender & lender);

  const std::shared_ptr<Board> board_;
  const Gid reader_;
  const std::uint32_t quota_;
  std::mutex mutex_;  ///< guards writers_
  std::vector<std::shared_ptr<const BoardView>> writers_;
  std::atomic<bool> is_stale_{true};
  std::vector<std::shared_ptr<Lender>> lenders_;  ///< guarded by the reader's lock
};

}  // namespace rmw_fastrtps
