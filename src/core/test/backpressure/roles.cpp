#include "roles.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <iostream>
#include <sstream>
#include <thread>

#include "payload.hpp"

namespace tandem::test {
namespace {

std::uint64_t number(const std::string & text) { return std::stoull(text); }

/// Arguments: options, count, batch, pause, keep.
int reader(const std::vector<std::string> & arguments) {
  const auto participant = Participant::join(0);
  const auto in = std::move(*participant->create_subscription(subscription_options("topic", arguments[0])));
  const auto set = std::move(*participant->create_wait_set());
  set->attach(*in);
  const std::uint64_t count = number(arguments[1]);
  const std::uint64_t batch = number(arguments[2]);
  const std::chrono::microseconds pause(number(arguments[3]));
  const std::uint64_t keep = number(arguments[4]);
  if (!wait_until([&] { return in->matched_count() == 1; })) {
    return 1;
  }
  std::cout << "ready" << std::endl;
  Tally tally;
  std::deque<Sample> kept;
  std::uint64_t torn = 0;
  while (tally.count() < count && !tally.has_ended()) {
    Sample sample = in->take();
    if (!sample) {
      set->wait(std::chrono::seconds(1));
      continue;
    }
    tally.add(sample);
    kept.push_back(std::move(sample));
    while (kept.size() > keep) {
      torn += is_whole(kept.front().data(), kept.front().size()) ? 0 : 1;
      kept.pop_front();
    }
    if (pause.count() != 0 && tally.count() % batch == 0) {
      std::this_thread::sleep_for(pause);  // that is what makes it slow
    }
  }
  for (const Sample & sample : kept) {
    torn += is_whole(sample.data(), sample.size()) ? 0 : 1;
  }
  std::cout << (torn == 0 ? tally.text(*in) : "what was kept has changed") << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return 0;
}

/// Ends, as main does, while another thread waits for a reader that stands still.
int exiting(const std::vector<std::string> &) {
  const auto participant = Participant::join(0);
  auto publisher = participant->create_publisher(publisher_options("topic", "keep_all block=3600000"));
  if (!wait_until([&] { return (*publisher)->matched_count() == 1; })) {
    return 1;
  }
  std::thread([out = std::shared_ptr<Publisher>(std::move(*publisher))] {
    for (std::uint64_t i = 0;; ++i) {
      if (i == kKeepAllDepth) {
        std::cout << "full" << std::endl;
      }
      static_cast<void>(out->publish_copy(&i, sizeof i));
    }
  }).detach();
  std::string line;
  std::getline(std::cin, line);
  return 0;
}

}  // namespace

void Tally::add(const Sample & sample) {
  torn_ += is_whole(sample.data(), sample.size()) ? 0 : 1;
  missing_ += sample.sequence() - sequence_;
  sequence_ = sample.sequence() + 1;
  const std::uint64_t counter = counter_of(sample.data(), sample.size());
  if (counter == kEnd) {
    has_ended_ = true;
    return;
  }
  ++count_;
  std::uint64_t tag = 0;
  if (sample.size() >= 16) {
    std::memcpy(&tag, static_cast<const char *>(sample.data()) + sizeof counter, sizeof tag);
  }
  std::uint64_t & next = next_[tag];
  disordered_ += counter == next || (counter > next && missing_ != 0) ? 0 : 1;
  next = counter + 1;
}

std::string Tally::text(const Subscription & subscription) const {
  std::ostringstream text;
  text << count_ << " torn " << torn_ << " disordered " << disordered_ << " missing " << missing_ << " lost "
       << subscription.lost();
  return text.str();
}

std::string perfect(std::uint64_t count) { return std::to_string(count) + " torn 0 disordered 0 missing 0 lost 0"; }

bool is_sound(const std::string & tally) {
  std::istringstream words(tally);
  std::string word;
  std::uint64_t count = 0;
  std::uint64_t missing = 0;
  std::uint64_t lost = 1;
  std::string sound;
  words >> count;
  for (int i = 0; i < 5 && words >> word; ++i) {
    sound += word + ' ';
  }
  words >> missing >> word >> lost;
  return sound == "torn 0 disordered 0 missing " && missing == lost;
}

ReadingChild::ReadingChild(const Habits & habits)
    : child_("reader", {habits.options, std::to_string(habits.count), std::to_string(habits.batch),
                        std::to_string(habits.pause), std::to_string(habits.keep)}) {}

Role role_of(const std::string & name) {
  if (name == "reader") {
    return reader;
  }
  if (name == "exiting") {
    return exiting;
  }
  return {};
}

}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::role_of); }
