// The publisher's end of its connections.
#pragma once

#include <memory>

#include <zmq.hpp>

#include "settings.hpp"
#include "tandem/kit/wire.hpp"

namespace rmw_zeromq {

/// `socket` is a ROUTER. \throws Error when no address can be bound.
std::unique_ptr<tandem::transport::Sender> make_sender(zmq::socket_t socket,
                                                       const tandem::transport::SenderOptions & options,
                                                       const tandem::transport::Surroundings & around,
                                                       const Settings & settings);

}  // namespace rmw_zeromq
