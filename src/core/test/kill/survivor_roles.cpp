#include "survivor_roles.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "options.hpp"
#include "payload.hpp"
#include "process/process.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

/// Regions of others that this process has mapped, and its open descriptors.
std::pair<std::size_t, std::size_t> mapped_and_open() {
  std::set<std::string> regions;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(".region") != std::string::npos) {
      regions.insert(line.substr(line.find('/')));
    }
  }
  std::size_t descriptors = 0;
  for ([[maybe_unused]] const auto & entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++descriptors;
  }
  return {regions.size(), descriptors};
}

/// Whether nothing is left of a victim: compares with what there was at the first question, when none had died yet.
class LeftoverCheck {
 public:
  /// What was once published without being taken makes a pool large, and how large is a matter of chance.
  void expect_large_pools() { slack_ = std::size_t{2} << 20; }
  std::string check(const Participant & participant, const std::function<std::size_t()> & matched) {
    std::string wrong;
    const bool clean = wait_until([&] {
      wrong = look(participant, matched());
      return wrong.empty();
    });
    return clean ? "ok" : "error " + wrong;
  }

 private:
  std::string look(const Participant & participant, std::size_t matched) {
    const std::size_t processes = participant.graph().processes.size();
    const auto now = mapped_and_open();
    const std::size_t in_use = heap_statistics().in_use;
    if (processes != 2 || matched != 2) {
      return "it knows " + text(processes) + " processes and is matched with " + text(matched);
    }
    if (!before_) {
      before_ = now;
      in_use_ = in_use;
    }
    // The first look may have met somebody who was just leaving.
    before_ = std::min(*before_, now);
    if (now != *before_) {
      return "it has mapped " + text(now.first) + " regions with " + text(now.second) + " descriptors open, before " +
             text(before_->first) + " and " + text(before_->second);
    }
    if (in_use > in_use_ + slack_) {
      return text(in_use) + " bytes of its heap are in use, before " + text(in_use_);
    }
    return {};
  }
  std::optional<std::pair<std::size_t, std::size_t>> before_;
  std::size_t in_use_ = 0;
  std::size_t slack_ = 16 * kMessageSize;  ///< blocks that a pool keeps for its next messages
};

template <class Endpoint>
std::string await_matches(const std::vector<Endpoint *> & endpoints, std::size_t count) {
  const bool matched = wait_until([&] {
    return std::all_of(endpoints.begin(), endpoints.end(), [&](auto * e) { return e->matched_count() == count; });
  });
  return matched ? "ok" : "error matched with " + text(endpoints.front()->matched_count()) + ", not " + text(count);
}

template <class Role>
int serve() {
  Role role;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    words >> verb >> first >> second >> third;
    std::cout << role.execute(verb, first, second, third) << std::endl;
  }
  return 0;
}

// ---- writer --------------------------------------------------------------------------------------------------------

class Writer {
 public:
  Writer()
      : participant_(*Participant::join(0)),
        all_(*participant_.create_publisher(
            publisher_options(kTopic, {.keep_all = true, .samples = kWriterMaxSamples}))),
        last_(*participant_.create_publisher(publisher_options(kTopic, {.depth = kDepth}))) {}

  std::string execute(const std::string & verb, std::uint64_t first, std::uint64_t, std::uint64_t) {
    if (verb == "fill") {
      leftover_check_.expect_large_pools();
    }
    if (verb == "publish" || verb == "fill" || verb == "stock") {
      for (std::uint64_t i = 0; i < first; ++i) {
        if (!publish(*all_, kAll, all_count_) || (verb == "publish" && !publish(*last_, kLast, last_count_))) {
          return "error message " + text(i) + " cannot be published: " + error_;
        }
      }
      return "ok " + text(all_count_) + " " + text(last_count_);
    }
    if (verb == "matched") {
      return await_matches(std::vector<Publisher *>{all_.get(), last_.get()}, first);
    }
    return leftover_check_.check(participant_,
                                 [this] { return std::max(all_->matched_count(), last_->matched_count()); });
  }

 private:
  bool publish(Publisher & publisher, Tag tag, std::uint64_t & count) {
    const std::size_t size = kMessageSize;
    auto loan = publisher.borrow(size);
    if (!loan) {
      error_ = to_string(loan.error());
      return false;
    }
    fill(loan->data(), size, tag, count);
    const auto result = publisher.publish(std::move(*loan));
    if (!result || *result != count) {
      error_ = result ? "its number is " + text(*result) : to_string(result.error());
      return false;
    }
    ++count;
    return true;
  }

  Participant participant_;
  std::unique_ptr<Publisher> all_;
  std::unique_ptr<Publisher> last_;
  std::uint64_t all_count_ = 0;
  std::uint64_t last_count_ = 0;
  std::string error_;
  LeftoverCheck leftover_check_;
};

// ---- reader --------------------------------------------------------------------------------------------------------

class Reader {
 public:
  Reader()
      : participant_(*Participant::join(0)),
        all_(*participant_.create_subscription(subscription_options(kTopic, {.keep_all = true}))),
        last_(*participant_.create_subscription(subscription_options(kTopic, {.depth = kDepth}))),
        set_(*participant_.create_wait_set()) {
    set_->attach(*all_);
  }
  ~Reader() {
    if (sleeper_.joinable()) {
      set_->wake();
      sleeper_.join();
    }
  }

