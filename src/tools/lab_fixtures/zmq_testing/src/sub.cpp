// ./sub LENGTH: receives messages of that many characters, and appends a line with the times to subscriber.txt.
#include <ios>
#include <string>
#include <vector>

#include "options.hpp"

namespace {

void subscribe(const zmq_testing::Options & options) {
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::sub);
  socket.set(zmq::sockopt::rcvhwm, zmq_testing::kHighWaterMark);
  socket.set(zmq::sockopt::rcvtimeo, options.patience_ms);
  socket.set(zmq::sockopt::reconnect_ivl, 10);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::subscribe, "");
  socket.connect(options.endpoint);

  std::vector<std::int64_t> stamps;
  stamps.reserve(options.messages);
  for (zmq::message_t message; stamps.size() < options.messages;) {
    if (!socket.recv(message)) {
      throw std::runtime_error("nothing came from " + options.endpoint + " any more; " + std::to_string(stamps.size()) +
                               " of " + std::to_string(options.messages) + " messages were received");
    }
    const std::size_t expected = stamps.size();
    stamps.push_back(delay_study::now_ns());
    if (!delay_study::Text::is(message.data<char>(), message.size(), expected, options.length)) {
      throw std::runtime_error("message " + std::to_string(expected) + " is not what ./pub " +
                               std::to_string(options.length) + " sends: " + std::to_string(message.size()) +
                               " characters, or another number");
    }
  }
  delay_study::write_stamps("subscriber.txt", stamps, std::ios::app);
}

}  // namespace

int main(int argc, char ** argv) {
  return zmq_testing::run_end(argc, argv, delay_study::Place{0, 98, "sub_cpuset"}, subscribe);
}
