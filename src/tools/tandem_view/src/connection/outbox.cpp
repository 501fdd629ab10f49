#include "connection/outbox.hpp"

#include <utility>

namespace tandem::view {

bool Outbox::push_control(Frame frame) {
  const std::lock_guard lock(mutex_);
  if (control_bytes_ + frame.size() > limits_.control_bytes) {
    return false;
  }
  control_bytes_ += frame.size();
  control_.push_back({next_++, 0, std::move(frame)});
  return true;
}

void Outbox::push_message(Frame frame, std::uint32_t key) {
  const std::lock_guard lock(mutex_);
  message_bytes_ += frame.size();
  messages_.push_back({next_++, key, std::move(frame)});
  // The newest always stays, however large: it is what somebody wants to see.
  while (messages_.size() > 1 && (message_bytes_ > limits_.message_bytes || messages_.size() > limits_.message_count)) {
    drop_oldest();
  }
}

void Outbox::drop_oldest() {
  message_bytes_ -= messages_.front().frame.size();
  ++drops_[messages_.front().key];
  messages_.pop_front();
}

std::optional<Frame> Outbox::pop() {
  const std::lock_guard lock(mutex_);
  if (control_.empty() && messages_.empty()) {
    return std::nullopt;
  }
  const bool is_control =
      messages_.empty() || (!control_.empty() && control_.front().number < messages_.front().number);
  auto & queue = is_control ? control_ : messages_;
  Frame frame = std::move(queue.front().frame);
  queue.pop_front();
  (is_control ? control_bytes_ : message_bytes_) -= frame.size();
  return frame;
}

std::size_t Outbox::control_bytes() const {
  const std::lock_guard lock(mutex_);
  return control_bytes_;
}

std::map<std::uint32_t, std::uint64_t> Outbox::take_drops() {
  const std::lock_guard lock(mutex_);
  return std::exchange(drops_, {});
}

}  // namespace tandem::view