  std::string execute(const std::string & verb, std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    wrong_.clear();
    std::string answer = verb == "drain"    ? drain(first, second, third)
                         : verb == "await"  ? take(kAll, first, false)
                         : verb == "victim" ? take(kVictim, first, false)
                         : verb == "keep"   ? take(kVictim, first, true)
                         : verb == "check"  ? check()
                         : verb == "drop"   ? (kept_.clear(), "ok")
                         : verb == "sleep"  ? sleep()
                         : verb == "peek"   ? (all_->has_data() ? "ok yes" : "ok no")
                         : verb == "woken"  ? woken()
                         : verb == "matched"
                             ? await_matches(std::vector<Subscription *>{all_.get(), last_.get()}, first)
                             : clean();
    return wrong_.empty() ? answer : "error " + wrong_;
  }

 private:
  using Counts = std::map<Tag, std::uint64_t>;

  Sample take_from(Subscription & subscription, Counts & counts, bool all) {
    Sample sample = subscription.take();
    if (!sample) {
      return sample;
    }
    std::uint64_t head[2];
    std::memcpy(head, sample.data(), sizeof head);
    const Tag tag{static_cast<Tag>(head[1])};
    std::uint64_t & next = counts[tag];
    if (sample.size() != kMessageSize || !is_whole(sample.data(), sample.size())) {
      wrong_ = "a message of " + text(tag) + " is torn: number " + text(sample.sequence());
    } else if (head[0] != sample.sequence() || head[0] < next || (all && head[0] != next)) {
      wrong_ = "message " + text(next) + " of " + text(tag) + " is " + text(head[0]);
    }
    next = head[0] + 1;
    return sample;
  }

  // It may have been told only now that it was matched: the victim's first messages are there, and are taken then.
  std::string drain(std::uint64_t all, std::uint64_t last, std::uint64_t victim) {
    std::uint64_t & first = all_counts_[kVictim];
    std::uint64_t & second = last_counts_[kVictim];
    const bool has_victims = wait_until([&] {
      while (take_from(*all_, all_counts_, true)) {
      }
      while (take_from(*last_, last_counts_, false)) {
      }
      return (first >= victim && first == second) || !wrong_.empty();
    });
    for (const auto * counts : {&all_counts_, &last_counts_}) {
      if (counts->at(kAll) != all || counts->at(kLast) != last) {
        return "error it has " + text(counts->at(kAll)) + " and " + text(counts->at(kLast)) + " messages, not " +
               text(all) + " and " + text(last);
      }
    }
    return (has_victims ? "ok " : "error of the victim's messages, keep-last has " + text(second) + " and keep-all ") +
           text(first);
  }

  std::string take(Tag tag, std::uint64_t count, bool keep) {
    const std::uint64_t end = all_counts_[tag] + count;
    const bool done = wait_until([&] {
      while (wrong_.empty() && all_counts_[tag] < end) {
        Sample sample = take_from(*all_, all_counts_, true);
        if (!sample) {
          return false;
        }
        if (keep) {
          kept_.push_back(std::move(sample));
        }
      }
      return true;
    });
    return done ? "ok" : "error only " + text(all_counts_[tag]) + " messages, not " + text(end);
  }

  std::string check() {
    const bool whole = std::all_of(kept_.begin(), kept_.end(),
                                   [](const Sample & sample) { return is_whole(sample.data(), sample.size()); });
    return whole ? "ok" : "error a message that is kept was written to";
  }

  std::string sleep() {
    awake_ = false;
    sleeper_ = std::thread([this] { awake_ = set_->wait(std::chrono::nanoseconds(-1)); });
    const auto & flags = Process::instance().region().header().sleeping;
    return wait_until([&] { return flags.load() != 0; }) ? "ok" : "error it does not sleep";
  }

  std::string woken() {
    const bool awake = wait_until([this] { return awake_.load(); });
    if (awake) {
      sleeper_.join();
    }
    return awake ? "ok" : "error it sleeps in spite of messages";
  }

  // It may be told only now that it was matched with the victim, whose messages are still there then: it stays matched until
  // they are taken.
  std::string clean() {
    const std::string answer = leftover_check_.check(participant_, [this] {
      while (take_from(*all_, all_counts_, true)) {
      }
      while (take_from(*last_, last_counts_, false)) {
      }
      return std::max(all_->matched_count(), last_->matched_count());
    });
    all_counts_.erase(kVictim);
    last_counts_.erase(kVictim);
    return answer;
  }

  Participant participant_;
  std::unique_ptr<Subscription> all_;
  std::unique_ptr<Subscription> last_;
  std::unique_ptr<WaitSet> set_;
  Counts all_counts_{{kAll, 0}, {kLast, 0}};
  Counts last_counts_{{kAll, 0}, {kLast, 0}};
  std::vector<Sample> kept_;
  std::thread sleeper_;
  std::atomic<bool> awake_ = false;
  std::string wrong_;
  LeftoverCheck leftover_check_;
};

}  // namespace

int run_writer() { return serve<Writer>(); }

int run_reader() { return serve<Reader>(); }

}  // namespace tandem::test
