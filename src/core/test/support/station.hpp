// A user of the core (user.hpp), here or in a process of its own, so that a test is written once for both.
//
// What a user cannot do is a function of the test: station.run([](User & user, int count) { ... }, 5).
#pragma once

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "function.hpp"
#include "harness.hpp"
#include "user.hpp"

namespace tandem::test {

enum class Place : std::uint8_t { kHere, kElsewhere };

template <class Result>
class Pending;

class Station {
 public:
  explicit Station(Place place);
  /// In a process that does something else before it serves (harness.hpp, function.hpp).
  explicit Station(const std::string & role, const std::vector<std::string> & arguments = {});

  /// Calls a function of this program, User's or another one whose first argument is the user. What a failed EXPECT
  /// says elsewhere is on standard error, and a failure here.
  template <auto kFunction, class... Values>
  ResultOf<kFunction> call(Values &&... values);
  /// The same with a lambda without captures.
  template <class Lambda, class... Values>
  auto run(Lambda, Values &&... values) {
    return call<&Unnamed<Lambda>::call>(std::forward<Values>(values)...);
  }
  /// Does not wait for the function to return. In a process of its own only, where calls are done one after the other.
  template <auto kFunction, class... Values>
  Pending<ResultOf<kFunction>> start(Values &&... values);

  /// Its process; there is none here.
  Child & child() { return *child_; }
  /// Ends it as a program that returns from main; 0 when all is well.
  int finish();

  // What a user does: see there.
  Outcome join(std::uint32_t domain) { return call<&User::join>(domain); }
  void leave() { call<&User::leave>(); }
  bool settle() { return call<&User::settle>(); }
  GraphSize graph_size() { return call<&User::graph_size>(); }
  Outcome create_publisher(const std::string & name, const std::string & topic, const EndpointOptions & options = {}) {
    return call<&User::create_publisher>(name, topic, options);
  }
  Outcome create_subscription(const std::string & name, const std::string & topic,
                              const EndpointOptions & options = {}) {
    return call<&User::create_subscription>(name, topic, options);
  }
  Outcome create_wait_set(const std::string & name) { return call<&User::create_wait_set>(name); }
  void close(const std::string & name) { call<&User::close>(name); }
  std::size_t matched(const std::string & name) { return call<&User::matched>(name); }
  bool until_matched(const std::string & name, std::size_t count) {
    return wait_until([&] { return matched(name) == count; });
  }
  Outcome publish(const std::string & name, std::uint64_t count, std::size_t size, Way way = Way::kLoan) {
    return call<&User::publish>(name, count, size, way);
  }
  std::uint64_t published(const std::string & name) { return call<&User::published>(name); }
  std::uint64_t forgotten(const std::string & name) { return call<&User::forgotten>(name); }
  std::size_t borrow(const std::string & name, std::size_t count, std::size_t size) {
    return call<&User::borrow>(name, count, size);
  }
  std::uint64_t failed_borrows(const std::string & name) { return call<&User::failed_borrows>(name); }
  Outcome publish_loans(const std::string & name) { return call<&User::publish_loans>(name); }
  void drop_loans() { call<&User::drop_loans>(); }
  bool has_data(const std::string & name) { return call<&User::has_data>(name); }
  std::uint64_t lost(const std::string & name) { return call<&User::lost>(name); }
  Numbers take(const std::string & name, std::uint64_t most) { return call<&User::take>(name, most); }
  Numbers keep(const std::string & name, std::uint64_t most) { return call<&User::keep>(name, most); }
  Outcome await(const std::string & name, std::uint64_t count) { return call<&User::await>(name, count); }
  Outcome check_kept(std::size_t count) { return call<&User::check_kept>(count); }
  void drop_kept() { call<&User::drop_kept>(); }
  void attach(const std::string & wait_set, const std::string & subscription) {
    call<&User::attach>(wait_set, subscription);
  }
  bool wait(const std::string & wait_set, std::chrono::milliseconds time) { return call<&User::wait>(wait_set, time); }
  std::size_t in_use() { return call<&User::in_use>(); }
  std::vector<std::string> log() { return call<&User::log>(); }

 private:
  template <class Result>
  friend class Pending;
  /// \return the number of its answer.
  std::uint64_t tell(const std::string & line);
  bool is_answered(std::uint64_t number, double seconds);
  /// The words of a result; none when there is no answer, which is a failure.
  std::istringstream answer(std::uint64_t number, double seconds);

  std::optional<User> user_;
  std::optional<Child> child_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  std::map<std::uint64_t, std::string> answers_;  ///< that nobody has asked for
};

/// The result of a function that may not have returned yet. Must not outlive its station.
template <class Result>
class Pending {
 public:
  Pending(Station & station, std::uint64_t number) : station_(station), number_(number) {}
  /// Waits for it that long.
  bool is_done(double seconds = 0) { return station_.is_answered(number_, seconds); }
  /// Once.
  Result get(double seconds = 60) {
    std::istringstream words = station_.answer(number_, seconds);
    if constexpr (!std::is_void_v<Result>) {
      return decode<Result>(words);
    }
  }

 private:
  Station & station_;
  std::uint64_t number_;
};

template <auto kFunction, class... Values>
Pending<ResultOf<kFunction>> Station::start(Values &&... values) {
  return {*this, tell(line_of<kFunction>(ArgumentsOf<kFunction>{std::forward<Values>(values)...}))};
}

template <auto kFunction, class... Values>
ResultOf<kFunction> Station::call(Values &&... values) {
  if (child_) {
    return start<kFunction>(std::forward<Values>(values)...).get();
  }
  return test::call<kFunction>(*user_, ArgumentsOf<kFunction>{std::forward<Values>(values)...});
}

}  // namespace tandem::test
