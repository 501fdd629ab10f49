// The terminal, and the choice of outputs. See csv_output.cpp and json_output.cpp for the logs.
#include "output/outputs.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace performance_test {
namespace {

class ConsoleOutput : public Output {
 public:
  void begin(const Header & header) override {
    for (const auto & [name, value] : describe(header.options)) fmt::print("{}: {}\n", name, value);
    fmt::print("Message size: {}\nMiddleware: {}\nDomain: {}\n\n", header.message_size, header.middleware,
               header.domain);
    std::fflush(stdout);
  }

  void add(const Block & block) override {
    const std::string text = format_tables(block) + "\n" + format_more_tables(block) + "\n";
    const auto height = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    // In place where the whole of it fits on the screen.
    if (drawn_ == height && height < rows_of_terminal()) fmt::print("\033[{}A\033[J", height);
    drawn_ = height;
    fmt::print("{}", text);
    std::fflush(stdout);
  }

  void end(const Block &, const std::string & reason) override {
    fmt::print("{}\n", reason);
    std::fflush(stdout);
  }

 private:
  /// 0 when it is no terminal.
  static int rows_of_terminal() {
    winsize size{};
    return isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
  }

  int drawn_ = 0;
};

class HlogOutput : public Output {
 public:
  explicit HlogOutput(const std::string & path) : file_(path) {
    if (!file_) throw std::runtime_error(fmt::format("cannot write the log '{}'; choose another --hlog-file", path));
  }

  void begin(const Header & header) override { write_hlog_header(file_, header.start_time, "perf_test"); }

  void add(const Block & block) override {
    const double start = block.experiment - block.loop;
    if (block.interval.latency.count() == 0) return;
    write_hlog_entry(file_, {"latency", start, block.loop, block.interval.latency});
    write_hlog_entry(file_, {"intended_latency", start, block.loop, block.interval.intended_latency});
    file_.flush();
  }

  void end(const Block &, const std::string &) override { file_.flush(); }

 private:
  std::ofstream file_;
};

}  // namespace

std::unique_ptr<Output> make_console_output() { return std::make_unique<ConsoleOutput>(); }
std::unique_ptr<Output> make_hlog_output(const std::string & path) { return std::make_unique<HlogOutput>(path); }

std::string default_log_name(const Header & header, const std::string & suffix) {
  std::string topic = header.options.topic;
  std::replace(topic.begin(), topic.end(), '/', '_');
  const auto time = static_cast<std::time_t>(header.start_time);
  return fmt::format("results_{}_{:%d-%m-%Y_%H-%M-%S}.{}", topic, fmt::gmtime(time), suffix);
}

std::vector<std::unique_ptr<Output>> make_outputs(const Header & header) {
  const Options & options = header.options;
  std::vector<std::unique_ptr<Output>> outputs;
  const auto name = [&](const std::string & given, const char * suffix) {
    return given.empty() ? default_log_name(header, suffix) : given;
  };
  if (options.to_console) outputs.push_back(make_console_output());
  if (options.to_csv) outputs.push_back(make_csv_output(name(options.csv_logfile, "csv")));
  if (options.to_json) outputs.push_back(make_json_output(name(options.json_logfile, "json")));
  if (!options.hlog_file.empty()) outputs.push_back(make_hlog_output(options.hlog_file));
  return outputs;
}

}  // namespace performance_test
