#include "qos_text.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>

namespace rmw_zenoh {
namespace {

using namespace tandem::transport;  // NOLINT: values of its enumerations
using std::chrono::nanoseconds;

constexpr std::uint64_t kReliable = 1;
constexpr std::uint64_t kBestEffort = 2;
constexpr std::uint64_t kTransientLocal = 1;
constexpr std::uint64_t kVolatile = 2;
constexpr std::uint64_t kKeepLast = 1;
constexpr std::uint64_t kKeepAll = 2;
constexpr std::uint64_t kAutomatic = 1;
constexpr std::uint64_t kManualByTopic = 3;
constexpr std::uint64_t kDepth = 42;
constexpr std::uint64_t kInfiniteSeconds = 9'223'372'036;
constexpr std::uint64_t kInfiniteRest = 854'775'807;
constexpr std::uint64_t kSecond = 1'000'000'000;

std::string unless(std::uint64_t usual, std::uint64_t number) {
  return number == usual ? std::string() : std::to_string(number);
}

std::string duration(nanoseconds time) {
  const auto count = static_cast<std::uint64_t>(time.count());
  return time == kInfinite ? "," : std::to_string(count / kSecond) + "," + std::to_string(count % kSecond);
}

/// Reads the fields one after the other.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  /// The number up to `end` (0: the end of the text), or `usual` when there is none.
  std::uint64_t number(char end, std::uint64_t usual) {
    const std::size_t length = end == 0 ? rest_.size() : rest_.find(end);
    if (length == std::string_view::npos) {
      is_sound_ = false;
      return usual;
    }
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    std::uint64_t value = usual;
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    is_sound_ = is_sound_ && (text.empty() || (error == std::errc() && last == text.data() + text.size()));
    return value;
  }

  /// Without end when it is as long as rmw can say, or not said at all.
  nanoseconds duration(char end) {
    const std::uint64_t seconds = number(',', kInfiniteSeconds);
    const std::uint64_t rest = number(end, kInfiniteRest);
    const bool is_unset = seconds == 0 && rest == 0;
    return is_unset || seconds >= kInfiniteSeconds || rest >= kSecond
               ? kInfinite
               : nanoseconds(static_cast<std::int64_t>(seconds * kSecond + rest));
  }

  bool is_sound() const { return is_sound_; }

 private:
  std::string_view rest_;
  bool is_sound_ = true;
};

}  // namespace

std::string to_text(const Qos & qos) {
  return unless(kReliable, qos.reliability == Reliability::kReliable ? kReliable : kBestEffort) + ":" +
         unless(kVolatile, qos.durability == Durability::kVolatile ? kVolatile : kTransientLocal) + ":" +
         unless(kKeepLast, qos.history == History::kKeepLast ? kKeepLast : kKeepAll) + "," + unless(kDepth, qos.depth) +
         ":" + duration(qos.deadline) + ":" + duration(qos.lifespan) + ":" +
         unless(kAutomatic, qos.liveliness == Liveliness::kAutomatic ? kAutomatic : kManualByTopic) + "," +
         duration(qos.lease);
}

std::optional<Qos> qos_of(std::string_view text) {
  Fields fields(text);
  Qos qos;
  qos.reliability = fields.number(':', kReliable) == kBestEffort ? Reliability::kBestEffort : Reliability::kReliable;
  qos.durability =
      fields.number(':', kVolatile) == kTransientLocal ? Durability::kTransientLocal : Durability::kVolatile;
  qos.history = fields.number(',', kKeepLast) == kKeepAll ? History::kKeepAll : History::kKeepLast;
  qos.depth = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fields.number(':', kDepth), 1, UINT32_MAX));
  qos.deadline = fields.duration(':');
  qos.lifespan = fields.duration(':');
  qos.liveliness =
      fields.number(',', kAutomatic) == kManualByTopic ? Liveliness::kManualByTopic : Liveliness::kAutomatic;
  qos.lease = fields.duration(0);
  return fields.is_sound() ? std::optional(qos) : std::nullopt;
}

}  // namespace rmw_zenoh
