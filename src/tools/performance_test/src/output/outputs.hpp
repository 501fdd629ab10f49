// Where results go: the terminal, a CSV log, a JSON log, an HdrHistogram log.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "options/options.hpp"
#include "output/block.hpp"

namespace performance_test {

/// What is known before the first message.
struct Header {
  Options options;
  std::string middleware;  ///< really used
  std::uint32_t domain = 0;
  std::size_t message_size = 0;  ///< bytes
  double start_time = 0;         ///< s since the epoch
};

/// Calls come from one thread: begin, any number of add, end. \throws std::runtime_error when a file cannot be written.
class Output {
 public:
  virtual ~Output() = default;
  virtual void begin(const Header & header) = 0;
  virtual void add(const Block & block) = 0;
  /// `last` is the last block; its `overall` is the result. \param reason why it ended, a sentence.
  virtual void end(const Block & last, const std::string & reason) = 0;
};

/// Those that the options ask for. \throws std::runtime_error when a log cannot be created.
std::vector<std::unique_ptr<Output>> make_outputs(const Header & header);

std::unique_ptr<Output> make_console_output();
std::unique_ptr<Output> make_csv_output(const std::string & path);
std::unique_ptr<Output> make_json_output(const std::string & path);
std::unique_ptr<Output> make_hlog_output(const std::string & path);

/// "results_<topic>_<d-m-Y_H-M-S>.<suffix>", in UTC.
std::string default_log_name(const Header & header, const std::string & suffix);

}  // namespace performance_test
