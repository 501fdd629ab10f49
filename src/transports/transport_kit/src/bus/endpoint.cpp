#include "tandem/kit/endpoint.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "roster/roster_text.hpp"
#include "tandem/type_hash.hpp"

namespace tandem::transport {

StatusBoard::Counterpart counterpart(const Gid & gid, QosPolicy policy) {
  StatusBoard::Counterpart result;
  static_assert(sizeof result.owner + sizeof result.number == std::tuple_size_v<Gid>);
  std::memcpy(&result.owner, gid.data(), sizeof result.owner);
  std::memcpy(&result.number, gid.data() + sizeof result.owner, sizeof result.number);
  result.policy = policy;
  return result;
}

EndpointInfo make_endpoint(const std::string & transport, EndpointKind kind, const MessageType & type,
                           const TopicOptions & options) {
  const std::string what = transport + ": topic '" + options.topic + "': ";
  if (options.topic.empty() || !is_plain(options.topic + options.node.name_space + options.node.name)) {
    throw Error(what + "the name is empty, or has a tab, a line break or the like in it");
  }
  if (options.qos.history == History::kKeepLast && options.qos.depth == 0) {
    throw Error(what + "a history depth of 0 keeps nothing; use 1 or more");
  }
  const std::string hash = type_hash_text(options.service != nullptr ? options.service->hash : type.hash);
  const Qos & qos = options.qos;
  if (qos.deadline.count() <= 0 || qos.lifespan.count() <= 0 || qos.lease.count() <= 0) {
    throw Error(what + "a deadline, a lifespan and a lease must be greater than 0");
  }
  const Gid origin = options.origin ? options.origin->publisher : Gid{};
  return {kind, options.topic, type.name, hash, type.abi, options.node, options.qos, {}, origin};
}

const MessageType & type_on(Channel channel, const MessageType & type) {
  if (channel == Channel::kTopic || !type.is_fixed_size) {
    return type;
  }
  static std::mutex mutex;
  static auto & known = *new std::map<const MessageType *, MessageType>;  // static objects may outlast it otherwise
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [found, is_new] = known.try_emplace(&type, type);
  if (is_new) {
    found->second.is_fixed_size = false;
  }
  return found->second;
}

std::string mismatch(const EndpointInfo & theirs, const EndpointInfo & ours) {
  if (theirs.type_name != ours.type_name) {
    return "the publisher's type is " + theirs.type_name + ", the subscription's is " + ours.type_name;
  }
  if (!theirs.type_hash.empty() && !ours.type_hash.empty() && theirs.type_hash != ours.type_hash) {
    return "both call their type " + ours.type_name + ", but the publisher's hash is " + theirs.type_hash +
           ", the subscription's is " + ours.type_hash;
  }
  if (theirs.abi != 0 && ours.abi != 0 && theirs.abi != ours.abi) {
    return "both use " + ours.type_name + ", but the publisher's ABI tag is " + std::to_string(theirs.abi) +
           ", the subscription's is " + std::to_string(ours.abi);
  }
  return describe_misfit(theirs.qos, ours.qos);
}

bool must_wait(const EndpointInfo & publisher, const EndpointInfo & subscription) {
  const auto keeps_all = [](const Qos & qos) {
    return qos.history == History::kKeepAll && qos.reliability == Reliability::kReliable;
  };
  return keeps_all(publisher.qos) && keeps_all(subscription.qos) && channel_of(publisher.topic) != Channel::kReply;
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void warn(const std::string & transport, const std::string & topic, const std::string & text) {
  const std::string where = topic.empty() ? "" : "topic '" + topic + "': ";
  std::fprintf(stderr, "[WARN] [%s]: %s%s\n", transport.c_str(), where.c_str(), text.c_str());
}

}  // namespace tandem::transport
