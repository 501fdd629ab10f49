// A life of a process, every step of which may fail for want of something: then it says so, goes on, and nothing is
// left behind.
#pragma once

#include <string>
#include <vector>

#include "station.hpp"

namespace tandem::test {

/// Somebody else in the same folder, who publishes "news" and "ours", with history, and reads "topic" and "ours".
class Observer {
 public:
  explicit Observer(const Folder & folder);
  /// Its own messages pass as ever.
  void check();
  Station & process() { return station_; }
  const Folder & folder() const { return folder_; }

 private:
  const Folder & folder_;
  Station station_{Place::kElsewhere};
};

/// Runs the life of `subject`; `relieve` ends the shortage, and is called at the first refusal or at the end. Then all
/// that was refused is done again, and must succeed.
/// \return the refusals and the log, for the test to check.
std::vector<std::string> live_through(Station & subject, Observer & observer, const std::function<void()> & relieve);

/// Whether a refusal is publish's or borrow's, which have no words of their own.
bool is_of_a_message(const std::string & text);
/// Whether a text tells what to do about it.
bool names_a_remedy(const std::string & text);

}  // namespace tandem::test
