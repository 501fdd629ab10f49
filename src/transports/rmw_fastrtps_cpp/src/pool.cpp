#include "pool.hpp"

#include <algorithm>

namespace rmw_fastrtps {

using eprosima::fastrtps::types::ReturnCode_t;

Pool::Pool(std::shared_ptr<Participant> participant, const tandem::MessageType & type)
    : participant_(std::move(participant)), type_(type), share_(pool_share(type)) {}

void Pool::open(dds::DataWriter * writer) {
  void * sample = nullptr;
  if (writer->loan_sample(sample) != ReturnCode_t::RETCODE_OK) {
    return;  // the type is not plain
  }
  const std::lock_guard lock(mutex_);
  for (Mapping & mapping : data_sharing_mappings()) {
    if (mapping.contains(sample)) {
      mapping_ = std::move(mapping);
      writer_ = writer;
    }
  }
  writer->discard_loan(sample);
  if (is_open()) {
    for (auto & [gid, reader] : readers_) {
      grant_locked(gid, reader);
    }
  }
}

void Pool::close() {
  const std::lock_guard lock(mutex_);
  for (void * sample : parked_) {
    writer_->discard_loan(sample);
  }
  parked_.clear();
  for (const auto & [gid, reader] : readers_) {
    if (reader.where >= 0) {
      participant_->board()->withdraw(reader.where);
    }
  }
  readers_.clear();
}

void * Pool::borrow() {
  const std::lock_guard lock(mutex_);
  if (out_ >= share_.loans) {
    return nullptr;
  }
  void * const sample = take_free_locked();
  if (sample != nullptr) {
    ++out_;
    if (std::find(known_.begin(), known_.end(), sample) == known_.end()) {
      type_.construct(sample);
      known_.push_back(sample);
    }
  }
  return sample;
}

void * Pool::borrow_to_copy() {
  const std::lock_guard lock(mutex_);
  void * const sample = take_free_locked();
  if (sample != nullptr) {
    ++out_;
  }
  return sample;
}

void * Pool::take_free_locked() {
  const auto free = std::find_if(parked_.begin(), parked_.end(), [this](void * one) { return !is_held_locked(one); });
  if (free != parked_.end()) {
    void * const sample = *free;
    parked_.erase(free);
    return sample;
  }
  void * sample = nullptr;
  while (writer_->loan_sample(sample) == ReturnCode_t::RETCODE_OK) {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // H2: pairs with the fence in Board::hold()
    if (!is_held_locked(sample)) {
      return sample;
    }
    parked_.push_back(sample);
  }
  return nullptr;
}

bool Pool::is_held_locked(const void * sample) const {
  const std::uint64_t key = key_of(mapping_.block_at(sample));
  return std::any_of(boards_.begin(), boards_.end(), [key](const auto & board) { return board->is_held(key); });
}

void Pool::give_back(void * sample) {
  const std::lock_guard lock(mutex_);
  --out_;
  writer_->discard_loan(sample);
}

void Pool::forget_published() {
  const std::lock_guard lock(mutex_);
  --out_;
}

void Pool::matched(const Gid & gid) {
  const std::lock_guard lock(mutex_);
  Reader & reader = readers_[gid];
  if (is_open()) {
    grant_locked(gid, reader);
  }
}

void Pool::grant_locked(const Gid & gid, Reader & reader) {
  const auto board = participant_->board_of(gid);
  if (!board || reader.where >= 0) {
    return;
  }
  std::erase_if(boards_, [](const auto & one) { return !one->is_alive(); });
  if (std::find(boards_.begin(), boards_.end(), board) == boards_.end()) {
    boards_.push_back(board);
  }
  const std::uint32_t samples = std::min(share_.held_by_reader, share_.held - granted_);
  if (samples != 0) {
    reader.where = participant_->board()->grant(key_of(mapping_.file, gid), samples);
    reader.samples = reader.where >= 0 ? samples : 0;
    granted_ += reader.samples;
  }
}

void Pool::unmatched(const Gid & gid) {
  const std::lock_guard lock(mutex_);
  const auto found = readers_.find(gid);
  if (found == readers_.end()) {
    return;
  }
  if (found->second.where >= 0) {
    participant_->board()->withdraw(found->second.where);
    granted_ -= found->second.samples;
  }
  readers_.erase(found);
}

}  // namespace rmw_fastrtps
