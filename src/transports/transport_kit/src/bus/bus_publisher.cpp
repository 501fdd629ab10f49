#include "bus/bus_publisher.hpp"

#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "bus/release_endpoint.hpp"
#include "tandem/cdr.hpp"
#include "tandem/kit/endpoint.hpp"

namespace tandem::transport {
namespace {

/// A chunk of the writer's that a user fills. Deletes itself when the loan is given back.
struct LoanedChunk final : Lender {
  using Count = std::shared_ptr<std::atomic<std::size_t>>;
  LoanedChunk(Count loan_count, std::unique_ptr<Chunk> loaned)
      : count(std::move(loan_count)), chunk(std::move(loaned)) {}
  ~LoanedChunk() { --*count; }
  void take_back(void *, std::uint32_t) noexcept override { delete this; }

  const Count count;
  std::unique_ptr<Chunk> chunk;
};

}  // namespace

BusPublisher::BusPublisher(std::shared_ptr<Bus> bus, const MessageType & type, const TopicOptions & options)
    : CopyingPublisher(type, options.qos),
      bus_(std::move(bus)),
      channel_(channel_of(options.topic)),
      encoding_(channel_ == Channel::kTopic ? bus_->encoding_of(type) : Encoding::kCdr),
      writer_(bus_->create_writer(type_on(channel_, type),
                                  make_endpoint(bus_->name(), EndpointKind::kPublisher, type, options))) {
  if (options.origin) {
    writer_->set_source_timestamp(options.origin->source_timestamp);
  }
}

BusPublisher::~BusPublisher() { release_endpoint(*bus_, writer_); }

Loan BusPublisher::borrow() {
  if (encoding_ != Encoding::kMemory || writer_->loans() == Loans::kNone || bus_->is_foreign()) {
    return CopyingPublisher::borrow();
  }
  if (++*loans_ <= kMaxLoans) {
    try {
      if (auto chunk = writer_->lend(type().size)) {
        void * const message = chunk->data;
        if (chunk->is_fresh) {
          type().construct(message);
        }
        return Loan(*new LoanedChunk(loans_, std::move(chunk)), message, type().size);
      }
    } catch (const std::bad_alloc &) {
    }
  }
  --*loans_;
  failed_loans_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

PublishResult BusPublisher::do_publish(Loan && loan, RequestId * id) {
  auto * const lender = loan ? dynamic_cast<LoanedChunk *>(loan.lender()) : nullptr;
  if (lender == nullptr) {
    return CopyingPublisher::do_publish(std::move(loan), id);
  }
  loan.release();
  const std::unique_ptr<LoanedChunk> loaned(lender);
  if (loaned->count != loans_) {
    return PublishResult::kInvalidLoan;
  }
  try {
    return bus_->is_foreign() ? PublishResult::kClosed : writer_->write(std::move(loaned->chunk), id);
  } catch (const std::bad_alloc &) {
    return PublishResult::kNoMemory;
  }
}

/// Copies or serializes the message into memory of the writer's, and sends that.
PublishResult BusPublisher::send(const void * message, RequestId * id) {
  if (bus_->is_foreign()) {
    return PublishResult::kClosed;
  }
  RequestId nobody;
  id = channel_ == Channel::kTopic ? nullptr : id != nullptr ? id : &nobody;
  const RequestHeader header = bus_->request_header();
  if (channel_ == Channel::kRequest && header != RequestHeader::kNative) {
    id->sequence = ++requests_;
  }
  if (const auto sent = writer_->write(type(), message, id)) {
    return *sent;
  }
  const bool is_memory = encoding_ == Encoding::kMemory;
  const std::size_t ahead = id != nullptr ? size_of(header) : 0;
  const std::size_t size = ahead + (is_memory ? type().size : serialized_size(type(), message));
  if (!is_memory && size > std::numeric_limits<std::int32_t>::max()) {
    return PublishResult::kNoMemory;
  }
  auto chunk = writer_->allocate(size);
  if (!chunk) {
    return PublishResult::kPoolExhausted;
  }
  if (is_memory) {
    std::memcpy(chunk->data, message, size);
  } else if (serialize(type(), message, chunk->data + ahead, size - ahead) != size - ahead) {
    return PublishResult::kNoMemory;
  }
  if (id != nullptr) {
    write_request_header(header, *id, chunk->data);
  }
  return writer_->write(std::move(chunk), id);
}

std::size_t BusPublisher::subscription_count() const { return bus_->is_foreign() ? 0 : writer_->matched(); }

bool BusPublisher::wait_for_all_acked(std::chrono::nanoseconds timeout) {
  return bus_->is_foreign() || writer_->wait_for_all_acked(timeout);
}

std::uint64_t BusPublisher::failed_borrows() const {
  return CopyingPublisher::failed_borrows() + failed_loans_.load(std::memory_order_relaxed);
}

}  // namespace tandem::transport
