// Readers in other processes, and what they make of what they get.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <tuple>

#include "station.hpp"

namespace tandem::test {

/// Counter of the message that ends a flow.
inline constexpr std::uint64_t kEnd = ~std::uint64_t{0};

/// What a reader makes of a flow.
struct Tally {
  std::uint64_t count = 0;
  std::uint64_t torn = 0;  ///< when they came, or later while they were kept
  std::uint64_t disordered = 0;
  std::uint64_t missing = 0;  ///< as the sequence numbers say
  std::uint64_t lost = 0;     ///< as the subscription says

  /// Whether nothing is wrong with what came, and nothing missing but what was lost and counted.
  bool is_sound() const { return torn == 0 && disordered == 0 && missing == lost; }
  bool operator==(const Tally &) const = default;
  static constexpr auto members() {
    return std::tuple(&Tally::count, &Tally::torn, &Tally::disordered, &Tally::missing, &Tally::lost);
  }
};
std::ostream & operator<<(std::ostream & out, const Tally & tally);
/// Of `count` messages when nothing is wrong and nothing is missing.
Tally perfect(std::uint64_t count);

/// How a reader reads "topic".
struct Habits {
  EndpointOptions options;     ///< of the subscription
  std::uint64_t count = kEnd;  ///< messages to wait for
  std::uint64_t batch = 1;     ///< takes so many,
  unsigned pause = 0;          ///< then sleeps for so many microseconds
  std::uint64_t keep = 0;      ///< keeps the last so many messages

  static constexpr auto members() {
    return std::tuple(&Habits::options, &Habits::count, &Habits::batch, &Habits::pause, &Habits::keep);
  }
};

/// A process that reads until it has `count` messages or the one that ends the flow; it is matched with one publisher.
class ReadingChild {
 public:
  explicit ReadingChild(const Habits & habits);
  Child & process() { return station_.child(); }
  /// Waits until it is matched.
  bool is_matched() { return matched_.get(); }
  /// Waits until it has read.
  Tally tally() { return tally_.get(120); }

 private:
  Station station_{Place::kElsewhere};
  Pending<bool> matched_;
  Pending<Tally> tally_;
};

}  // namespace tandem::test
