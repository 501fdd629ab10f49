#include "server/server.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>
#include <utility>

#include "server/websocket_connection.hpp"
#include "tandem/tools/error.hpp"

namespace tandem::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr int kMostConnections = 200;
constexpr auto kRequestPatience = std::chrono::seconds(30);  // for one request
constexpr std::uint32_t kMostHeaderBytes = 16 << 10;
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What all connections use.
struct Shared {
  Access access;
  const Pages & pages;
  ConnectionListener & listener;
  int connections = 0;
};

/// Counts a connection as long as it lives.
class Presence {
 public:
  explicit Presence(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) { ++shared_->connections; }
  ~Presence() { --shared_->connections; }
  Presence(const Presence &) = delete;
  Presence & operator=(const Presence &) = delete;

 private:
  const std::shared_ptr<Shared> shared_;
};

struct Refusal {
  http::status status;
  std::string text;
};

Question question_of(const HttpRequest & request) {
  Question question;
  question.target = std::string(request.target());
  question.host = std::string(request[http::field::host]);
  if (const auto origin = request.find(http::field::origin); origin != request.end()) {
    question.origin = std::string(origin->value());
  }
  return question;
}

/// One connection as long as it speaks HTTP.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(tcp::socket socket, std::shared_ptr<Shared> shared)
      : stream_(std::move(socket)), shared_(std::move(shared)), presence_(std::make_shared<Presence>(shared_)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(kRequestPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) {
        self->answer(self->parser_->release());
      } else if (error != http::error::end_of_stream && error != beast::error::timeout) {
        self->respond({http::status::bad_request, "this is no request that the server understands"}, 11, false);
      }
    });
  }

 private:
  /// Why the request is not served; nothing if it is.
  std::optional<Refusal> objection(const Question & question) const {
    const Access & access = shared_->access;
    if (!access.is_host_right(question)) {
      return Refusal{http::status::forbidden, "the address has a name that is not this machine's: use 127.0.0.1"};
    }
    if (!access.path_of(question)) {
      return Refusal{http::status::forbidden,
                     "the address lacks the token, or has a wrong one: use the one that `tandem view` printed"};
    }
    return std::nullopt;
  }

  void answer(HttpRequest request) {
    const Question question = question_of(request);
    if (const auto refusal = objection(question)) {
      respond(*refusal, request.version(), request.keep_alive());
    } else if (beast::websocket::is_upgrade(request)) {
      upgrade(std::move(request), question);
    } else if (request.method() != http::verb::get && request.method() != http::verb::head) {
      respond({http::status::method_not_allowed, "only GET is served"}, request.version(), false);
    } else if (const std::string path = *shared_->access.path_of(question); path.empty()) {
      redirect(question.target + "/", request);
    } else if (const Page * page = shared_->pages.find(path)) {
      send(*page, request);
    } else {
      respond({http::status::not_found, "there is no such page"}, request.version(), request.keep_alive());
    }
  }

  void upgrade(HttpRequest request, const Question & question) {
    if (!shared_->access.is_origin_right(question)) {
      respond({http::status::forbidden,
               fmt::format("pages of {} may not connect; `tandem view --allow-origin {}` lets them", *question.origin,
                           *question.origin)},
              request.version(), false);
    } else if (chosen_subprotocol(std::string(request[http::field::sec_websocket_protocol])).empty()) {
      respond({http::status::bad_request, "the client speaks neither foxglove.websocket.v1 nor foxglove.sdk.v1"},
              request.version(), false);
    } else {
      serve_websocket(std::move(stream_), std::move(request), shared_->listener, presence_);
    }
  }

  void send(const Page & page, const HttpRequest & request) {
    response_ = {http::status::ok, request.version()};
    response_.set(http::field::content_type, page.type);
    response_.keep_alive(request.keep_alive());
    if (request.method() == http::verb::head) {
      response_.content_length(page.text.size());
    } else {
      response_.body() = page.text;
      response_.prepare_payload();
    }
    write(request.method() == http::verb::head);
  }

  /// The page's files have addresses relative to it.
  void redirect(const std::string & address, const HttpRequest & request) {
    response_ = {http::status::permanent_redirect, request.version()};
    response_.set(http::field::location, address);
    response_.keep_alive(request.keep_alive());
    response_.prepare_payload();
    write(false);
  }

  void respond(const Refusal & refusal, unsigned version, bool keep_alive) {
    response_ = {refusal.status, version};
    response_.set(http::field::content_type, "text/plain; charset=utf-8");
    response_.keep_alive(keep_alive);
    response_.body() = refusal.text + "\n";
    response_.prepare_payload();
    write(false);
  }

  void write(bool is_head) {
    response_.set(http::field::cache_control, "no-store");
    response_.set("Content-Security-Policy", std::string(kPolicy));
    response_.set("Referrer-Policy", "no-referrer");  // the address has the token
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    serializer_.emplace(response_);
    serializer_->split(is_head);
    const auto done = [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error && self->response_.keep_alive()) {
        self->read();
      }
    };
    if (is_head) {
      http::async_write_header(stream_, *serializer_, done);
    } else {
      http::async_write(stream_, *serializer_, done);
    }
  }

  beast::tcp_stream stream_;
  const std::shared_ptr<Shared> shared_;
  const std::shared_ptr<Presence> presence_;
  beast::flat_buffer buffer_{std::size_t{64} << 10};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
};

tcp::endpoint endpoint_of(const ServerOptions & options) {
  beast::error_code error;
  const auto address = asio::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, error);
  if (error) {
    throw tools::Error(
        fmt::format("--host {} is no address: give one such as 127.0.0.1, or 0.0.0.0 for all of this "
                    "machine's",
                    options.host));
  }
  return {address, options.port};
}

}  // namespace

struct Server::Body {
  Body(ServerOptions options, const Pages & pages, ConnectionListener & listener) : acceptor(context) {
    const tcp::endpoint endpoint = endpoint_of(options);
    options.access.is_loopback = endpoint.address().is_loopback();
    shared = std::make_shared<Shared>(Shared{std::move(options.access), pages, listener});
    try {
      acceptor.open(endpoint.protocol());
      acceptor.set_option(tcp::acceptor::reuse_address(true));
      acceptor.bind(endpoint);
      acceptor.listen();
    } catch (const boost::system::system_error & error) {
      throw tools::Error(
          fmt::format("cannot listen on port {} of {}: {}; choose another with --port, or any that is "
                      "free with --port 0",
                      options.port, options.host, error.code().message()));
    }
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) {
        return;
      }
      if (error) {  // of descriptors, most likely: they may be free again in a while
        pause.expires_after(std::chrono::milliseconds(100));
        pause.async_wait([this](beast::error_code ended) {
          if (!ended) {
            accept();
          }
        });
        return;
      }
      if (shared->connections < kMostConnections) {  // else it is closed
        beast::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<HttpConnection>(std::move(socket), shared)->read();
      }
      accept();
    });
  }

  asio::io_context context{1};
  tcp::acceptor acceptor;
  asio::steady_timer pause{context};
  std::shared_ptr<Shared> shared;
};

Server::Server(ServerOptions options, const Pages & pages, ConnectionListener & listener)
    : body_(std::make_unique<Body>(std::move(options), pages, listener)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return body_->acceptor.local_endpoint().port(); }

bool Server::is_loopback() const { return body_->shared->access.is_loopback; }

void Server::run() {
  body_->accept();
  body_->context.run();
}

void Server::stop() { body_->context.stop(); }

}  // namespace tandem::view
