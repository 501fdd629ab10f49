// What the tests of inspection share: two processes, and looks at them.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "station.hpp"
#include "tandem/inspect.hpp"

namespace tandem::test {

namespace fs = std::filesystem;
using inspection::Means;
using inspection::State;

inline inspection::Domain look(std::uint32_t number = 0) {
  inspection::Options options;
  options.domain = number;
  const auto report = inspection::inspect(options);
  return report.domains.empty() ? inspection::Domain{} : report.domains.front();
}

inline inspection::Connection first_connection() {
  const auto domain = look();
  return domain.connections.empty() ? inspection::Connection{} : domain.connections.front();
}

inline inspection::Publisher first_publisher() {
  for (const inspection::Region & region : look().regions) {
    if (!region.publishers.empty()) {
      return region.publishers.front();
    }
  }
  return {};
}

/// Names, sizes and times of change of everything in a folder.
inline std::string traces(const std::string & path) {
  std::ostringstream text;
  for (const auto & entry : fs::recursive_directory_iterator(path)) {
    struct stat status {};
    lstat(entry.path().c_str(), &status);
    text << entry.path() << ' ' << status.st_blocks << ' ' << status.st_ctim.tv_sec << '.' << status.st_ctim.tv_nsec
         << '\n';
  }
  return text.str();
}

/// Returns once the process stands still.
inline void stop(const Child & child) {
  child.signal(SIGSTOP);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child.pid()), &info, WSTOPPED | WNOWAIT), 0);
}

class Inspection : public testing::Test {
 protected:
  Inspection() : a_(Place::kElsewhere), b_(Place::kElsewhere) {
    EXPECT_TRUE(a_.join(0));
    EXPECT_TRUE(b_.join(0));
  }
  void connect(EndpointOptions publisher = {}, EndpointOptions subscription = {}) {
    publisher.node = "talker";
    subscription.node = "listener";
    ASSERT_TRUE(a_.create_publisher("p", "/topic", publisher));
    ASSERT_TRUE(b_.create_subscription("s", "/topic", subscription));
    ASSERT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  }

  Folder folder_;
  Station a_;
  Station b_;
};

}  // namespace tandem::test
