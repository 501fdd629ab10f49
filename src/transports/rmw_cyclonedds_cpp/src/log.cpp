#include "log.hpp"

#include <dds/dds.h>
#include <dds/ddsrt/log.h>

#include <mutex>
#include <set>

#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {

struct LogAccess {
  static void add(LogCapture & capture, const std::string & line) { capture.lines_.push_back(line); }
};

namespace {

thread_local LogCapture * capturing = nullptr;

/// What was printed. Never destroyed: Cyclone's threads may speak while the process ends.
struct Said {
  std::mutex mutex;
  std::set<std::string> lines;
};

void print_once(const std::string & line) {
  constexpr std::size_t kMost = 100;  // a peer that provokes ever new complaints fills neither terminal nor memory
  static auto * const said = new Said;
  {
    const std::lock_guard lock(said->mutex);
    if (said->lines.size() >= kMost || !said->lines.insert(line).second) {
      return;
    }
  }
  tandem::transport::warn("rmw_cyclonedds_cpp", "", line);
}

void hear(void * /*unused*/, const dds_log_data_t * said) {
  if ((said->priority & (DDS_LC_FATAL | DDS_LC_ERROR | DDS_LC_WARNING)) == 0) {
    return;
  }
  try {
    std::string line = said->message;
    line.erase(line.find_last_not_of(" \n") + 1);
    if (capturing != nullptr) {
      LogAccess::add(*capturing, line);
    } else {
      print_once(line);
    }
  } catch (const std::bad_alloc &) {
  }
}

}  // namespace

void catch_log() {
  static std::once_flag once;
  std::call_once(once, [] { dds_set_log_sink(hear, nullptr); });
}

LogCapture::LogCapture() { capturing = this; }
LogCapture::~LogCapture() { capturing = nullptr; }

}  // namespace rmw_cyclonedds
