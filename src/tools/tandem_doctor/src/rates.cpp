#include "rates.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "format.hpp"
#include "traffic.hpp"

namespace tandem::doctor {
namespace {

using inspection::Connection;
using inspection::Domain;
using inspection::Lane;
using inspection::Means;
using inspection::Publisher;
using inspection::Region;
using inspection::Report;
using inspection::State;

/// Figures of the earlier look, by identity.
class Past {
 public:
  explicit Past(const Report * report) {
    for (std::size_t i = 0; report != nullptr && i < report->domains.size(); ++i) {
      for (const Region & region : report->domains[i].regions) {
        for (const Publisher & publisher : region.publishers) {
          published_[{region.incarnation, publisher.info.id.number}] = publisher.published;
        }
        for (const Lane & lane : region.lanes) {
          lanes_[{region.incarnation, lane.number}] = {lane.cursor, lane.lost};
        }
      }
    }
  }
  std::uint64_t published(const Publisher & now) const {
    const auto then = published_.find({now.info.id.incarnation, now.info.id.number});
    return then != published_.end() ? now.published - std::min(now.published, then->second) : 0;
  }
  std::uint64_t lost(std::uint64_t incarnation, const Lane & now) const {
    const auto then = lanes_.find({incarnation, now.number});
    return then != lanes_.end() ? now.lost - std::min(now.lost, then->second.lost) : 0;
  }
  /// Messages that were taken, from `first` on.
  std::uint64_t taken(std::uint64_t incarnation, const Lane & now, std::uint64_t first) const {
    const auto then = lanes_.find({incarnation, now.number});
    if (then == lanes_.end()) {
      return 0;
    }
    const std::uint64_t passed = now.cursor - std::min(now.cursor, std::max(then->second.cursor, first));
    return passed - std::min(passed, lost(incarnation, now));
  }

 private:
  struct Place {
    std::uint64_t cursor;
    std::uint64_t lost;
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  std::map<Key, std::uint64_t> published_;
  std::map<Key, Place> lanes_;
};

const Lane * lane_of(const Region & region, const Connection & connection) {
  for (const Lane & lane : region.lanes) {
    if (lane.subscription == connection.subscription.number && lane.publisher == connection.publisher) {
      return &lane;
    }
  }
  return nullptr;
}

/// Rows of the table by their names.
class Rows {
 public:
  /// That of a topic; the channels of a service share one.
  TopicRate & of(const std::string & topic) {
    const bool is_service = channel_of(topic) != Channel::kTopic;
    TopicRate & row = rows_[is_service ? subject_of(topic) : topic];
    row.is_service = is_service;
    return row;
  }
  std::map<std::string, TopicRate> & all() { return rows_; }

