#include "server/websocket_connection.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <string_view>
#include <utility>

namespace tandem::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr std::size_t kMostBytesIn = std::size_t{16} << 20;
constexpr std::string_view kPageProtocol = "tandem.view.v1";
constexpr std::array<std::string_view, 3> kProtocols = {kPageProtocol, "foxglove.sdk.v1", "foxglove.websocket.v1"};

class WebSocketConnection : public Connection, public std::enable_shared_from_this<WebSocketConnection> {
 public:
  WebSocketConnection(beast::tcp_stream stream, Protocol protocol, ConnectionListener & listener,
                      std::shared_ptr<void> presence)
      : Connection(protocol),
        socket_(std::move(stream)),
        timer_(socket_.get_executor()),
        listener_(listener),
        presence_(std::move(presence)) {}

  void accept(const HttpRequest & request, const std::string & subprotocol) {
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = std::chrono::seconds(10);
    timeout.idle_timeout = std::chrono::seconds(60);  // one that does not even answer a ping is gone
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    socket_.read_message_max(kMostBytesIn);
    socket_.auto_fragment(false);  // pieces of 4 KiB would be as many system calls
    socket_.set_option(websocket::stream_base::decorator([subprotocol](websocket::response_type & response) {
      response.set(beast::http::field::sec_websocket_protocol, subprotocol);
    }));
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (!error) {
        self->is_open_ = true;
        self->listener_.opened(self);
        self->read();
      }
    });
  }

  void wake() override {
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->write(); });
  }

  void resume(std::chrono::milliseconds pause) override {
    asio::post(socket_.get_executor(), [self = shared_from_this(), pause] {
      if (pause.count() == 0) {
        self->read();
        return;
      }
      self->timer_.expires_after(pause);
      self->timer_.async_wait([self](beast::error_code error) {
        if (!error) {
          self->read();
        }
      });
    });
  }

  void close(std::uint16_t code, const std::string & reason) override {
    asio::post(socket_.get_executor(), [self = shared_from_this(), code, reason] {
      if (!self->is_open_) {
        return;
      }
      self->is_closing_ = true;
      const websocket::close_reason why(static_cast<websocket::close_code>(code), reason);
      self->socket_.async_close(why, [self](beast::error_code) { self->end(); });
    });
  }

 private:
  void read() {
    if (!is_open_ || is_closing_) {
      return;
    }
    socket_.async_read(incoming_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) {
        self->end();
        return;
      }
      std::string message = beast::buffers_to_string(self->incoming_.data());
      self->incoming_.consume(self->incoming_.size());
      self->incoming_.shrink_to_fit();
      self->listener_.received(self, std::move(message), self->socket_.got_binary());
    });
  }

  void write() {
    if (!is_open_ || is_closing_ || is_writing_) {
      return;
    }
    std::optional<Frame> next = outbox().pop();
    if (!next) {
      return;
    }
    outgoing_ = std::move(*next);
    is_writing_ = true;
    socket_.binary(outgoing_.is_binary);
    const std::array<asio::const_buffer, 2> buffers = {
        asio::buffer(outgoing_.head),
        outgoing_.body ? asio::buffer(outgoing_.body->data(), outgoing_.body->size()) : asio::const_buffer()};
    socket_.async_write(buffers, [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->is_writing_ = false;
      self->outgoing_ = {};
      // What cannot be written to cannot be read from, either: that tells why it ended, once the client has been told.
      if (!error) {
        self->write();
      }
    });
  }

  /// Once, however it ended.
  void end() {
    if (std::exchange(is_open_, false)) {
      timer_.cancel();
      beast::get_lowest_layer(socket_).close();
      listener_.closed(shared_from_this());
    }
  }

  websocket::stream<beast::tcp_stream> socket_;
  asio::steady_timer timer_;
  ConnectionListener & listener_;
  const std::shared_ptr<void> presence_;
  beast::flat_buffer incoming_;
  Frame outgoing_;
  bool is_open_ = false;
  bool is_closing_ = false;
  bool is_writing_ = false;
};

}  // namespace

std::string chosen_subprotocol(const std::string & offered) {
  for (const std::string_view ours : kProtocols) {
    for (std::string_view rest = offered; !rest.empty();) {
      std::string_view each = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), each.size() + 1));
      while (each.starts_with(' ')) each.remove_prefix(1);
      while (each.ends_with(' ')) each.remove_suffix(1);
      if (each == ours) {
        return std::string(ours);
      }
    }
  }
  return {};
}

void serve_websocket(beast::tcp_stream stream, HttpRequest request, ConnectionListener & listener,
                     std::shared_ptr<void> presence) {
  const std::string subprotocol = chosen_subprotocol(std::string(request[beast::http::field::sec_websocket_protocol]));
  const Protocol protocol = subprotocol == kPageProtocol ? Protocol::kPage : Protocol::kFoxglove;
  std::make_shared<WebSocketConnection>(std::move(stream), protocol, listener, std::move(presence))
      ->accept(request, subprotocol);
}

}  // namespace tandem::view
