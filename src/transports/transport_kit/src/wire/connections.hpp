// What participants tell each other in shared memory about the connections between them.
//
// Each participant has one table, a file that all others map writable, with a row for each of its subscriptions and each
// publisher, here or elsewhere, that it is connected with:
//
//   subscription                                   publisher
//   fills a row, status = kConnected, calls it --> sees it, Sender::admit()
//                                              <-- status = kAdmitted, with the number of the first message
//   drops what comes before that               <-- messages from there on
//   received, taken = number after the last    --> room for more, acknowledgement
//                                              <-- end = number after the last, when the publisher ends
//   status = kFree                             --> forgets it
//
// A row is used again and again. Its status is one word with the generation of its use, which a publisher changes by
// comparing: so one that comes late changes nothing.
//
// Garbage in it costs messages or time, never memory safety: everything is a hint for its reader, and nobody's index.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tandem/kit/bell.hpp"
#include "tandem/kit/descriptor.hpp"
#include "tandem/transport.hpp"

namespace tandem::transport {

/// A bell, shared by processes, that costs who rings a fence and a load while nobody waits.
///
/// Whoever waits counts itself among the waiting, then looks at its condition, and sleeps. Whoever rings has changed the
/// condition, then looks whether somebody waits. In between is a seq_cst fence on both sides: one of the two sees the other.
class SharedBell {
 public:
  void ring() noexcept;
  /// Until the condition holds. \return false when the time is over.
  bool wait(const std::function<bool()> & condition, std::chrono::steady_clock::time_point end);

 private:
  RingCounter counter_;
  std::atomic<std::uint32_t> waiting_;
};

enum class ConnectionState : std::uint8_t { kFree, kConnected, kAdmitted };

/// How far a connection is, in one word.
struct ConnectionStatus {
  ConnectionState state = ConnectionState::kFree;
  std::uint16_t generation = 0;  ///< 14 bits
  std::uint64_t first = 0;       ///< number of the first message, of what is admitted; 48 bits

  std::uint64_t word() const {
    return static_cast<std::uint64_t>(state) | (std::uint64_t{generation} << 2) | (first << 16);
  }
  static ConnectionStatus of(std::uint64_t word) {
    return {static_cast<ConnectionState>(word & 3), static_cast<std::uint16_t>((word >> 2) & kGenerations), word >> 16};
  }
  static constexpr std::uint16_t kGenerations = 0x3fff;
};

struct alignas(128) Connection {
  Gid publisher;                      ///< written by the subscription while kFree
  Gid subscription;                   ///< likewise
  std::uint64_t history;              ///< messages asked for; likewise
  std::atomic<std::uint64_t> status;  ///< ConnectionStatus; kAdmitted by the publisher, all else by the subscription
  std::atomic<std::uint64_t> end;     ///< by a publisher that has ended: end_of(); else kNoEnd
  std::atomic<std::uint32_t> waiter;  ///< of the subscription's table, to be rung after each message; 0: none
  alignas(64) std::atomic<std::uint64_t> received;  ///< number after the last that has arrived; by the subscription
  std::atomic<std::uint64_t> taken;                 ///< number after the last that was taken; by the subscription

  static constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};
  /// The number after the last, for one use of the row only.
  static std::uint64_t end_of(std::uint64_t next, std::uint16_t generation) {
    return (std::uint64_t{generation} << 48) | next;
  }
};
static_assert(sizeof(Connection) == 128);

/// A mapped table. It stays readable after its participant has gone.
class ConnectionTable {
 public:
  static constexpr std::size_t kRows = 4096;
  static constexpr std::uint32_t kWaiters = 240;

  /// Makes it. \throws Error. `transport` is for its text.
  static std::shared_ptr<ConnectionTable> create(const std::string & path, const std::string & transport);
  /// Maps another's. \return null when it is not there, or is none.
  static std::shared_ptr<ConnectionTable> open(const std::string & path);
  ~ConnectionTable();
  ConnectionTable(const ConnectionTable &) = delete;
  ConnectionTable & operator=(const ConnectionTable &) = delete;

  /// Of the own table: a free row, null when all are in use or there is no memory for more. One thread at a time.
  Connection * take_row();
  struct Found {
    Connection * row = nullptr;  ///< null when there is none
    std::uint64_t status = 0;    ///< kConnected
  };
  /// The row of a pair that waits to be admitted.
  Found find(const Gid & publisher, const Gid & subscription) const;
  /// Rung by readers when something was received or taken; a publisher of this participant may wait for that.
  SharedBell & progress() const;
  /// One of 1 .. kWaiters - 1; any other number is taken for one of them.
  RingCounter & waiter(std::uint32_t number) const;

 private:
  struct Layout;
  ConnectionTable(Layout * layout, Descriptor file) : layout_(layout), file_(std::move(file)) {}
  static std::shared_ptr<ConnectionTable> map(Descriptor file);
  bool provide(std::uint64_t rows) const;

  Layout * const layout_;
  const Descriptor file_;
  std::uint64_t used_ = 0;  ///< of the own table: rows that were used
};

}  // namespace tandem::transport
