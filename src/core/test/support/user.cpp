#include "user.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness.hpp"
#include "payload.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

Outcome done() { return {true, -1, {}}; }

Outcome failed(const std::string & reason) { return {false, -1, reason}; }

template <class Code>
Outcome failed(const Failure<Code> & failure) {
  return {false, static_cast<int>(failure.code), failure.message};
}

Outcome not_published(PublishError error, std::uint64_t count) {
  return {false, static_cast<int>(error),
          std::string("publish: ") + to_string(error) + " after " + std::to_string(count)};
}

tl::expected<std::uint64_t, PublishError> publish_allocation(Publisher & publisher, void * memory,
                                                             std::uint64_t counter, std::size_t size) {
  fill(memory, size, publisher.info().id.number, counter);
  const auto result = publisher.publish_allocation(memory, size);
  if (!result) {
    deallocate(memory);
  }
  return result;
}

}  // namespace

Numbers range(std::uint64_t first, std::uint64_t end) {
  Numbers numbers(end - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

bool contains(const std::vector<std::string> & lines, const std::string & text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string & line) { return line.find(text) != std::string::npos; });
}

std::ostream & operator<<(std::ostream & out, const Outcome & outcome) {
  return out << (outcome ? "done" : outcome.reason);
}

std::ostream & operator<<(std::ostream & out, const GraphSize & size) {
  return out << size.processes << " processes, " << size.endpoints << " endpoints, " << size.nodes << " nodes";
}

// ---- domain --------------------------------------------------------------------------------------------------------

Outcome User::join(std::uint32_t domain) {
  auto joined = Participant::join(domain);
  if (!joined) {
    return failed(joined.error());
  }
  participant_ = *joined;
  return done();
}

void User::leave() {
  publishers_.clear();
  subscriptions_.clear();
  wait_sets_.clear();
  participant_.reset();
}

bool User::settle() { return participant_.value().settle(std::chrono::seconds(60)); }

GraphSize User::graph_size() const {
  GraphSize size;
  for (const ProcessInfo & process : participant_.value().graph().processes) {
    ++size.processes;
    size.endpoints += process.endpoints.size();
    size.nodes += process.nodes.size();
  }
  return size;
}

// ---- endpoints -----------------------------------------------------------------------------------------------------

Outcome User::create_publisher(const std::string & name, const std::string & topic, const EndpointOptions & options) {
  auto made = participant_.value().create_publisher(publisher_options(topic, options));
  if (!made) {
    return failed(made.error());
  }
  publishers_[name] = {std::move(*made), 0};
  return done();
}

Outcome User::create_subscription(const std::string & name, const std::string & topic,
                                  const EndpointOptions & options) {
  auto made = participant_.value().create_subscription(subscription_options(topic, options));
  if (!made) {
    return failed(made.error());
  }
  subscriptions_[name] = std::move(*made);
  return done();
}

Outcome User::create_wait_set(const std::string & name) {
  auto made = participant_.value().create_wait_set();
  if (!made) {
    return failed(made.error());
  }
  wait_sets_[name] = std::move(*made);
  return done();
}

void User::close(const std::string & name) {
  publishers_.erase(name);
  subscriptions_.erase(name);
  wait_sets_.erase(name);
}

std::size_t User::matched(const std::string & name) const {
  const auto out = publishers_.find(name);
  return out != publishers_.end() ? out->second.publisher->matched_count() : subscriptions_.at(name)->matched_count();
}

// ---- publishing ----------------------------------------------------------------------------------------------------

Outcome User::publish(const std::string & name, std::uint64_t count, std::size_t size, Way way) {
  Out & out = publishers_.at(name);
  Publisher & publisher = *out.publisher;
  std::vector<std::byte> buffer(way == Way::kCopy ? size : 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    tl::expected<std::uint64_t, PublishError> result;
    if (way == Way::kCopy) {
      fill(buffer.data(), size, publisher.info().id.number, out.next);
      result = publisher.publish_copy(buffer.data(), size);
    } else if (way == Way::kAllocation) {
      void * const memory = allocate(size);
      if (memory == nullptr) {
        return failed("allocate: no memory after " + std::to_string(i));
      }
      result = publish_allocation(publisher, memory, out.next, size);
    } else {
      auto loan = publisher.borrow(size);
      if (!loan) {
        return failed(std::string("borrow: ") + to_string(loan.error()) + " after " + std::to_string(i));
      }
      fill(loan->data(), size, publisher.info().id.number, out.next);
      result = publisher.publish(std::move(*loan));
    }
    if (!result) {
      return not_published(result.error(), i);
    }
    ++out.next;
  }
  return done();
}

