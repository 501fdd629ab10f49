// The subscription's end of a connection.
#pragma once

#include <memory>

#include <zmq.hpp>

#include "tandem/kit/wire.hpp"

namespace rmw_zeromq {

/// `socket` is a DEALER that is connected to the publisher.
std::unique_ptr<tandem::transport::Receiver> make_receiver(zmq::socket_t socket,
                                                           const tandem::transport::ReceiverOptions & options);

}  // namespace rmw_zeromq
