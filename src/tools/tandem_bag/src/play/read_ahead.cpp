#include "play/read_ahead.hpp"

#include <algorithm>
#include <utility>

namespace tandem::bag {
namespace {

constexpr std::size_t kMostBytes = 256 << 20;
constexpr std::size_t kKept = 16;  // empty buffers

}  // namespace

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void ReadAhead::seek(std::int64_t start, const std::vector<std::uint32_t> & topics) {
  {
    const std::lock_guard lock(mutex_);
    place_ = Place{start, topics};
    ++seeks_;
    queue_.clear();
    queued_bytes_ = 0;
    error_.clear();
    is_at_end_ = false;
  }
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { read_all(); });
  }
  changed_.notify_all();
}

ReadAhead::Entry ReadAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !queue_.empty() || is_at_end_ || is_ending_; });
  if (queue_.empty()) {
    if (!error_.empty()) {
      throw Error(error_);
    }
    Entry end;
    end.is_end = true;
    end.seeks = seeks_;
    return end;
  }
  Entry entry = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= entry.bytes.size();
  lock.unlock();
  changed_.notify_all();
  return entry;
}

void ReadAhead::recycle(Entry && entry) {
  const std::lock_guard lock(mutex_);
  if (empty_.size() < kKept) {
    empty_.push_back(std::move(entry.bytes));
  }
}

void ReadAhead::read_all() {
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    if (place_) {
      const Place place = *std::exchange(place_, std::nullopt);
      lock.unlock();
      std::string error;
      try {
        reader_.seek(place.start, place.topics);
      } catch (const Error & e) {
        error = e.what();
      }
      lock.lock();
      error_ = error;
      is_at_end_ = !error.empty() && !place_;
    } else if (is_at_end_ || queue_.size() >= limit_ || (queued_bytes_ >= kMostBytes && !queue_.empty())) {
      changed_.wait(lock);
    } else if (!read_one(lock) && !place_) {
      is_at_end_ = true;
      changed_.notify_all();
    }
  }
}

bool ReadAhead::read_one(std::unique_lock<std::mutex> & lock) {
  Entry entry;
  if (!empty_.empty()) {
    entry.bytes = std::move(empty_.back());
    empty_.pop_back();
  }
  lock.unlock();
  bool is_there = false;
  std::string error;
  try {
    is_there = reader_.next(entry.message);
    if (is_there) {
      entry.bytes.assign(entry.message.data, entry.message.data + entry.message.size);
      entry.message.data = entry.bytes.data();
      entry.file = reader_.current_file();
    }
  } catch (const Error & e) {
    error = e.what();
  }
  lock.lock();
  if (place_) {
    return true;  // somebody has sought meanwhile: this is of the past
  }
  error_ = error;
  if (is_there) {
    entry.seeks = seeks_;
    queued_bytes_ += entry.bytes.size();
    queue_.push_back(std::move(entry));
    changed_.notify_all();
  }
  return is_there;
}

}  // namespace tandem::bag
