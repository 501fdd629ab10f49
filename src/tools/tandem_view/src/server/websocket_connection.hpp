// One client's WebSocket, on the network thread.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>

#include "connection/connection.hpp"

namespace tandem::view {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

/// The subprotocol of those that the client offers which is spoken to it; empty if it offers none that is known.
std::string chosen_subprotocol(const std::string & offered);

/// Answers the upgrade, and serves the client until it goes. `listener` outlives the server's run.
/// `presence` is kept as long as the connection lives.
void serve_websocket(boost::beast::tcp_stream stream, HttpRequest request, ConnectionListener & listener,
                     std::shared_ptr<void> presence);

}  // namespace tandem::view
