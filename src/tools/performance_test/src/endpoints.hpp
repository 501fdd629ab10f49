// What belongs to one publishing and to one receiving thread.
#pragma once

#include "experiment.hpp"

namespace performance_test {

struct Experiment::Publishing {
  explicit Publishing(bool check) : collector(check) {}
  std::shared_ptr<rclcpp::Node> node;
  std::unique_ptr<Sender> sender;
  std::uint64_t sequence = 0;  ///< of the last message sent
  Collector collector;
};

struct Experiment::Receiving {
  explicit Receiving(bool check) : collector(check) {}
  std::shared_ptr<rclcpp::Node> node;
  std::unique_ptr<Receiver> receiver;
  Collector collector;
};

}  // namespace performance_test
