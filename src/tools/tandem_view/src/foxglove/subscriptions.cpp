#include "foxglove/subscriptions.hpp"

#include <fmt/format.h>

#include "connection/fields.hpp"
#include "tandem/tools/error.hpp"

namespace tandem::view {
namespace {

constexpr std::uint8_t kMessageData = 1;
constexpr std::size_t kMostSubscriptions = 20000;

}  // namespace

void Subscriptions::subscribe(const Json & request) {
  for_each(array_field(request, "subscriptions"),
           [this](const Json & each) { add(number_field(each, "id"), number_field(each, "channelId")); });
}

void Subscriptions::add(std::uint32_t id, std::uint32_t channel_id) {
  const Channel * channel = world_.catalogue.channel(channel_id);
  if (channel == nullptr) {
    throw BadRequest(fmt::format("there is no channel {}", channel_id));
  }
  if (entries_.count(id) != 0) {
    throw BadRequest(fmt::format("the subscription {} is there already", id));
  }
  if (channels_.count(channel_id) != 0) {
    throw BadRequest(fmt::format("{} is subscribed to already", channel->topic));
  }
  if (entries_.size() == kMostSubscriptions) {
    throw BadRequest(fmt::format("one client may subscribe to {} channels at most", kMostSubscriptions));
  }
  Look look = world_.readers.look(*channel, [this, id](Delivery & delivery) {
    Frame frame;
    frame.is_binary = true;
    append_u64(append_u32(append_u8(frame.head, kMessageData), id), static_cast<std::uint64_t>(delivery.time()));
    frame.body = delivery.cdr();
    sender_.message(id, std::move(frame));
  });
  entries_[id] = {channel_id, channel->topic, std::move(look)};
  channels_.insert(channel_id);
}

void Subscriptions::unsubscribe(const Json & request) {
  for_each(numbers_field(request, "subscriptionIds"), [this](std::uint32_t id) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) {
      throw BadRequest(fmt::format("there is no subscription {}", id));
    }
    channels_.erase(found->second.channel);
    entries_.erase(found);
  });
}

void Subscriptions::refresh() {
  std::erase_if(entries_, [&](const auto & each) {
    const bool is_gone = world_.catalogue.channel(each.second.channel) == nullptr;
    return is_gone && channels_.erase(each.second.channel) != 0;
  });
  for (const auto & [id, dropped] : sender_.connection().outbox().take_drops()) {
    if (const auto found = entries_.find(id); found != entries_.end()) {
      Entry & entry = found->second;
      entry.dropped += dropped;
      sender_.status(
          Level::kWarning,
          fmt::format("{} messages of {} were dropped, as this client reads too slowly", entry.dropped, entry.topic),
          "dropped " + entry.topic);
    }
  }
}

}  // namespace tandem::view
