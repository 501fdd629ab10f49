// See payload.hpp.
#include "measures/payload.hpp"

#include <cstring>
#include <stdexcept>

#include "tandem/measure/message_id.hpp"

namespace lab {

void write_head(std::span<std::byte> payload, const Head & head) noexcept {
  const std::uint64_t id = tandem::measure::make_id(head.number, head.lateness_us * 1000);
  std::memcpy(payload.data(), &id, sizeof(id));
  std::memcpy(payload.data() + sizeof(id), &head.sent_ns, sizeof(head.sent_ns));
}

Head head_of(const Arrival & arrival) {
  if (arrival.payload.size() < kHeadSize) throw std::runtime_error("a message came that no lab_peer has sent");
  return read_head(arrival.payload);
}

Head read_head(std::span<const std::byte> payload) noexcept {
  std::uint64_t id = 0;
  Head head;
  std::memcpy(&id, payload.data(), sizeof(id));
  std::memcpy(&head.sent_ns, payload.data() + sizeof(id), sizeof(head.sent_ns));
  head.number = tandem::measure::number_of(id);
  head.lateness_us = tandem::measure::late_ns_of(id) / 1000;
  return head;
}

void write_rest(std::span<std::byte> payload, std::uint64_t number, Check check) noexcept {
  tandem::measure::write_pattern(payload.subspan(kHeadSize), number, check);
}

bool is_whole(std::span<const std::byte> payload, std::uint64_t number, Check check) noexcept {
  if (check == Check::kNone) return true;
  return read_head(payload).number == number && tandem::measure::has_pattern(payload.subspan(kHeadSize), number, check);
}

}  // namespace lab
