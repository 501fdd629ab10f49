#include "page/page_feed.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "connection/fields.hpp"
#include "page/shown_messages.hpp"
#include "tandem/measure/clock.hpp"

namespace tandem::view {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{4} << 20;
constexpr std::size_t kMostTopicsInGraph = 150;

/// Three digits: what changes beyond is noise, and need not be sent.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) {
    return 0;
  }
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return std::round(value / unit) * unit;
}

/// [id, topic, type, publishers, subscriptions, rate, bytes, are the bytes all, lost, lost rate, copied, means, ways to
/// show it, objection]
Json row(World & world, const Channel & channel) {
  static const Figures none;
  const auto & all = world.statistics.topics();
  const auto found = all.find(channel.topic);
  const Figures & figures = found != all.end() ? found->second : none;
  const Flow * flow = world.readers.flow(channel.id);
  const bool is_measured = flow != nullptr && flow->messages > 0;
  Json ways = Json::array();
  for (const char * way : {"tree", "picture", "points"}) {
    if (can_show(way, channel)) {
      ways.push_back(way);
    }
  }
  const bool is_counted = is_measured && !world.is_shared_memory;
  return {channel.id,
          channel.topic,
          channel.type_name,
          channel.publishers,
          channel.subscriptions,
          rounded(is_counted ? flow->messages : figures.messages),
          rounded(is_measured ? flow->bytes : figures.bytes),
          is_measured || (channel.type != nullptr && channel.type->is_fixed_size),
          figures.lost,
          rounded(figures.lost_rate),
          figures.copied,
          figures.means,
          std::move(ways),
          channel.objection};
}

Json timing_json(Timing & timing) {
  const std::int64_t now = measure::wall_ns();
  return {{"interval", timing.interval.counts(now)},
          {"age", timing.age.counts(now)},
          {"delivery", timing.delivery.counts(now)}};
}

}  // namespace

void PageFeed::choose(const Json & request) {
  chosen_ = number_field(request, "channel", 0);
  send_detail();
}

void PageFeed::show_graph(const Json & request) {
  const auto filter = request.find("filter");
  wants_graph_ = filter != request.end() && filter->is_string();
  filter_ = wants_graph_ ? filter->get<std::string>() : "";
  graph_.clear();
  send_graph();
}

void PageFeed::refresh() {
  if (sender_.connection().outbox().control_bytes() > kMostWaiting) {
    return;
  }
  send_topics();
  send_detail();
  send_graph();
}

void PageFeed::send_topics() {
  Json changed = Json::array();
  for (const auto & [id, channel] : world_.catalogue.channels()) {
    Json now = row(world_, channel);
    std::string text = to_text(now);
    std::string & known = rows_[id];
    if (known != text) {
      known = std::move(text);
      changed.push_back(std::move(now));
    }
  }
  Json removed = Json::array();
  std::erase_if(rows_, [&](const auto & each) {
    const bool is_gone = world_.catalogue.channel(each.first) == nullptr;
    if (is_gone) {
      removed.push_back(each.first);
    }
    return is_gone;
  });
  sender_.json({{"op", "tandem.topics"},
                {"time", measure::wall_ns() / 1'000'000},
                {"nodes", world_.catalogue.nodes().size()},
                {"changed", std::move(changed)},
                {"removed", std::move(removed)}});
}

void PageFeed::send_detail() {
  const Channel * channel = world_.catalogue.channel(chosen_);
  if (channel == nullptr) {
    return;
  }
  Json detail = world_.is_shared_memory
                    ? world_.statistics.connections(channel->topic)
                    : Json{{"publishers", Json::array()}, {"connections", Json::array()}, {"isUnknown", true}};
  detail["op"] = "tandem.topic";
  detail["channel"] = chosen_;
  const auto & all = world_.statistics.topics();
  if (const auto figures = all.find(channel->topic); figures != all.end()) {
    detail["history"] = {{"messages", figures->second.message_history.values()},
                         {"bytes", figures->second.byte_history.values()},
                         {"lost", figures->second.loss_history.values()}};
  }
  if (Timing * timing = world_.readers.timing(chosen_)) {
    detail["timing"] = timing_json(*timing);
  }
  sender_.json(detail);
}

void PageFeed::send_graph() {
  if (!wants_graph_) {
    return;
  }
  Json topics = Json::array();
  std::size_t left_out = 0;
  for (const auto & [name, topic] : world_.catalogue.topics()) {
    std::set<std::string> from, to;
    for (const auto & end : topic.publishers) from.insert(tools::full_name(end.node));
    for (const auto & end : topic.subscriptions) to.insert(tools::full_name(end.node));
    const auto has_filter = [&](const std::string & text) { return text.find(filter_) != std::string::npos; };
    const bool is_wanted = filter_.empty() ? !tools::is_hidden(name)
                                           : has_filter(name) || std::any_of(from.begin(), from.end(), has_filter) ||
                                                 std::any_of(to.begin(), to.end(), has_filter);
    if (!is_wanted || (from.empty() && to.empty())) {
      continue;
    }
    if (topics.size() == kMostTopicsInGraph) {
      ++left_out;
      continue;
    }
    topics.push_back({{"name", name}, {"from", from}, {"to", to}});
  }
  const Json message = {{"op", "tandem.graph"}, {"topics", std::move(topics)}, {"leftOut", left_out}};
  std::string text = to_text(message);
  if (text != graph_) {
    graph_ = std::move(text);
    sender_.json(message);
  }
}

}  // namespace tandem::view
