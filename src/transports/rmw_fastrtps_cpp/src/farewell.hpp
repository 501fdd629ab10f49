// Writers that stay a little after their publisher has gone, until their readers have got everything.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace rmw_fastrtps {

/// What a gone writer leaves to its readers, data-sharing ones above all, is lost: so it goes later. One thread for the
/// process, there while somebody stays. Thread-safe.
class Farewell {
 public:
  static Farewell & instance();
  ~Farewell();

  /// Keeps it until `is_done`, for some seconds at most, or until the process ends.
  void keep(std::shared_ptr<void> leaver, std::function<bool()> is_done);

 private:
  struct Leaver {
    std::shared_ptr<void> object;
    std::function<bool()> is_done;
    std::chrono::steady_clock::time_point end;
  };
  Farewell() = default;
  void run();

  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopped_ = false;
  bool is_running_ = false;
  std::list<Leaver> leavers_;
  std::thread thread_;
};

}  // namespace rmw_fastrtps
