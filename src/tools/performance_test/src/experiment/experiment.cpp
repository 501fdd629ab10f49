// Setting up, reporting once a second, and ending a run. What the threads do is in experiment_loops.cpp.
#include "experiment/experiment.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "experiment/endpoints.hpp"
#include "options/realtime.hpp"
#include "tandem/transport.hpp"

namespace performance_test {
namespace {

constexpr auto kDrain = std::chrono::milliseconds(50);

Header make_header(const Options & options, const Communication & communication, const MessageKind & kind) {
  Header header;
  header.options = options;
  header.middleware = communication.transport().name();
  header.domain = communication.domain();
  header.message_size = kind.size(options.unbounded_size);
  header.start_time = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return header;
}

void add(rusage & sum, const rusage & other) {
  timeradd(&sum.ru_utime, &other.ru_utime, &sum.ru_utime);
  timeradd(&sum.ru_stime, &other.ru_stime, &sum.ru_stime);
  // The other fields are one array of long in all but name.
  constexpr long rusage::*kFields[] = {
      &rusage::ru_maxrss, &rusage::ru_ixrss,    &rusage::ru_idrss,   &rusage::ru_isrss,   &rusage::ru_minflt,
      &rusage::ru_majflt, &rusage::ru_nswap,    &rusage::ru_inblock, &rusage::ru_oublock, &rusage::ru_msgsnd,
      &rusage::ru_msgrcv, &rusage::ru_nsignals, &rusage::ru_nvcsw,   &rusage::ru_nivcsw};
  for (const auto field : kFields) sum.*field += other.*field;
}

}  // namespace

Experiment::Experiment(const Options & options, Communication & communication, PublishingChild * child)
    : options_(options), kind_(find_message(options.message)), communication_(communication), child_(child) {
  // A publishing child reports to its parent and to nobody else.
  const Header header = make_header(options, communication, kind_);
  if (options.report_fd < 0) outputs_ = make_outputs(header);
  make_endpoints();
  for (const auto & output : outputs_) output->begin(header);
}

Experiment::~Experiment() = default;

void Experiment::make_endpoints() {
  const auto setup = [&](const char * role, std::size_t number, const std::string & topic) {
    return EndpointSetup{kind_, options_, fmt::format("perf_test_{}_{}_{}", role, number, getpid()), topic};
  };
  for (std::uint32_t i = 0; i < (child_ != nullptr ? 0 : options_.publishers); ++i) {
    publishing_.push_back(
        std::make_unique<Publishing>(setup("publisher", i, options_.publish_topic()), communication_));
  }
  std::vector<Reader *> readers;
  for (std::uint32_t i = 0; i < options_.subscribers; ++i) {
    auto receiving = std::make_unique<Receiving>(options_.check_payload);
    receiving->reader = communication_.make_reader(
        setup("subscriber", i, options_.subscribe_topic()),
        [this, r = receiving.get()](const void * message, const PublisherId & from) { on_message(*r, message, from); });
    readers.push_back(receiving->reader.get());
    receiving_.push_back(std::move(receiving));
  }
  if (options_.strategy == Strategy::kIntraThread) {
    loops_.push_back(communication_.make_loop(readers));
  } else {
    for (Reader * const reader : readers) loops_.push_back(communication_.make_loop({reader}));
  }
}

bool Experiment::wait_for_matched() {
  const auto enough = [](const auto & endpoints, const auto & count, std::uint32_t expected) {
    return std::all_of(endpoints.begin(), endpoints.end(), [&](const auto & e) { return count(*e) >= expected; });
  };
  const auto publishers_ready = [&] {
    return enough(
        publishing_, [](const Publishing & p) { return p.sender.matched(); }, options_.expected_subscribers);
  };
  const auto receivers_ready = [&] {
    return enough(
        receiving_, [](const Receiving & r) { return r.reader->matched(); }, options_.expected_publishers);
  };
  const std::int64_t deadline = now_ns() + options_.matched_timeout * kSecond;
  while (communication_.ok()) {
    const bool found_subscribers = publishers_ready();
    const bool found_publishers = receivers_ready();
    if (found_subscribers && found_publishers) break;
    if (now_ns() >= deadline) {
      fmt::print(stderr,
                 "perf_test: waited {} s for {} of topic '{}' in vain; are they running, with the same type and QoS?\n",
                 options_.matched_timeout,
                 found_subscribers ? fmt::format("{} publishers", options_.expected_publishers)
                                   : fmt::format("{} subscriptions", options_.expected_subscribers),
                 found_subscribers ? options_.subscribe_topic() : options_.publish_topic());
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

int Experiment::run() {
  if (!wait_for_matched()) {
    communication_.stop();
    return 1;
  }
  block_.start_ns = last_report_ns_ = now_ns();
  const std::int64_t deadline =
      options_.max_runtime == 0 ? INT64_MAX : block_.start_ns + std::int64_t{options_.max_runtime} * kSecond;
  start_threads();
  bool last = false;
  for (bool first = true; !last; first = false) {
    last = wait_for_block(last_report_ns_ + kSecond, deadline);
    const std::int64_t block_end = now_ns();
    if (last) {
      // First the publishers, then what is still on its way, so that the counts agree.
      stop_publishing_ = true;
      for (std::thread & thread : publisher_threads_) thread.join();
      if (child_ != nullptr) child_->finish(block_.interval.totals, child_usage_);
      if (!receiving_.empty() && communication_.ok()) std::this_thread::sleep_for(kDrain);
    }
    report(block_end, last);
    if (first) lock_memory(options_);
  }
  return finish();
}

bool Experiment::wait_for_block(std::int64_t block_end_ns, std::int64_t deadline_ns) {
  const std::int64_t end = std::min(block_end_ns, deadline_ns);
  if (!tandem::measure::sleep_until(end, 0, [this] { return communication_.ok() && !failed_; })) {
    reason_ = failed_ ? "Failed. Exiting." : "Interrupted. Exiting.";
    return true;
  }
  if (end < deadline_ns) return false;
  reason_ = "Maximum runtime reached. Exiting.";
  return true;
}

void Experiment::collect(Interval & interval, Usage & usage) {
  for (const auto & p : publishing_) p->collector.take(interval);
  for (const auto & r : receiving_) r->collector.take(interval);
  getrusage(RUSAGE_SELF, &usage.self);
  usage.wall = static_cast<double>(now_ns() - block_.start_ns) * 1e-9;
  if (child_ == nullptr) return;
  if (!child_->collect(interval.totals, child_usage_) && stop_publishing_ == false) {
    if (!child_->succeeded()) fmt::print(stderr, "perf_test: the publishing process failed\n");
    failed_ = failed_ || !child_->succeeded();
  }
  add(usage.self, child_usage_);
}

void Experiment::report(std::int64_t now, bool last) {
  collect(block_.interval, block_.usage);
  block_.loop = static_cast<double>(now - last_report_ns_) * 1e-9;
  block_.experiment = static_cast<double>(now - block_.start_ns) * 1e-9;
  const double capacity = block_.loop * std::max(std::thread::hardware_concurrency(), 1U);
  block_.cpu_percent = 100 * (block_.usage.cpu_seconds() - last_usage_.cpu_seconds()) / capacity;
  const bool counts = block_.experiment - block_.loop >= options_.ignore;
  if (options_.report_fd >= 0) send_report(options_.report_fd, {block_.interval.totals, block_.usage.self});
  if (counts) {
    block_.overall.merge(block_.interval);
    for (const auto & output : outputs_) output->add(block_);
  }
  last_usage_ = block_.usage;
  last_report_ns_ = now;
  if (!last) block_.interval.reset();
}

int Experiment::finish() {
  communication_.stop();
  for (std::thread & thread : receiver_threads_) thread.join();
  for (const auto & output : outputs_) output->end(block_, reason_);
  if (block_.overall.totals.torn > 0) {
    fmt::print(stderr, "perf_test: {} payloads were torn: not what the publisher wrote\n", block_.overall.totals.torn);
    return 1;
  }
  return failed_ ? 1 : 0;
}

}  // namespace performance_test
