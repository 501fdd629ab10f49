// What the participants of a domain tell each other in shared memory beside iceoryx2: who wakes whom, and how far a
// reader is.
//
// Each participant has one board, a file that all others map writable:
//
//   attention  rung by others: rows have changed, look at them
//   room       rung by readers that a publisher of this participant waits for
//   bells[]    one for each wait-set of this participant, rung by publishers; bells[0] is nobody's
//   rows[]     one for each subscription here and publisher, here or elsewhere, that it is connected to
//
// Everything in it is a hint: garbage costs a wake-up or the order of a queue, never memory safety.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "tandem/transport.hpp"

namespace rmw_iceoryx2 {

/// A futex word, shared by processes, that counts rings. As tandem::transport::Bell, whose orderings it has.
class SharedBell {
 public:
  /// A system call only when somebody sleeps. Async-signal-safe.
  void ring() noexcept;
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }
  /// Until count() differs from `seen`, or the timeout (negative: without end). May end early.
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept;

 private:
  std::atomic<std::uint32_t> count_;
  std::atomic<std::uint32_t> sleepers_;
};

enum class RowState : std::uint32_t { kFree, kConnected, kAcknowledged };

/// A reader: a subscription and a publisher that it is connected to.
struct Row {
  tandem::transport::Gid publisher;     ///< written by the subscription while kFree
  tandem::transport::Gid subscription;  ///< likewise
  std::atomic<std::uint32_t> history;   ///< messages asked for; likewise
  std::atomic<RowState> state;          ///< kConnected by the subscription, kAcknowledged by the publisher
  std::atomic<std::uint32_t> bell;      ///< of the wait-set that the subscription is in, or 0
  std::atomic<std::uint32_t> unused;
  std::atomic<std::uint64_t> first;   ///< sequence of what is owed first; by the publisher, before kAcknowledged
  std::atomic<std::uint64_t> cursor;  ///< sequence after the last that was taken; by the subscription
};
static_assert(sizeof(Row) == 64);

inline constexpr std::size_t kBells = 256;
inline constexpr std::size_t kRows = 2048;

struct BoardLayout {
  std::uint64_t magic;
  std::atomic<std::uint64_t> rows_used;  ///< rows beyond have never been used
  SharedBell attention;
  SharedBell room;
  std::array<std::uint64_t, 4> unused;
  std::array<SharedBell, kBells> bells;
  std::array<Row, kRows> rows;
};
static_assert(sizeof(BoardLayout) == 64 + 8 * kBells + 64 * kRows);

/// A mapped board. It stays readable after its participant has gone.
class Board {
 public:
  /// Makes it. \throws tandem::transport::Error.
  static std::shared_ptr<Board> create(const std::string & path);
  /// Maps another's. \return null when it is not there, or is none.
  static std::shared_ptr<Board> open(const std::string & path);
  ~Board();
  Board(const Board &) = delete;
  Board & operator=(const Board &) = delete;

  BoardLayout * operator->() const { return layout_; }
  /// The bell that a row names.
  SharedBell & bell_of(const Row & row) const {
    return layout_->bells[row.bell.load(std::memory_order_relaxed) % kBells];
  }

 private:
  explicit Board(BoardLayout * layout) : layout_(layout) {}
  static std::shared_ptr<Board> map(int file);

  BoardLayout * const layout_;
};

}  // namespace rmw_iceoryx2
