#include "sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tandem::test {
namespace {

/// Something that may be refused; after the relief it is done again, or what is said there.
struct Step {
  const char * name;
  std::function<Outcome(Station &)> act;
  std::function<Outcome(Station &)> again = act;
};

Outcome borrow_two(Station & subject) {
  subject.borrow("p", 2, 70000);  // fewer are no refusal
  return {true, -1, {}};
}

/// Each needs the ones before it.
const std::vector<Step> & life() {
  static const std::vector<Step> steps = {
      {"join", [](Station & s) { return s.join(0); }},
      {"publisher", [](Station & s) { return s.create_publisher("p", "topic", {.depth = 5, .transient = true}); }},
      {"subscription", [](Station & s) { return s.create_subscription("s", "topic", {.depth = 20}); }},
      {"history", [](Station & s) { return s.create_subscription("n", "news", {.depth = 5, .transient = true}); }},
      {"wait-set", [](Station & s) { return s.create_wait_set("w"); }},
      {"attach",
       [](Station & s) {
         s.attach("w", "s");
         return Outcome{true, -1, {}};
       }},
      {"small message", [](Station & s) { return s.publish("p", 1, 100); }},
      {"copy", [](Station & s) { return s.publish("p", 1, 2000, Way::kCopy); }},
      {"allocation", [](Station & s) { return s.publish("p", 1, 9000, Way::kAllocation); }},
      {"large messages", [](Station & s) { return s.publish("p", 2, 300000); }},
      {"loans", borrow_two},
      {"loans published", [](Station & s) { return s.publish_loans("p"); },
       [](Station & s) { return borrow_two(s) ? s.publish_loans("p") : Outcome{}; }},
  };
  return steps;
}

}  // namespace

Observer::Observer(const Folder & folder) : folder_(folder) {
  EXPECT_TRUE(station_.join(0));
  EXPECT_TRUE(station_.create_publisher("o", "ours", {.depth = 5}));
  EXPECT_TRUE(station_.create_subscription("o_in", "ours", {.depth = 5}));
  EXPECT_TRUE(station_.create_publisher("n", "news", {.depth = 5, .transient = true}));
  EXPECT_TRUE(station_.create_subscription("t", "topic", {.depth = 20, .transient = true}));
  EXPECT_TRUE(station_.until_matched("o", 1) && station_.until_matched("o_in", 1));
  EXPECT_TRUE(station_.publish("n", 5, 1000));
  check();
}

void Observer::check() {
  EXPECT_TRUE(station_.publish("o", 5, 5000));
  EXPECT_TRUE(station_.await("o_in", 5));
}

bool is_of_a_message(const std::string & text) {
  return text.rfind("borrow: ", 0) == 0 || text.rfind("publish: ", 0) == 0 || text.rfind("allocate: ", 0) == 0;
}

bool names_a_remedy(const std::string & text) {
  static const std::array<std::string, 4> words = {"TANDEM_SHM_DIR", "ulimit", "TANDEM_REGION_SIZE", "fs.file-max"};
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string & word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> live_through(Station & subject, Observer & observer, const std::function<void()> & relieve) {
  std::vector<std::string> refusals;
  for (const Step & step : life()) {
    const Outcome outcome = step.act(subject);
    if (outcome) {
      continue;
    }
    refusals.push_back(outcome.reason);
    observer.check();
    relieve();
    if (const Outcome again = step.again(subject); !again) {
      ADD_FAILURE() << step.name << " after the relief: " << again;
      return refusals;
    }
  }
  observer.check();
  relieve();
  // Everybody meets everybody, and the messages pass.
  Station & other = observer.process();
  EXPECT_TRUE(subject.until_matched("p", 2) && subject.until_matched("s", 1) && subject.until_matched("n", 1))
      << testing::PrintToString(subject.log());
  EXPECT_TRUE(other.until_matched("t", 1));
  EXPECT_TRUE(subject.await("n", 5));
  EXPECT_FALSE(other.take("t", 100).empty());
  subject.take("s", 100);
  EXPECT_TRUE(subject.publish("p", 3, 100000));
  EXPECT_GE(subject.take("s", 3).size(), 2U);
  EXPECT_GE(other.take("t", 3).size(), 2U);
  EXPECT_TRUE(subject.check_kept(0));
  std::string log;
  for (const std::string & line : subject.log()) {
    log += line + " | ";
  }
  if (!log.empty()) {
    refusals.push_back(log);
  }
  // And nothing stays.
  for (const char * name : {"p", "s", "n", "w"}) {
    subject.close(name);
  }
  EXPECT_TRUE(wait_until([&] { return subject.in_use() == 0; }));
  EXPECT_EQ(subject.finish(), 0);
  EXPECT_TRUE(wait_until([&] {
    return observer.folder().files(0, ".region").size() == 1 && observer.folder().files(0, ".bell").size() == 1;
  }));
  EXPECT_TRUE(other.until_matched("n", 0) && other.until_matched("t", 0));
  return refusals;
}

}  // namespace tandem::test
