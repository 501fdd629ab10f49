#include "station.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace tandem::test {

Station::Station(Place place) {
  if (place == Place::kHere) {
    user_.emplace();
  } else {
    child_.emplace("user");
  }
}

Station::Station(const std::string & role, const std::vector<std::string> & arguments) {
  child_.emplace(role, arguments);
}

int Station::finish() {
  user_.reset();
  return child_ ? child_->finish() : 0;
}

std::uint64_t Station::tell(const std::string & line) {
  child_->tell(line);
  return ++asked_;
}

bool Station::is_answered(std::uint64_t number, double seconds) {
  while (answered_ < number) {
    const std::string line = child_->read_line(seconds);
    if (line.empty()) {
      return false;
    }
    answers_[++answered_] = line;
  }
  return true;
}

std::istringstream Station::answer(std::uint64_t number, double seconds) {
  if (!is_answered(number, seconds)) {
    ADD_FAILURE() << "process " << child_->pid() << " gave no answer";
    return {};
  }
  std::istringstream words(answers_[number]);
  answers_.erase(number);
  if (decode<bool>(words)) {
    ADD_FAILURE() << "process " << child_->pid() << " has found a failure";
  }
  return words;
}

int serve() {
  // What a test's function prints, or gtest of a failure, is not taken for an answer.
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const LogCapture log;
  User user;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    const auto distance = decode<std::intptr_t>(words);
    auto * const function = reinterpret_cast<Call *>(reinterpret_cast<std::intptr_t>(&serve) + distance);
    std::ostringstream result;
    function(user, words, result);
    const bool has_failed = testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed();
    dprintf(answers, "%d %s\n", has_failed ? 1 : 0, result.str().c_str());
  }
  return 0;
}

}  // namespace tandem::test
