#include "record/crash_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "tandem/cdr.hpp"
#include "tandem/definition.hpp"
#include "tandem/message_check.hpp"
#include "tandem/service.hpp"
#include "tandem/tools/graph.hpp"
#include "tandem/type_hash.hpp"
#include "tandem/type_library.hpp"

namespace tandem::bag {
namespace {

/// The type of a dead publisher's messages; null unless it is installed, and lies in memory as it did there.
const MessageType * type_of(const inspection::Publisher & publisher) {
  const auto type = find_message_type(publisher.info.type.name);
  return type && (**type).hash == publisher.info.type.hash && (**type).abi == publisher.info.type.abi ? *type : nullptr;
}

Topic topic_of(const inspection::Publisher & publisher, const MessageType & type) {
  Topic topic;
  topic.name = publisher.info.topic;
  topic.type = type.name;
  topic.type_hash = type_hash_text(type.hash);
  topic.offered_qos = {publisher.info.qos};
  topic.definition_encoding = "ros2msg";
  topic.definition = definition_of(type);
  return topic;
}

}  // namespace

bool DeadProcess::has_left() const {
  const auto is_closed = [](const inspection::Publisher & publisher) { return publisher.closed; };
  return region_.nodes.empty() && region_.subscriptions.empty() &&
         std::all_of(region_.publishers.begin(), region_.publishers.end(), is_closed);
}

std::vector<std::string> DeadProcess::nodes() const {
  std::vector<std::string> names;
  for (const NodeName & node : region_.nodes) {
    if (const std::string name = tools::full_name(node); !tools::is_hidden(name)) {
      names.push_back(name);
    }
  }
  return names;
}

std::string DeadProcess::text() const {
  return fmt::format("{} (process {}, nodes {})", std::filesystem::path(region_.executable).filename().string(),
                     region_.pid, fmt::join(nodes(), ", "));
}

void DeadProcess::read(const std::function<std::int64_t(const Topic &)> & add,
                       const std::function<void(const Message &)> & use) const {
  for (const inspection::Publisher & publisher : region_.publishers) {
    const bool is_topic = transport::channel_of(publisher.info.topic) == transport::Channel::kTopic;
    const MessageType * const type = is_topic && !publisher.closed ? type_of(publisher) : nullptr;
    if (type == nullptr) {
      continue;
    }
    if (const std::int64_t number = add(topic_of(publisher, *type)); number >= 0) {
      read(publisher, static_cast<std::uint32_t>(number), *type, use);
    }
  }
}

void DeadProcess::read(const inspection::Publisher & publisher, std::uint32_t number, const MessageType & type,
                       const std::function<void(const Message &)> & use) const {
  std::vector<std::uint8_t> bytes;
  for (const auto & found : kept_->messages(publisher)) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(found.memory) % type.alignment == 0;
    if (found.size < type.size || !is_aligned ||
        !is_well_formed(type, found.memory, kept_->memory(), kept_->memory_size())) {
      continue;
    }
    bytes = serialize(type, found.memory);
    use({number, static_cast<std::uint32_t>(found.number + 1), found.time, found.time, bytes.data(), bytes.size()});
  }
}

std::vector<DeadProcess> CrashWatch::look() {
  std::vector<DeadProcess> found;
  for (auto & kept : keeper_.look()) {
    DeadProcess dead(std::move(kept));
    const std::vector<std::string> names = dead.nodes();
    const auto is_watched = [&](const std::string & name) {
      return nodes_.empty() || std::find(nodes_.begin(), nodes_.end(), name) != nodes_.end();
    };
    if (!dead.has_left() && std::any_of(names.begin(), names.end(), is_watched)) {
      found.push_back(std::move(dead));
    }
  }
  return found;
}

}  // namespace tandem::bag
