// The command line of both programs, and how they end.
#pragma once

#include <getopt.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include <zmq.hpp>

#include "delay_study/delay_study.hpp"

namespace zmq_testing {

constexpr int kHighWaterMark = 6000;

struct Options {
  std::size_t length = 0;  // characters of a message
  std::size_t messages = 5000;
  std::string endpoint = "tcp://127.0.0.1:5555";
  int patience_ms = 120'000;  // without any progress
  delay_study::Place place;
};

inline long number(const char * what, const char * text, long lowest, long highest) {
  char * end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < lowest || value > highest) {
    throw std::invalid_argument(std::string(what) + ": '" + text + "' is no number from " + std::to_string(lowest) +
                                " to " + std::to_string(highest));
  }
  return value;
}

/// \throws std::invalid_argument with a sentence and the usage.
inline Options read_options(int argc, char ** argv, const delay_study::Place & place) {
  const option known[] = {{"messages", required_argument, nullptr, 'm'}, {"endpoint", required_argument, nullptr, 'e'},
                          {"cpu", required_argument, nullptr, 'c'},      {"priority", required_argument, nullptr, 'p'},
                          {"patience", required_argument, nullptr, 't'}, {nullptr, 0, nullptr, 0}};
  Options options;
  options.place = place;
  opterr = 0;
  for (int key = 0; (key = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    if (key == 'm') options.messages = static_cast<std::size_t>(number("--messages", optarg, 1, 100'000'000));
    if (key == 'e') options.endpoint = optarg;
    if (key == 'c') options.place.cpu = static_cast<int>(number("--cpu", optarg, -1, CPU_SETSIZE - 1));
    if (key == 'p') options.place.priority = static_cast<int>(number("--priority", optarg, 0, 99));
    if (key == 't') options.patience_ms = static_cast<int>(number("--patience", optarg, 1, 1'000'000)) * 1000;
    if (key == '?') throw std::invalid_argument(std::string("unknown or incomplete option ") + argv[optind - 1]);
  }
  if (optind + 1 != argc) {
    throw std::invalid_argument(std::string("usage: ") + argv[0] +
                                " LENGTH [--messages N] [--endpoint tcp://ADDRESS:PORT] [--cpu N, -1: any]"
                                " [--priority 0 to 99] [--patience SECONDS]");
  }
  options.length = static_cast<std::size_t>(number("the message's length", argv[optind], 1, 1L << 30));
  return options;
}

/// Runs one end; silent when it succeeds. \return the exit status.
template <class Run>
int run_end(int argc, char ** argv, const delay_study::Place & place, Run run) {
  try {
    const Options options = read_options(argc, argv, place);
    const std::string refused = delay_study::take_place(options.place);
    if (!refused.empty()) std::fprintf(stderr, "%s: warning: %s\n", argv[0], refused.c_str());
    run(options);
    return 0;
  } catch (const zmq::error_t & error) {
    std::fprintf(stderr, "%s: ZeroMQ: %s\n", argv[0], error.what());
  } catch (const std::exception & error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  }
  return 1;
}

}  // namespace zmq_testing
