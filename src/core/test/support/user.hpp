// One program that uses the core: it joins a domain and has publishers, subscriptions, wait-sets, loans and samples.
//
// Tests call its endpoints by names that they choose. Messages are those of payload.hpp; their counters rise from 0 per
// publisher.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "options.hpp"

namespace tandem::test {

/// Counters of messages.
using Numbers = std::vector<std::uint64_t>;
/// In place of the counter of a message that is not whole.
inline constexpr std::uint64_t kTorn = ~std::uint64_t{0};
/// From `first` to the one before `end`.
Numbers range(std::uint64_t first, std::uint64_t end);

/// Whether something was done, or else why not.
struct Outcome {
  bool is_done = false;
  int code = -1;       ///< of the error: a JoinError, a CreateError or a PublishError
  std::string reason;  ///< what is said to whoever uses the core

  explicit operator bool() const { return is_done; }
  /// So that a failed EXPECT_TRUE tells the reason.
  operator testing::AssertionResult() const {
    return is_done ? testing::AssertionSuccess() : testing::AssertionFailure() << reason;
  }
  template <class Error>
  bool is(Error error) const {
    return !is_done && code == static_cast<int>(error);
  }
  bool says(const std::string & text) const { return reason.find(text) != std::string::npos; }
  static constexpr auto members() { return std::tuple(&Outcome::is_done, &Outcome::code, &Outcome::reason); }
};
std::ostream & operator<<(std::ostream & out, const Outcome & outcome);

/// Whether one of the lines says it.
bool contains(const std::vector<std::string> & lines, const std::string & text);

/// How a message comes into shared memory: written there, copied, or written into memory that is handed over.
enum class Way : std::uint8_t { kLoan, kCopy, kAllocation };

/// How much a participant sees of its domain.
struct GraphSize {
  std::size_t processes = 0;
  std::size_t endpoints = 0;
  std::size_t nodes = 0;
  bool operator==(const GraphSize &) const = default;
  static constexpr auto members() {
    return std::tuple(&GraphSize::processes, &GraphSize::endpoints, &GraphSize::nodes);
  }
};
std::ostream & operator<<(std::ostream & out, const GraphSize & size);

class User {
 public:
  Outcome join(std::uint32_t domain);
  /// Closes everything first, but keeps loans and samples.
  void leave();
  bool settle();
  GraphSize graph_size() const;

  Outcome create_publisher(const std::string & name, const std::string & topic, const EndpointOptions & options = {});
  Outcome create_subscription(const std::string & name, const std::string & topic,
                              const EndpointOptions & options = {});
  Outcome create_wait_set(const std::string & name);
  /// Whatever has that name.
  void close(const std::string & name);
  std::size_t matched(const std::string & name) const;

  /// Stops at the first error.
  Outcome publish(const std::string & name, std::uint64_t count, std::size_t size, Way way = Way::kLoan);
  std::uint64_t published(const std::string & name) const;
  std::uint64_t forgotten(const std::string & name) const;
  /// Borrows until that fails. \return how many it got.
  std::size_t borrow(const std::string & name, std::size_t count, std::size_t size);
  std::uint64_t failed_borrows(const std::string & name) const;
  Outcome publish_loans(const std::string & name);
  void drop_loans();

  bool has_data(const std::string & name) const;
  std::uint64_t lost(const std::string & name) const;
  /// What is there, up to `most`.
  Numbers take(const std::string & name, std::uint64_t most);
  Numbers keep(const std::string & name, std::uint64_t most);
  /// Takes that many, which come in order: of each publisher those that follow what was awaited before, from its first.
  Outcome await(const std::string & name, std::uint64_t count);
  /// Whether that many samples are kept, and as whole as they were.
  Outcome check_kept(std::size_t count) const;
  void drop_kept();

  void attach(const std::string & wait_set, const std::string & subscription);
  /// False after the time; one below 0 never ends.
  bool wait(const std::string & wait_set, std::chrono::milliseconds time);

  /// Bytes of its region's heap.
  std::size_t in_use() const;
  /// What the core has logged while there was a LogCapture.
  std::vector<std::string> log() const;

  Participant & participant() { return participant_.value(); }
  Publisher & publisher(const std::string & name) { return *publishers_.at(name).publisher; }
  Subscription & subscription(const std::string & name) { return *subscriptions_.at(name); }
  WaitSet & wait_set(const std::string & name) { return *wait_sets_.at(name); }

 private:
  struct Out {
    std::unique_ptr<Publisher> publisher;
    std::uint64_t next = 0;
  };
  Numbers take_all(const std::string & name, std::uint64_t most, bool keeps);

  std::optional<Participant> participant_;
  std::map<std::string, Out> publishers_;
  std::map<std::string, std::unique_ptr<Subscription>> subscriptions_;
  std::map<std::string, std::unique_ptr<WaitSet>> wait_sets_;
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::uint64_t> awaited_;  ///< next of each publisher
  std::vector<Sample> kept_;
  std::vector<Loan> loans_;
};

}  // namespace tandem::test
