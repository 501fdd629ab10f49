#include "server/client.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "connection/assets.hpp"
#include "connection/fields.hpp"

namespace tandem::view {
namespace {

constexpr std::uint8_t kMessageData = 1;
constexpr std::uint8_t kServiceRequest = 2;
constexpr std::uint8_t kAssetResponse = 4;
constexpr std::size_t kChannelHeader = 5;

Json server_info(const World & world, const std::string & session, bool is_page) {
  Json info = {
      {"op", "serverInfo"},
      {"name", "tandem view"},
      {"capabilities", {"clientPublish", "parameters", "parametersSubscribe", "services", "connectionGraph", "assets"}},
      {"supportedEncodings", {"cdr", "json"}},
      {"metadata", Json::object()},
      {"sessionId", session}};
  if (is_page) {
    info["isSharedMemory"] = world.is_shared_memory;
  }
  return info;
}

std::string asset_response(std::uint32_t request, const std::string & error) {
  std::string head;
  append_u8(append_u32(append_u8(head, kAssetResponse), request), error.empty() ? 0 : 1);
  return append_u32(head, static_cast<std::uint32_t>(error.size())) + error;
}

}  // namespace

Client::Client(World & world, const std::shared_ptr<Connection> & connection, const std::string & session)
    : sender_(std::make_shared<Sender>(connection)),
      is_page_(connection->protocol() == Protocol::kPage),
      advertiser_(world, *sender_),
      subscriptions_(world, *sender_),
      publications_(world),
      service_calls_(world, sender_),
      parameters_(world, sender_),
      graph_feed_(world, *sender_),
      watches_(world, *sender_),
      page_feed_(world, *sender_) {
  add_operations();
  sender_->json(server_info(world, session, is_page_));
  refresh();
}

void Client::add_operations() {
  const auto add = [this](const char * name, auto & part, auto method) {
    operations_[name] = [&part, method](const Json & request) { (part.*method)(request); };
  };
  add("subscribe", subscriptions_, &Subscriptions::subscribe);
  add("unsubscribe", subscriptions_, &Subscriptions::unsubscribe);
  add("advertise", publications_, &Publications::advertise);
  add("unadvertise", publications_, &Publications::unadvertise);
  add("getParameters", parameters_, &Parameters::get);
  add("setParameters", parameters_, &Parameters::set);
  add("subscribeParameterUpdates", parameters_, &Parameters::subscribe);
  add("unsubscribeParameterUpdates", parameters_, &Parameters::unsubscribe);
  operations_["subscribeConnectionGraph"] = [this](const Json &) { graph_feed_.subscribe(); };
  operations_["unsubscribeConnectionGraph"] = [this](const Json &) { graph_feed_.unsubscribe(); };
  operations_["fetchAsset"] = [this](const Json & request) {
    const std::uint32_t id = number_field(request, "requestId");
    auto content = read_asset(text_field(request, "uri"));
    if (content) {
      sender_->binary(asset_response(id, ""), std::make_shared<const Bytes>(std::move(*content)));
    } else {
      sender_->binary(asset_response(id, content.error()));
    }
  };
  if (is_page_) {
    add("tandem.watch", watches_, &Watches::watch);
    add("tandem.unwatch", watches_, &Watches::unwatch);
    add("tandem.shown", watches_, &Watches::shown);
    add("tandem.choose", page_feed_, &PageFeed::choose);
    add("tandem.showGraph", page_feed_, &PageFeed::show_graph);
  }
}

void Client::receive(const std::string & message, bool is_binary) {
  try {
    if (is_binary) {
      receive_binary(message);
    } else {
      receive_text(message);
    }
  } catch (const BadRequest & error) {
    sender_->status(Level::kError, error.what());
  } catch (const Json::exception & error) {
    sender_->status(Level::kError, fmt::format("the message is not understood: {}", error.what()));
  } catch (const std::bad_alloc &) {
    sender_->status(Level::kError, "there is no memory left for this; is the shared memory full?");
  } catch (const std::exception & error) {  // of the transport, or of a type
    sender_->status(Level::kError, error.what());
  }
}

void Client::receive_text(const std::string & message) {
  const Json request = Json::parse(message, nullptr, false);
  if (request.is_discarded() || !request.is_object()) {
    throw BadRequest("a text message is a JSON object with a field 'op'; this one is not");
  }
  const std::string name = text_field(request, "op");
  const auto found = operations_.find(name);
  if (found == operations_.end()) {
    throw BadRequest(fmt::format("the operation '{}' is not known", name.substr(0, 100)));
  }
  found->second(request);
}

void Client::receive_binary(const std::string & message) {
  const std::uint8_t opcode = message.empty() ? 0 : static_cast<std::uint8_t>(message[0]);
  if (opcode == kMessageData && message.size() >= kChannelHeader) {
    publications_.publish(read_u32(message, 1), std::string_view(message).substr(kChannelHeader));
  } else if (opcode == kServiceRequest) {
    service_calls_.call(message);
  } else {
    throw BadRequest(
        fmt::format("a binary message of {} bytes with the opcode {} is not understood", message.size(), opcode));
  }
}

void Client::advance() {
  watches_.advance();
  if (!is_settled()) {
    advertiser_.advance();
  }
}

void Client::refresh() {
  subscriptions_.refresh();
  graph_feed_.refresh();
  if (is_page_) {
    watches_.refresh();
    page_feed_.refresh();
  } else {
    advertiser_.advance();
  }
}

}  // namespace tandem::view
