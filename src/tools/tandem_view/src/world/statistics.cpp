#include "world/statistics.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tandem/measure/clock.hpp"
#include "tandem/service.hpp"
#include "tandem/tools/graph.hpp"

namespace tandem::view {
namespace {

using inspection::Domain;
using inspection::Means;
using inspection::Publisher;
using inspection::Region;
using tools::Json;

bool is_own(const Region * region) {
  return region != nullptr && region->same_pid_namespace && region->pid == getpid();
}

bool is_topic(const std::string & name) { return transport::channel_of(name) == transport::Channel::kTopic; }

std::string node_of(const EndpointInfo & info) { return tools::full_name(info.node); }

const char * to_string(Reliability reliability) {
  return reliability == Reliability::kReliable ? "reliable" : "best effort";
}

Json publisher_json(const Region & region, const Publisher & publisher) {
  const Qos & qos = publisher.info.qos;
  return {{"node", node_of(publisher.info)},
          {"pid", region.pid},
          {"published", publisher.published},
          {"copied", publisher.copied},
          {"size", publisher.mean_size},
          {"failedLoans", publisher.failed_borrows},
          {"timeouts", publisher.timeouts},
          {"blocks", {publisher.blocks.used, publisher.blocks.max}},
          {"depth", qos.history == History::kKeepAll ? 0 : qos.depth},
          {"reliability", to_string(qos.reliability)},
          {"latched", qos.durability == Durability::kTransientLocal}};
}

}  // namespace

std::vector<float> LastMinute::values() const {
  std::vector<float> values(values_.begin() + static_cast<std::ptrdiff_t>(next_), values_.end());
  values.insert(values.end(), values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(next_));
  return values;
}

std::uint64_t Statistics::growth(std::map<Key, std::uint64_t> & now, const std::map<Key, std::uint64_t> & before,
                                 Key key, std::uint64_t value) {
  now[key] = value;
  const auto then = before.find(key);
  return then != before.end() ? value - std::min(value, then->second) : 0;
}

void Statistics::update() {
  report_ = inspection::inspect(options_);
  const std::int64_t now = measure::now_ns();
  const double seconds = looked_ != 0 ? std::max(static_cast<double>(now - looked_) * 1e-9, 1e-3) : 1;
  looked_ = now;
  published_before_ = std::exchange(published_, {});
  lost_before_ = std::exchange(lost_, {});
  for (auto & [name, figures] : topics_) {
    figures.messages = figures.bytes = figures.lost_rate = 0;
    figures.lost = figures.copied = 0;
    figures.means.clear();
    figures.is_present = false;
  }
  for (const Domain & domain : report_.domains) {
    add_publishers(domain, seconds);
    add_connections(domain, seconds);
  }
  std::erase_if(topics_, [](const auto & each) { return !each.second.is_present; });
  for (auto & [name, figures] : topics_) {
    figures.message_history.add(static_cast<float>(figures.messages));
    figures.byte_history.add(static_cast<float>(figures.bytes));
    figures.loss_history.add(static_cast<float>(figures.lost_rate));
  }
}

void Statistics::add_publishers(const Domain & domain, double seconds) {
  for (const Region & region : domain.regions) {
    if (region.state != inspection::State::kAlive) {
      continue;
    }
    for (const Publisher & publisher : region.publishers) {
      if (!is_topic(publisher.info.topic)) {
        continue;
      }
      Figures & figures = topics_[publisher.info.topic];
      figures.is_present = true;
      const Key key{publisher.info.id.incarnation, publisher.info.id.number};
      const double messages =
          static_cast<double>(growth(published_, published_before_, key, publisher.published)) / seconds;
      figures.messages += messages;
      figures.bytes += messages * publisher.mean_size;
      figures.copied += publisher.copied;
    }
    for (const inspection::Subscription & subscription : region.subscriptions) {
      if (is_topic(subscription.info.topic) && !is_own(&region)) {
        topics_[subscription.info.topic].is_present = true;
      }
    }
  }
}

void Statistics::add_connections(const Domain & domain, double seconds) {
  std::map<const Figures *, Means> worst;
  for (const inspection::Connection & each : domain.connections) {
    if (!is_topic(each.topic) || is_own(domain.region(each.subscription.incarnation))) {
      continue;
    }
    Figures & figures = topics_[each.topic];
    const auto known = worst.emplace(&figures, each.means).first;
    known->second = inspection::worse(known->second, each.means);
    figures.means = inspection::to_string(known->second);
    figures.lost += each.lost;
    figures.copied += each.copied;
    // The publisher's number and the reader's, which are unique with their incarnations.
    const Key key{each.subscription.incarnation ^ (each.publisher.incarnation << 1),
                  each.subscription.number << 32 | each.publisher.number};
    figures.lost_rate += static_cast<double>(growth(lost_, lost_before_, key, each.lost)) / seconds;
  }
}

Json Statistics::connections(const std::string & topic) const {
  Json publishers = Json::array();
  Json connections = Json::array();
  for (const Domain & domain : report_.domains) {
    for (const Region & region : domain.regions) {
      for (const Publisher & publisher : region.publishers) {
        if (publisher.info.topic == topic && region.state == inspection::State::kAlive) {
          publishers.push_back(publisher_json(region, publisher));
        }
      }
    }
    for (const inspection::Connection & each : domain.connections) {
      const Region * region = domain.region(each.subscription.incarnation);
      const Publisher * publisher = domain.publisher(each.publisher);
      const inspection::Subscription * subscription = domain.subscription(each.subscription);
      if (each.topic != topic || is_own(region) || publisher == nullptr || subscription == nullptr) {
        continue;
      }
      connections.push_back({{"from", node_of(publisher->info)},
                             {"to", node_of(subscription->info)},
                             {"pid", region->pid},
                             {"means", inspection::to_string(each.means)},
                             {"why", each.why},
                             {"reliability", to_string(subscription->info.qos.reliability)},
                             {"depth", subscription->info.qos.depth},
                             {"backlog", each.backlog},
                             {"held", each.held},
                             {"quota", each.quota},
                             {"copied", each.copied},
                             {"lost", each.lost}});
    }
  }
  return {{"publishers", std::move(publishers)}, {"connections", std::move(connections)}};
}

}  // namespace tandem::view
