// ./pub LENGTH: sends messages of that many characters back to back, and writes when into publisher.txt.
#include <ios>
#include <string>
#include <vector>

#include "options.hpp"

namespace {

/// A subscription arrives as a message; from then on its subscriber gets all that is sent.
void wait_for_subscriber(zmq::socket_t & socket, const zmq_testing::Options & options) {
  socket.set(zmq::sockopt::rcvtimeo, options.patience_ms);
  for (zmq::message_t said; socket.recv(said);) {
    if (said.size() > 0 && *said.data<char>() == 1) return;
  }
  throw std::runtime_error("no subscriber came to " + options.endpoint + ": start ./sub " +
                           std::to_string(options.length) + " too");
}

void publish(const zmq_testing::Options & options) {
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::xpub);
  socket.set(zmq::sockopt::sndhwm, zmq_testing::kHighWaterMark);
  socket.set(zmq::sockopt::xpub_nodrop, true);  // full: send waits
  socket.set(zmq::sockopt::sndtimeo, options.patience_ms);
  socket.set(zmq::sockopt::linger, options.patience_ms);
  try {
    socket.bind(options.endpoint);
  } catch (const zmq::error_t & error) {
    throw std::runtime_error("cannot listen at " + options.endpoint + ": " + error.what());
  }
  wait_for_subscriber(socket, options);

  std::string text(options.length, 'x');
  std::vector<std::int64_t> stamps;
  stamps.reserve(options.messages);
  for (std::size_t i = 0; i < options.messages; ++i) {
    delay_study::Text::put_number(text, i);
    stamps.push_back(delay_study::now_ns());
    if (!socket.send(zmq::buffer(text))) {
      throw std::runtime_error("the subscriber takes nothing any more; " + std::to_string(i) + " messages were sent");
    }
  }
  delay_study::write_stamps("publisher.txt", stamps, std::ios::trunc);
}

}  // namespace

int main(int argc, char ** argv) {
  return zmq_testing::run_end(argc, argv, delay_study::Place{1, 98, "pub_cpuset"}, publish);
}
