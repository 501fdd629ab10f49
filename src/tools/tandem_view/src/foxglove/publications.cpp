#include "foxglove/publications.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "connection/fields.hpp"
#include "foxglove/encoding.hpp"

namespace tandem::view {
namespace {

constexpr std::size_t kMostPublications = 500;

/// The topic's name, fully qualified.
std::string checked_topic(const std::string & name) {
  const std::string topic = name.starts_with('/') ? name : "/" + name;
  const bool has_bad = std::any_of(topic.begin(), topic.end(),
                                   [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '/'; });
  bool starts_badly = topic.size() < 2 || topic.size() > 200 || topic.ends_with('/');
  for (std::size_t i = 1; i < topic.size() && !starts_badly; ++i) {
    starts_badly = topic[i - 1] == '/' && (topic[i] == '/' || std::isdigit(static_cast<unsigned char>(topic[i])) != 0);
  }
  if (has_bad || starts_badly) {
    throw BadRequest(fmt::format("'{}' is not the name of a topic", name));
  }
  return topic;
}

}  // namespace

void Publications::advertise(const Json & request) {
  for_each(array_field(request, "channels"), [this](const Json & each) { add(each); });
}

void Publications::add(const Json & channel) {
  const std::uint32_t id = number_field(channel, "id");
  const std::string topic = checked_topic(text_field(channel, "topic"));
  const std::string encoding = text_field(channel, "encoding");
  if (!is_encoding(encoding)) {
    throw BadRequest(fmt::format("{} cannot be published as '{}': cdr and json are understood", topic, encoding));
  }
  const auto type = type_of_schema(text_field(channel, "schemaName"));
  if (!type) {
    throw BadRequest(type.error());
  }
  if (entries_.count(id) != 0) {
    throw BadRequest(fmt::format("the channel {} is advertised already", id));
  }
  if (entries_.size() == kMostPublications) {
    throw BadRequest(fmt::format("one client may advertise {} channels at most", kMostPublications));
  }
  transport::TopicOptions options;
  options.node = world_.node;
  options.topic = topic;
  entries_[id] = {*type, topic, encoding, world_.context->create_publisher(**type, options)};
}

void Publications::unadvertise(const Json & request) {
  for_each(numbers_field(request, "channelIds"), [this](std::uint32_t id) {
    if (entries_.erase(id) == 0) {
      throw BadRequest(fmt::format("the channel {} is not advertised", id));
    }
  });
}

void Publications::publish(std::uint32_t channel, std::string_view payload) {
  const auto found = entries_.find(channel);
  if (found == entries_.end()) {
    throw BadRequest(fmt::format("a message for the channel {}, which is not advertised", channel));
  }
  Entry & entry = found->second;
  auto message = decode(*entry.type, entry.encoding, payload);
  if (!message) {
    throw BadRequest(fmt::format("a message for {} is no {}: {}", entry.topic, entry.type->name, message.error()));
  }
  if (const auto result = entry.publisher->publish(*message); result != transport::PublishResult::kOk) {
    throw BadRequest(fmt::format("a message for {} was not published: {}", entry.topic, to_string(result)));
  }
}

}  // namespace tandem::view