std::uint64_t User::published(const std::string & name) const { return publishers_.at(name).next; }

std::uint64_t User::forgotten(const std::string & name) const { return publishers_.at(name).publisher->forgotten(); }

std::size_t User::borrow(const std::string & name, std::size_t count, std::size_t size) {
  for (std::size_t got = 0; got < count; ++got) {
    auto loan = publisher(name).borrow(size);
    if (!loan) {
      return got;
    }
    loans_.push_back(std::move(*loan));
  }
  return count;
}

std::uint64_t User::failed_borrows(const std::string & name) const {
  return publishers_.at(name).publisher->failed_borrows();
}

Outcome User::publish_loans(const std::string & name) {
  Out & out = publishers_.at(name);
  Outcome outcome = done();
  for (Loan & loan : loans_) {
    fill(loan.data(), loan.size(), 0, out.next);
    if (const auto result = out.publisher->publish(std::move(loan))) {
      ++out.next;
    } else {
      outcome = not_published(result.error(), out.next);
    }
  }
  loans_.clear();
  return outcome;
}

void User::drop_loans() { loans_.clear(); }

// ---- taking --------------------------------------------------------------------------------------------------------

bool User::has_data(const std::string & name) const { return subscriptions_.at(name)->has_data(); }

std::uint64_t User::lost(const std::string & name) const { return subscriptions_.at(name)->lost(); }

Numbers User::take(const std::string & name, std::uint64_t most) { return take_all(name, most, false); }

Numbers User::keep(const std::string & name, std::uint64_t most) { return take_all(name, most, true); }

Numbers User::take_all(const std::string & name, std::uint64_t most, bool keeps) {
  Numbers numbers;
  while (numbers.size() < most) {
    Sample sample = subscription(name).take();
    if (!sample) {
      break;
    }
    const bool whole = is_whole(sample.data(), sample.size());
    numbers.push_back(whole ? counter_of(sample.data(), sample.size()) : kTorn);
    if (keeps) {
      kept_.push_back(std::move(sample));
    }
  }
  return numbers;
}

Outcome User::await(const std::string & name, std::uint64_t count) {
  Subscription & in = subscription(name);
  std::uint64_t got = 0;
  std::string wrong;
  const auto take_one = [&] {
    const Sample sample = in.take();
    if (!sample) {
      return false;
    }
    const bool whole = is_whole(sample.data(), sample.size());
    const std::uint64_t counter = counter_of(sample.data(), sample.size());
    std::uint64_t & next = awaited_[{name, sample.publisher().incarnation, sample.publisher().number}];
    if (!whole || counter != next) {
      wrong += "message " + std::to_string(next) + " is " + (whole ? std::to_string(counter) : "torn") + "; ";
    }
    ++next;
    ++got;
    return true;
  };
  const bool all = wait_until([&] {
    while (got < count && take_one()) {
    }
    return got >= count;
  });
  return !all            ? failed("only " + std::to_string(got) + " of " + std::to_string(count))
         : wrong.empty() ? done()
                         : failed(wrong.substr(0, 200));
}

Outcome User::check_kept(std::size_t count) const {
  for (const Sample & sample : kept_) {
    if (!is_whole(sample.data(), sample.size())) {
      return failed("message " + std::to_string(sample.sequence()) + " is torn");
    }
  }
  return kept_.size() == count ? done() : failed(std::to_string(kept_.size()) + " are kept");
}

void User::drop_kept() { kept_.clear(); }

// ---- waiting and looking -------------------------------------------------------------------------------------------

void User::attach(const std::string & wait_set, const std::string & subscription) {
  wait_sets_.at(wait_set)->attach(*subscriptions_.at(subscription));
}

bool User::wait(const std::string & wait_set, std::chrono::milliseconds time) {
  return wait_sets_.at(wait_set)->wait(time);
}

std::size_t User::in_use() const { return heap_statistics().in_use; }

std::vector<std::string> User::log() const { return LogCapture::lines(); }

}  // namespace tandem::test
