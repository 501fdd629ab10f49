// Publishing in a process of its own (-e INTER_PROCESS): this program again, with a pipe for what it counts.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "measuring/interval.hpp"

namespace performance_test {

/// What a publishing process writes into the pipe once per block. Plain data, smaller than PIPE_BUF.
struct ChildReport {
  Totals totals;
  rusage usage;  ///< since its start
};

/// Ends with this process, however that ends.
class PublishingChild {
 public:
  /// \param arguments of this process. \throws std::runtime_error.
  explicit PublishingChild(const std::vector<std::string> & arguments);
  ~PublishingChild();
  PublishingChild(const PublishingChild &) = delete;
  PublishingChild & operator=(const PublishingChild &) = delete;

  /// Adds what it has reported since the last call. \param usage becomes its latest one. \return false once it has ended.
  bool collect(Totals & totals, rusage & usage);
  /// Interrupts it and collects until it has ended.
  void finish(Totals & totals, rusage & usage);
  /// Of the ended process: whether it reported success.
  bool succeeded() const { return exit_status_ == 0; }

 private:
  void reap();

  int pipe_ = -1;
  pid_t pid_ = -1;
  int exit_status_ = -1;
};

/// Called by the publishing process.
void send_report(int report_fd, const ChildReport & report);

}  // namespace performance_test
