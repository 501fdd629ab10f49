#include "foxglove/graph_feed.hpp"

#include <utility>

namespace tandem::view {
namespace {

using Ends = std::map<std::string, std::vector<std::string>>;

/// [{"name": ..., key: [...]}] of those that are not as they were. One that has lost its last end is named with none.
Json changes(const Ends & before, const Ends & now, const char * key) {
  Json changed = Json::array();
  for (const auto & [name, nodes] : now) {
    const auto known = before.find(name);
    if (known == before.end() || known->second != nodes) {
      changed.push_back({{"name", name}, {key, nodes}});
    }
  }
  return changed;
}

Json removed(const Ends & before, const Ends & now) {
  Json names = Json::array();
  for (const auto & [name, nodes] : before) {
    if (now.count(name) == 0) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

void GraphFeed::subscribe() {
  unsubscribe();
  is_on_ = true;
  refresh();
}

void GraphFeed::unsubscribe() {
  is_on_ = false;
  published_.clear();
  subscribed_.clear();
  served_.clear();
}

void GraphFeed::refresh() {
  if (!is_on_) {
    return;
  }
  Ends published, subscribed, served;
  for (const auto & [name, topic] : world_.catalogue.topics()) {
    auto & from = published[name];
    auto & to = subscribed[name];
    for (const auto & end : topic.publishers) from.push_back(tools::full_name(end.node));
    for (const auto & end : topic.subscriptions) to.push_back(tools::full_name(end.node));
  }
  for (const auto & [name, service] : world_.catalogue.servers()) {
    for (const auto & end : service.servers) served[name].push_back(tools::full_name(end.request.node));
  }
  Json update = {{"op", "connectionGraphUpdate"},
                 {"publishedTopics", changes(published_, published, "publisherIds")},
                 {"subscribedTopics", changes(subscribed_, subscribed, "subscriberIds")},
                 {"advertisedServices", changes(served_, served, "providerIds")},
                 {"removedTopics", removed(published_, published)},
                 {"removedServices", removed(served_, served)}};
  bool is_empty = true;
  for (const auto & part : update) {
    is_empty = is_empty && (!part.is_array() || part.empty());
  }
  if (!is_empty) {
    sender_.json(update);
  }
  published_ = std::move(published);
  subscribed_ = std::move(subscribed);
  served_ = std::move(served);
}

}  // namespace tandem::view