 private:
  std::map<std::string, TopicRate> rows_;
};

void add_connections(const Domain & domain, const Past & past, double seconds, Rows & rows) {
  std::map<const TopicRate *, Means> worst;
  for (const Connection & each : domain.connections) {
    TopicRate & topic = rows.of(each.topic);
    topic.lost += each.lost;
    topic.backlog = std::max(topic.backlog, each.backlog);
    const auto known = worst.emplace(&topic, each.means).first;
    known->second = inspection::worse(known->second, each.means);
    topic.means = inspection::to_string(known->second);
    const Region * reader = domain.region(each.subscription.incarnation);
    const Lane * lane = reader != nullptr && each.lost != 0 ? lane_of(*reader, each) : nullptr;
    topic.lost_rate += lane != nullptr ? static_cast<double>(past.lost(reader->incarnation, *lane)) / seconds : 0;
  }
}

void add_topics(const Domain & domain, const Past & past, double seconds, Rates & rates) {
  Rows rows;
  for (const Region & region : domain.regions) {
    for (const Publisher & publisher : region.publishers) {
      if (region.state != State::kAlive || publisher.closed) {
        continue;
      }
      TopicRate & topic = rows.of(publisher.info.topic);
      const double messages = static_cast<double>(past.published(publisher)) / seconds;
      topic.publishers += channel_of(publisher.info.topic) != Channel::kReply ? 1 : 0;
      topic.messages += messages;
      topic.bytes += messages * publisher.mean_size;
      topic.blocks_used += publisher.blocks.used - std::min(publisher.blocks.used, publisher.blocks.free);
      topic.blocks_max += publisher.blocks.max;
    }
    for (const auto & subscription : region.subscriptions) {
      const bool is_counted = region.state == State::kAlive && channel_of(subscription.info.topic) != Channel::kReply;
      rows.of(subscription.info.topic).subscriptions += is_counted ? 1 : 0;
    }
  }
  add_connections(domain, past, seconds, rows);
  for (auto & [name, topic] : rows.all()) {
    if (topic.publishers + (topic.is_service ? 0 : topic.subscriptions) != 0) {
      topic.domain = domain.number;
      topic.name = printable(name);
      topic.means = topic.means.empty() ? "-" : topic.means;
      rates.topics.push_back(std::move(topic));
    }
  }
}

/// The first message that each lane is owed, as its publisher has told it: the cursor begins there.
std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> first_messages(const Domain & domain) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> found;
  for (const Region & region : domain.regions) {
    for (const Publisher & publisher : region.publishers) {
      for (const auto & each : publisher.acknowledgements) {
        found[{each.incarnation, each.lane}] = each.first;
      }
    }
  }
  return found;
}

void add_processes(const Domain & domain, const View & view, const Past & past, double seconds, Rates & rates) {
  const auto firsts = first_messages(domain);
  for (const Region & region : domain.regions) {
    ProcessRate process;
    process.domain = domain.number;
    process.name = printable(base_name(region.executable.empty() ? region.path : region.executable));
    process.pid = region.pid;
    process.state = view.activity_of(region.incarnation).is_stopped() ? "stopped" : inspection::to_string(region.state);
    process.memory = region.memory;
    process.in_use = region.heap_in_use;
    process.reserved = region.reserved;
    for (const Publisher & publisher : region.publishers) {
      process.out += static_cast<double>(past.published(publisher)) / seconds;
    }
    for (const Lane & lane : region.lanes) {
      process.lost += lane.lost;
      // Where replies pass, most that a lane goes past may be for others.
      const Publisher * publisher = domain.publisher(lane.publisher);
      if (publisher != nullptr && channel_of(publisher->info.topic) == Channel::kReply) {
        continue;
      }
      if (const auto first = firsts.find({region.incarnation, lane.number}); first != firsts.end()) {
        process.in += static_cast<double>(past.taken(region.incarnation, lane, first->second)) / seconds;
      }
    }
    rates.processes.push_back(std::move(process));
  }
}

}  // namespace

Rates compare(const Report * before, const View & now, double seconds) {
  Rates rates;
  rates.is_known = before != nullptr;
  const Past past(before);
  for (const Domain & domain : now.report.domains) {
    add_topics(domain, past, seconds, rates);
    add_processes(domain, now, past, seconds, rates);
  }
  return rates;
}

const char * to_string(Order order) {
  switch (order) {
    case Order::kMessages: return "messages";
    case Order::kBytes: return "bytes";
    case Order::kLost: return "lost";
    case Order::kName: return "name";
  }
  return "unknown";
}

void sort(Rates & rates, Order order) {
  std::stable_sort(rates.topics.begin(), rates.topics.end(), [order](const TopicRate & a, const TopicRate & b) {
    switch (order) {
      case Order::kMessages: return a.messages > b.messages;
      case Order::kBytes: return a.bytes > b.bytes;
      case Order::kLost: return a.lost > b.lost;
      case Order::kName: return std::tie(a.name, a.domain) < std::tie(b.name, b.domain);
    }
    return false;
  });
  std::stable_sort(rates.processes.begin(), rates.processes.end(),
                   [order](const ProcessRate & a, const ProcessRate & b) {
                     switch (order) {
                       case Order::kMessages: return a.out + a.in > b.out + b.in;
                       case Order::kBytes: return a.memory > b.memory;
                       case Order::kLost: return a.lost > b.lost;
                       case Order::kName: return std::tie(a.name, a.pid) < std::tie(b.name, b.pid);
                     }
                     return false;
                   });
}

}  // namespace tandem::doctor
