// The handles that users have, and how they end.
#include "tandem/participant.hpp"

#include <thread>

#include "meeting/domain.hpp"
#include "process/process.hpp"
#include "system/log_later.hpp"

namespace tandem {

// ---- Participant ---------------------------------------------------------------------------------------------------

Result<Participant, JoinError> Participant::join(std::uint32_t number) {
  const auto process = Process::with_region();
  auto domain = process ? Domain::join(**process, number) : tl::make_unexpected(process.error());
  flush_later();
  if (!domain) {
    return tl::make_unexpected(domain.error());
  }
  // Users share a count of their own: the process keeps the domain for as long as something of ours is left in it.
  std::shared_ptr<Domain> owner = *domain;
  return Participant(std::shared_ptr<Domain>(owner.get(), [owner](Domain *) { owner->release_user(); }));
}

Result<std::unique_ptr<Publisher>, CreateError> Participant::create_publisher(const PublisherOptions & options) const {
  auto impl = domain_->create_publisher(options);
  flush_later();
  if (!impl) {
    return tl::make_unexpected(impl.error());
  }
  (*impl)->domain = domain_;
  return std::make_unique<Publisher>(std::move(*impl));
}

Result<std::unique_ptr<Subscription>, CreateError> Participant::create_subscription(
    const SubscriptionOptions & options) const {
  auto impl = domain_->create_subscription(options);
  flush_later();
  if (!impl) {
    return tl::make_unexpected(impl.error());
  }
  (*impl)->domain = domain_;
  return std::make_unique<Subscription>(std::move(*impl));
}

Result<std::unique_ptr<WaitSet>, CreateError> Participant::create_wait_set() const {
  auto impl = domain_->create_wait_set();
  if (!impl) {
    return tl::make_unexpected(impl.error());
  }
  (*impl)->domain = domain_;
  return std::make_unique<WaitSet>(std::move(*impl));
}

Result<std::uint64_t, CreateError> Participant::add_node(const NodeName & node) const {
  auto number = domain_->add_node(node);
  flush_later();
  return number;
}

void Participant::remove_node(std::uint64_t node) const {
  domain_->remove_node(node);
  flush_later();
}

Graph Participant::graph() const { return domain_->graph(); }
std::uint64_t Participant::graph_version() const { return domain_->graph_version(); }
std::shared_ptr<Notifier> Participant::watch_graph(Notifier::Listener listener) const {
  return domain_->watch_graph(std::move(listener));
}

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

Publisher::Publisher(std::shared_ptr<PublisherImpl> impl) : impl_(std::move(impl)) {}

Publisher::~Publisher() {
  const auto domain = std::move(impl_->domain);
  impl_->set_status_listener(nullptr);
  domain->close_publisher(impl_);
  flush_later();
}

tl::expected<Loan, BorrowError> Publisher::borrow(std::size_t size) { return impl_->borrow(size); }
tl::expected<std::uint64_t, PublishError> Publisher::publish(Loan && loan, Content content, const Address & address) {
  return impl_->publish(std::move(loan), content, address);
}
tl::expected<std::uint64_t, PublishError> Publisher::publish_copy(const void * data, std::size_t size,
                                                                  const Address & address) {
  return impl_->publish_copy(data, size, address);
}
tl::expected<std::uint64_t, PublishError> Publisher::publish_allocation(void * memory, std::size_t size,
                                                                        const Address & address) {
  return impl_->publish_allocation(memory, size, address);
}
void Publisher::assert_liveliness() { impl_->assert_liveliness(); }
Status Publisher::status() const { return impl_->status(); }
void Publisher::set_status_listener(StatusBoard::Listener listener) { impl_->set_status_listener(std::move(listener)); }
std::size_t Publisher::matched_count() const { return impl_->matched_count(); }
std::uint64_t Publisher::failed_borrows() const { return impl_->failed_borrows(); }
std::uint64_t Publisher::forgotten() const { return impl_->forgotten(); }
std::uint64_t Publisher::copied() const { return impl_->copied(); }
std::string Publisher::last_timeout() const { return impl_->last_timeout(); }
const EndpointInfo & Publisher::info() const { return impl_->info(); }

// ---- Subscription --------------------------------------------------------------------------------------------------

Subscription::Subscription(std::shared_ptr<SubscriptionImpl> impl) : impl_(std::move(impl)) {}

Subscription::~Subscription() {
  const auto domain = std::move(impl_->domain);
  impl_->set_status_listener(nullptr);
  domain->close_subscription(impl_);
  flush_later();
}

Sample Subscription::take() { return impl_->take(); }
bool Subscription::has_data() const { return impl_->has_data(); }
Status Subscription::status() const { return impl_->status(); }
void Subscription::set_status_listener(StatusBoard::Listener listener) {
  impl_->set_status_listener(std::move(listener));
}
std::size_t Subscription::matched_count() const { return impl_->matched_count(); }
std::uint64_t Subscription::lost() const { return impl_->lost(); }
std::uint64_t Subscription::copied() const { return impl_->copied(); }
const EndpointInfo & Subscription::info() const { return impl_->info(); }

// ---- WaitSet -------------------------------------------------------------------------------------------------------

WaitSet::WaitSet(std::shared_ptr<WaitSetImpl> impl) : impl_(std::move(impl)) {}

WaitSet::~WaitSet() {
  const auto domain = std::move(impl_->domain);
  domain->close_wait_set(impl_);
}

void WaitSet::attach(const Subscription & subscription, std::uint64_t key) { impl_->attach(subscription.impl(), key); }
void WaitSet::detach(const Subscription & subscription) { impl_->detach(subscription.impl()); }
bool WaitSet::wait(std::chrono::nanoseconds timeout) { return impl_->wait(timeout); }
std::optional<std::uint64_t> WaitSet::next_ready() { return impl_->next_ready(); }
void WaitSet::wake() { impl_->wake(); }

}  // namespace tandem
