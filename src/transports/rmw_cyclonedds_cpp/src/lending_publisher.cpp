#include "lending_publisher.hpp"

#include <dds/ddsc/dds_loan_api.h>

#include <typeinfo>
#include <utility>

#include "shared_memory.hpp"

namespace rmw_cyclonedds {

using transport::PublishResult;

/// A chunk, and the writer that it must be given back to.
class LendingPublisher::ChunkLoan final : public transport::Loan {
 public:
  ChunkLoan(std::shared_ptr<Writer> from, void * chunk) : writer(std::move(from)), chunk_(chunk) {}
  ~ChunkLoan() override {
    if (chunk_ != nullptr) {
      dds_return_loan(writer->entity(), &chunk_, 1);
    }
    --writer->lent;
  }
  void * message() override { return chunk_; }
  void * release() { return std::exchange(chunk_, nullptr); }

  const std::shared_ptr<Writer> writer;

 private:
  void * chunk_;
};

bool LendingPublisher::can_lend(const Writer & writer) {
  void * chunk = nullptr;
  if (!dds_is_loan_available(writer.entity()) || dds_loan_sample(writer.entity(), &chunk) != DDS_RETCODE_OK) {
    return false;
  }
  dds_return_loan(writer.entity(), &chunk, 1);
  return true;
}

std::size_t LendingPublisher::subscription_count() const {
  dds_publication_matched_status_t status{};
  dds_get_publication_matched_status(writer()->entity(), &status);
  if (status.current_count == 0) {
    return 0;
  }
  Flow & flow = writer()->participant().flow();
  const std::uint64_t news = flow.version();
  const std::lock_guard lock(count_mutex_);
  if (count_.news != news || count_.ever_matched != status.total_count || count_.matched != status.current_count) {
    count_ = {news, status.total_count, status.current_count, flow.count_ready(writer()->entity(), writer()->gid())};
  }
  return count_.ready;
}

std::unique_ptr<transport::Loan> LendingPublisher::borrow() {
  if (++writer()->lent <= kMostLoans) {
    void * chunk = nullptr;
    if (dds_loan_sample(writer()->entity(), &chunk) == DDS_RETCODE_OK) {
      known_.construct(type(), chunk);
      return std::make_unique<ChunkLoan>(writer(), chunk);
    }
  }
  --writer()->lent;
  failed_borrows_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

PublishResult LendingPublisher::publish(std::unique_ptr<transport::Loan> loan) {
  if (!loan || typeid(*loan) != typeid(ChunkLoan) || static_cast<const ChunkLoan &>(*loan).writer != writer()) {
    return PublishResult::kInvalidLoan;
  }
  // Nobody to publish to: a chunk on its way to nobody would stay with a subscription that knows no such publisher yet.
  return subscription_count() == 0 ? PublishResult::kOk : write(static_cast<ChunkLoan &>(*loan).release());
}

PublishResult LendingPublisher::send(const void * message) {
  return subscription_count() == 0 ? PublishResult::kOk : write(message);
}

}  // namespace rmw_cyclonedds
