// The other processes of these tests, and what a reader makes of what it gets.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "agent.hpp"

namespace tandem::test {

/// Counter of the message that ends a flow.
inline constexpr std::uint64_t kEnd = ~std::uint64_t{0};

/// Watches one publisher's messages of payload.hpp, from its first: are they whole, and do each tag's counters rise by
/// one from 0, but for what is missing?
class Tally {
 public:
  void add(const Sample & sample);
  std::uint64_t count() const { return count_; }
  bool has_ended() const { return has_ended_; }
  /// "COUNT torn 0 disordered 0 missing 0 lost 0". Missing is what the sequence numbers say, lost what the
  /// subscription says.
  std::string text(const Subscription & subscription) const;

 private:
  bool has_ended_ = false;
  std::uint64_t count_ = 0;
  std::uint64_t missing_ = 0;
  std::uint64_t torn_ = 0;
  std::uint64_t disordered_ = 0;
  std::uint64_t sequence_ = 0;
  std::map<std::uint64_t, std::uint64_t> next_;  ///< by tag
};

/// What a tally says of `count` messages when nothing is wrong and nothing is missing.
std::string perfect(std::uint64_t count);
/// Whether a tally finds nothing wrong with what came, and nothing missing but what was lost and counted.
bool is_sound(const std::string & tally);

/// How the role "reader" reads "topic": it says "ready" once it is matched, and its tally when it has `count` messages
/// or the one that ends the flow.
struct Habits {
  std::string options;         ///< of the subscription
  std::uint64_t count = kEnd;  ///< messages to wait for
  std::uint64_t batch = 1;     ///< takes so many,
  unsigned pause = 0;          ///< then sleeps for so many microseconds
  std::uint64_t keep = 0;      ///< keeps the last so many messages
};

/// A child that reads; it is matched with one publisher.
class ReadingChild {
 public:
  explicit ReadingChild(const Habits & habits);
  Child & process() { return child_; }
  std::string tally() { return child_.read_line(120); }

 private:
  Child child_;
};

/// The roles of this program: "reader", and "exiting" (roles.cpp).
Role role_of(const std::string & name);

}  // namespace tandem::test
