// From a received sample to what a callback takes.
#ifndef RCLCPP__DETAIL__SAMPLE_HPP_
#define RCLCPP__DETAIL__SAMPLE_HPP_

#include <memory>
#include <new>

#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// There is no memory for a callback's own copy of a message.
class NoMemoryForCopy : public std::bad_alloc {};

/// A pointer that keeps the sample's memory for as long as it lives.
template <class MessageT>
std::shared_ptr<const MessageT> share(const tandem::transport::Sample & sample) {
  return std::shared_ptr<const MessageT>(sample.keeper, static_cast<const MessageT *>(sample.message));
}

template <class MessageT>
const MessageT & view(const tandem::transport::Sample & sample) {
  return *static_cast<const MessageT *>(sample.message);
}

/// A message that the callback may write to: what is large is copied once it does. Else all of it, by copy(message).
/// \throws NoMemoryForCopy.
template <class Pointer, class MessageT, class Copy>
Pointer own(const tandem::transport::Sample & sample, Copy && copy) {
  try {
    if (sample.own != nullptr) {
      if (auto message = sample.own(sample)) {
        return std::unique_ptr<MessageT>(static_cast<MessageT *>(message.release()));
      }
    }
    return copy(view<MessageT>(sample));
  } catch (const std::bad_alloc &) {
    throw NoMemoryForCopy();
  }
}

template <class MessageT>
std::unique_ptr<MessageT> own_unique(const tandem::transport::Sample & sample) {
  return own<std::unique_ptr<MessageT>, MessageT>(sample,
                                                  [](const MessageT & m) { return std::make_unique<MessageT>(m); });
}

template <class MessageT>
std::shared_ptr<MessageT> own_shared(const tandem::transport::Sample & sample) {
  return own<std::shared_ptr<MessageT>, MessageT>(sample,
                                                  [](const MessageT & m) { return std::make_shared<MessageT>(m); });
}

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__SAMPLE_HPP_
