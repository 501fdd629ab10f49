#include "record/bag_sink.hpp"

namespace tandem::bag {

template <class Call>
void BagSink::attempt(Call call) {
  const std::lock_guard lock(mutex_);
  if (has_failed_.load(std::memory_order_relaxed)) {
    return;
  }
  try {
    call();
  } catch (const Error & error) {
    fail(error.what());
  }
}

/// With the lock held.
void BagSink::fail(const std::string & why) {
  if (failure_.empty()) {
    failure_ = why;
  }
  has_failed_.store(true, std::memory_order_release);
}

std::uint32_t BagSink::number_of(const Topic & topic) {
  const std::lock_guard lock(mutex_);
  if (const auto known = numbers_.find(topic.name); known != numbers_.end()) {
    return known->second;
  }
  try {
    return numbers_.emplace(topic.name, writer_.add_topic(topic)).first->second;
  } catch (const Error & error) {
    fail(error.what());
    throw;
  }
}

void BagSink::add_offered_qos(std::uint32_t topic, const std::vector<Qos> & all) {
  attempt([&] {
    for (const Qos & qos : all) {
      writer_.add_offered_qos(topic, qos);
    }
  });
}

void BagSink::write(const Message & message) {
  attempt([&] {
    writer_.write(message);
    written_.fetch_add(1, std::memory_order_relaxed);
  });
}

void BagSink::write(const Batch & batch, std::int64_t oldest) {
  attempt([&] {
    for (const Message & message : batch.messages()) {
      if (message.log_time >= oldest) {
        writer_.write(message);
        written_.fetch_add(1, std::memory_order_relaxed);
      }
    }
  });
}

void BagSink::flush() {
  attempt([&] { writer_.flush(); });
}

void BagSink::split() {
  attempt([&] { writer_.split(); });
}

void BagSink::finish_file() {
  attempt([&] { writer_.finish_file(); });
}

void BagSink::close() {
  const std::lock_guard lock(mutex_);
  try {
    writer_.close();
  } catch (const Error & error) {
    fail(error.what());
  }
  if (!failure_.empty()) {
    throw Error(failure_);
  }
}

}  // namespace tandem::bag
