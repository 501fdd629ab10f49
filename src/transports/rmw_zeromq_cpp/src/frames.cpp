#include "frames.hpp"

#include <algorithm>
#include <new>

namespace rmw_zeromq {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

FramePool::~FramePool() { std::for_each(idle_.begin(), idle_.end(), destroy); }

void FramePool::destroy(Frame * frame) noexcept {
  frame->~Frame();
  ::operator delete(static_cast<void *>(frame), kAlignment);
}

Frame * FramePool::take(std::size_t size) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    // The last one given back: it may still be in the caches.
    const auto found =
        std::find_if(idle_.rbegin(), idle_.rend(), [size](Frame * one) { return one->capacity >= size; });
    if (found != idle_.rend()) {
      Frame * const frame = *found;
      idle_.erase(std::next(found).base());
      idle_bytes_ -= frame->capacity;
      frame->pool = shared_from_this();
      return frame;
    }
  }
  // A little more, so that messages that grow slowly do not miss each time.
  const std::size_t capacity = type_.is_fixed_size ? size : size + size / 8;
  Frame * const frame = new (::operator new(Frame::kPayload + capacity, kAlignment)) Frame;
  frame->capacity = capacity;
  frame->pool = shared_from_this();
  if (type_.is_fixed_size) {
    type_.construct(frame->payload());
  }
  return frame;
}

void FramePool::give_back(Frame * frame) noexcept {
  const std::shared_ptr<FramePool> pool = std::move(frame->pool);
  Frame * surplus = frame;
  if (pool->is_reusing_ && frame->capacity <= kMaxIdleBytes) {
    const std::lock_guard<std::mutex> lock(pool->mutex_);
    surplus = nullptr;
    pool->idle_.push_back(frame);
    pool->idle_bytes_ += frame->capacity;
    if (pool->idle_.size() > kMaxIdle || pool->idle_bytes_ > kMaxIdleBytes) {  // the oldest, which may be too small
      surplus = pool->idle_.front();
      pool->idle_bytes_ -= surplus->capacity;
      pool->idle_.erase(pool->idle_.begin());
    }
  }
  if (surplus != nullptr) {
    destroy(surplus);
  }
}

zmq::message_t FramePool::to_message(Frame * frame, std::size_t size) {
  void * const begin = static_cast<std::byte *>(frame->payload()) - sizeof(Header);
  const auto free = [](void *, void * hint) { give_back(static_cast<Frame *>(hint)); };
  try {
    return zmq::message_t(begin, sizeof(Header) + size, free, frame);
  } catch (const zmq::error_t &) {
    give_back(frame);
    throw std::bad_alloc();
  }
}

zmq::message_t FramePool::make(std::size_t size) {
  if (!is_reusing_ || size <= kSmall) {
    try {
      return zmq::message_t(sizeof(Header) + size);
    } catch (const zmq::error_t &) {
      throw std::bad_alloc();
    }
  }
  return to_message(take(size), size);
}

}  // namespace rmw_zeromq
