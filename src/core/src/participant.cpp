// The handles that users have, and how they end.
#include "tandem/participant.hpp"

#include <thread>

#include "domain.hpp"
#include "log_later.hpp"
#include "process.hpp"

namespace tandem {

// ---- Participant ---------------------------------------------------------------------------------------------------

Result<Participant, JoinError> Participant::join(std::uint32_t number) {
  const auto process = Process::with_region();
  auto domain = process ? (*process)->join(number) : tl::make_unexpected(process.error());
  flush_log();
  if (!domain) {
    return tl::make_unexpected(domain.error());
  }
  // Users share a count of their own: the process keeps the domain for as long as something of ours is left in it.
  std::shared_ptr<Domain> owner = *domain;
  return Participant(std::shared_ptr<Domain>(owner.get(), [owner](Domain *) { owner->release_user(); }));
}

Result<std::unique_ptr<Publisher>, CreateError> Participant::create_publisher(const PublisherOptions & options) const {
  auto body = domain_->create_publisher(options);
  flush_log();
  if (!body) {
    return tl::make_unexpected(body.error());
  }
  (*body)->domain = domain_;
  return std::make_unique<Publisher>(std::move(*body));
}

Result<std::unique_ptr<Subscription>, CreateError> Participant::create_subscription(
    const SubscriptionOptions & options) const {
  auto body = domain_->create_subscription(options);
  flush_log();
  if (!body) {
    return tl::make_unexpected(body.error());
  }
  (*body)->domain = domain_;
  return std::make_unique<Subscription>(std::move(*body));
}

Result<std::unique_ptr<WaitSet>, CreateError> Participant::create_wait_set() const {
  auto body = domain_->create_wait_set();
  if (!body) {
    return tl::make_unexpected(body.error());
  }
  (*body)->domain = domain_;
  return std::make_unique<WaitSet>(std::move(*body));
}

Result<std::uint64_t, CreateError> Participant::add_node(const NodeName & node) const {
  return domain_->add_node(node);
}

void Participant::remove_node(std::uint64_t node) const { domain_->remove_node(node); }
Graph Participant::graph() const { return domain_->graph(); }
std::uint64_t Participant::graph_version() const { return domain_->graph_version(); }

bool Participant::settle(std::chrono::nanoseconds timeout) const {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!domain_->is_settled()) {
    if (std::chrono::steady_clock::now() >= end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// ---- Publisher, Loan -----------------------------------------------------------------------------------------------

const char * to_string(BorrowError error) {
  return error == BorrowError::kNoMemory ? "the shared memory is full" : "every block is on loan or kept by a reader";
}

const char * to_string(PublishError error) {
  switch (error) {
    case PublishError::kInvalidLoan: return "the loan is empty, already published, or another publisher's";
    case PublishError::kPoolExhausted: return to_string(BorrowError::kPoolExhausted);
    case PublishError::kNoMemory: return to_string(BorrowError::kNoMemory);
    case PublishError::kTimeout: return "a reliable keep-all reader did not keep up within max_blocking_time";
    case PublishError::kNotShared: return "parts of the message lie outside of the shared memory";
  }
  return "unknown";
}

Publisher::Publisher(std::shared_ptr<PublisherBody> body) : body_(std::move(body)) {}

Publisher::~Publisher() {
  const auto domain = std::move(body_->domain);
  domain->close_publisher(body_);
}

tl::expected<Loan, BorrowError> Publisher::borrow(std::size_t size) { return body_->borrow(size); }
tl::expected<std::uint64_t, PublishError> Publisher::publish(Loan && loan, bool is_copy) {
  return body_->publish(std::move(loan), is_copy);
}
tl::expected<std::uint64_t, PublishError> Publisher::publish_copy(const void * data, std::size_t size) {
  return body_->publish_copy(data, size);
}
tl::expected<std::uint64_t, PublishError> Publisher::publish_allocation(void * memory, std::size_t size) {
  return body_->publish_allocation(memory, size);
}
std::size_t Publisher::matched_count() const { return body_->matched_count(); }
std::uint64_t Publisher::failed_borrows() const { return body_->failed_borrows(); }
std::uint64_t Publisher::forgotten() const { return body_->forgotten(); }
std::uint64_t Publisher::copied() const { return body_->copied(); }
std::string Publisher::last_timeout() const { return body_->last_timeout(); }
const EndpointInfo & Publisher::info() const { return body_->info(); }

// ---- Subscription --------------------------------------------------------------------------------------------------

Subscription::Subscription(std::shared_ptr<SubscriptionBody> body) : body_(std::move(body)) {}

Subscription::~Subscription() {
  const auto domain = std::move(body_->domain);
  domain->close_subscription(body_);
}

Sample Subscription::take() { return body_->take(); }
bool Subscription::has_data() const { return body_->has_data(); }
std::size_t Subscription::matched_count() const { return body_->matched_count(); }
std::uint64_t Subscription::lost() const { return body_->lost(); }
std::uint64_t Subscription::copied() const { return body_->copied(); }
const EndpointInfo & Subscription::info() const { return body_->info(); }

// ---- WaitSet -------------------------------------------------------------------------------------------------------

WaitSet::WaitSet(std::shared_ptr<WaitSetBody> body) : body_(std::move(body)) {}

WaitSet::~WaitSet() {
  const auto domain = std::move(body_->domain);
  domain->close_wait_set(body_);
}

void WaitSet::attach(const Subscription & subscription, std::uint64_t key) { body_->attach(subscription.body(), key); }
void WaitSet::detach(const Subscription & subscription) { body_->detach(subscription.body()); }
bool WaitSet::wait(std::chrono::nanoseconds timeout) { return body_->wait(timeout); }
std::optional<std::uint64_t> WaitSet::next_ready() { return body_->next_ready(); }
void WaitSet::wake() { body_->wake(); }

}  // namespace tandem
