// One client: what it may ask for, and what it is told without asking. On the data thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "foxglove/advertiser.hpp"
#include "foxglove/graph_feed.hpp"
#include "foxglove/parameters.hpp"
#include "foxglove/publications.hpp"
#include "foxglove/service_calls.hpp"
#include "foxglove/subscriptions.hpp"
#include "page/page_feed.hpp"
#include "page/watches.hpp"

namespace tandem::view {

class Client {
 public:
  /// Greets it. `world` outlives it. `session` is the same for all clients of this process.
  Client(World & world, const std::shared_ptr<Connection> & connection, const std::string & session);

  /// What it sent. What makes no sense is answered with a status message.
  void receive(const std::string & message, bool is_binary);
  /// Some hundred times a second.
  void advance();
  /// Whether it has been told all that there is to be told now.
  bool is_settled() const { return is_page_ || advertiser_.is_complete(); }
  /// Once a second, when the world has changed.
  void refresh();
  /// It sends more than it may.
  void tell_of_flood() {
    sender_->status(Level::kWarning, "messages come too fast: they are read more slowly", "flood");
  }

 private:
  void receive_text(const std::string & message);
  void receive_binary(const std::string & message);
  void add_operations();

  const std::shared_ptr<Sender> sender_;
  const bool is_page_;
  Advertiser advertiser_;
  Subscriptions subscriptions_;
  Publications publications_;
  ServiceCalls service_calls_;
  Parameters parameters_;
  GraphFeed graph_feed_;
  Watches watches_;
  PageFeed page_feed_;
  std::map<std::string, std::function<void(const Json &)>> operations_;
};

}  // namespace tandem::view
