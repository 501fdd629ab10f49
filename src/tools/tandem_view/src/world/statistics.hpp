// Rates, bytes, losses and copies of all topics in shared memory, seen from outside: nobody has to be subscribed to.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tandem/inspect.hpp"
#include "tandem/tools/json.hpp"

namespace tandem::view {

/// The last 60 values, the oldest first.
class LastMinute {
 public:
  static constexpr std::size_t kLength = 60;
  void add(float value) {
    values_[next_] = value;
    next_ = (next_ + 1) % kLength;
  }
  std::vector<float> values() const;

 private:
  std::array<float, kLength> values_{};
  std::size_t next_ = 0;
};

struct Figures {
  double messages = 0;       ///< a second
  double bytes = 0;          ///< a second; of messages that vary in size without what their sequences hold
  double lost_rate = 0;      ///< a second
  std::uint64_t lost = 0;    ///< of the readers that there are
  std::uint64_t copied = 0;  ///< messages that a publisher or a reader has copied
  std::string means;         ///< the worst of its connections; empty: there is none
  LastMinute message_history, byte_history, loss_history;
  bool is_present = false;
};

/// Not thread-safe. What this process itself reads is left out.
class Statistics {
 public:
  explicit Statistics(std::uint32_t domain) { options_.domain = domain; }

  /// Looks, and compares with the look before. Call it once a second.
  void update();

  const std::map<std::string, Figures> & topics() const { return topics_; }
  /// Who publishes a topic to whom, by what means, and how it fares: {"publishers": [...], "connections": [...]}.
  tools::Json connections(const std::string & topic) const;

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  void add_publishers(const inspection::Domain & domain, double seconds);
  void add_connections(const inspection::Domain & domain, double seconds);
  std::uint64_t growth(std::map<Key, std::uint64_t> & now, const std::map<Key, std::uint64_t> & before, Key key,
                       std::uint64_t value);

  inspection::Options options_;
  inspection::Report report_;
  std::int64_t looked_ = 0;  // ns, steady
  std::map<Key, std::uint64_t> published_, lost_, published_before_, lost_before_;
  std::map<std::string, Figures> topics_;
};

}  // namespace tandem::view
