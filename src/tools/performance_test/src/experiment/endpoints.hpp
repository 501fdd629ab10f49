// What belongs to one publishing and to one receiving thread.
#pragma once

#include "communication/sender.hpp"
#include "experiment/experiment.hpp"

namespace performance_test {

struct Experiment::Publishing {
  Publishing(const EndpointSetup & setup, Communication & communication)
      : sender(setup, communication), collector(setup.options.check_payload) {}
  Sender sender;
  std::uint64_t sequence = 0;  ///< of the last message sent
  Collector collector;
};

struct Experiment::Receiving {
  explicit Receiving(bool check) : collector(check) {}
  Collector collector;
  std::unique_ptr<Reader> reader;
};

}  // namespace performance_test
