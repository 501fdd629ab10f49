#include "sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tandem::test {
namespace {

bool until(Child & child, const std::string & line, const std::string & wanted) {
  return wait_until([&] { return child.ask(line) == wanted; });
}

bool is_refusal(const std::string & answer) {
  return answer.empty() || answer.rfind("error", 0) == 0 || answer.rfind("impossible", 0) == 0;
}

/// Each needs the ones before it.
const std::vector<std::string> & life() {
  static const std::vector<std::string> steps = {
      "join 0",
      "pub p topic transient depth=5",
      "sub s topic depth=20",
      "sub n news transient depth=5",
      "set w",
      "attach w s",
      "publish p 1 100",
      "copy p 1 2000",
      "adopt p 1 9000",
      "publish p 2 300000",
      "borrow p 2 70000",
      "publish_loans p",
  };
  return steps;
}

}  // namespace

Observer::Observer(const Folder & folder) : folder_(folder), child_("subject") {
  for (const char * line : {"join 0", "pub o ours depth=5", "sub o_in ours depth=5", "pub n news transient depth=5",
                            "sub t topic transient depth=20"}) {
    EXPECT_EQ(child_.ask(line), "ok") << line;
  }
  EXPECT_TRUE(until(child_, "matched o", "1") && until(child_, "matched o_in", "1"));
  EXPECT_EQ(child_.ask("publish n 5 1000"), "ok");
  check();
}

void Observer::check() {
  EXPECT_EQ(child_.ask("publish o 5 5000"), "ok");
  EXPECT_EQ(child_.ask("await o_in 5"), "ok");
}

bool names_a_remedy(const std::string & text) {
  static const std::array<std::string, 4> words = {"TANDEM_SHM_DIR", "ulimit", "TANDEM_REGION_SIZE", "fs.file-max"};
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string & word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> live_through(Child & subject, Observer & observer, const std::function<void()> & relieve) {
  std::vector<std::string> refusals;
  for (const std::string & step : life()) {
    std::string answer = subject.ask(step);
    if (!is_refusal(answer)) {
      continue;
    }
    refusals.push_back(answer);
    observer.check();
    relieve();
    answer = subject.ask(step == "publish_loans p" ? "borrow p 2 70000" : step);
    if (is_refusal(answer)) {
      ADD_FAILURE() << "'" << step << "' after the relief: " << answer;
      return refusals;
    }
    if (step == "publish_loans p") {
      EXPECT_EQ(subject.ask(step), "ok");
    }
  }
  observer.check();
  relieve();
  // Everybody meets everybody, and the messages pass.
  EXPECT_TRUE(until(subject, "matched p", "2") && until(subject, "matched s", "1") && until(subject, "matched n", "1"))
      << subject.ask("log");
  EXPECT_TRUE(until(observer.process(), "matched t", "1"));
  EXPECT_EQ(subject.ask("await n 5"), "ok");
  EXPECT_NE(observer.process().ask("take t 100"), "nothing");
  subject.ask("take s 100");
  EXPECT_EQ(subject.ask("publish p 3 100000"), "ok");
  EXPECT_NE(subject.ask("take s 3").find(' '), std::string::npos);
  EXPECT_NE(observer.process().ask("take t 3").find(' '), std::string::npos);
  EXPECT_EQ(subject.ask("check"), "0");
  if (const std::string log = subject.ask("log"); log != "none") {
    refusals.push_back(log);
  }
  // And nothing stays.
  for (const char * name : {"p", "s", "n", "w"}) {
    EXPECT_EQ(subject.ask(std::string("close ") + name), "ok");
  }
  EXPECT_TRUE(until(subject, "in_use", "0"));
  EXPECT_EQ(subject.finish(), 0);
  EXPECT_TRUE(wait_until([&] {
    return observer.folder().files(0, ".region").size() == 1 && observer.folder().files(0, ".bell").size() == 1;
  }));
  EXPECT_TRUE(until(observer.process(), "matched n", "0") && until(observer.process(), "matched t", "0"));
  return refusals;
}

}  // namespace tandem::test
