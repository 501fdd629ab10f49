#include "connections_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "view.hpp"

namespace tandem::doctor {
namespace {

using inspection::Connection;
using inspection::Domain;
using inspection::Means;
using inspection::Publisher;
using inspection::Region;
using inspection::Subscription;

class Section {
 public:
  Section(const Domain & domain, std::size_t width, const Brush & brush)
      : domain_(domain), width_(width), brush_(brush) {}
  void topic(const std::string & name, const Ends & ends);
  void service(const std::string & name, const Service & service);
  void uncalled(const std::string & names);
  std::string take() { return std::move(text_); }

 private:
  void heading(const std::string & name, const std::string & type) {
    text_ += "  " + brush_(Paint::kBold, printable(name)) + "  " + printable(type) + '\n';
  }
  void line(const std::string & text) { text_ += "    " + wrap(text, width_, 6) + '\n'; }
  void publishers(const Ends & ends);
  void publisher(const Region & region, const Publisher & publisher);
  void readers(const Publisher & publisher);

  const Domain & domain_;
  const std::size_t width_;
  const Brush & brush_;
  std::string text_;
};

Paint paint_of(Means means) {
  switch (means) {
    case Means::kZeroCopy: return Paint::kGood;
    case Means::kCopies:
    case Means::kPending: return Paint::kWarning;
    case Means::kMismatch: return Paint::kBad;
    case Means::kNone: return Paint::kDim;
  }
  return Paint::kNone;
}

/// "/a (pid 1), /b (pid 2)"
std::string names_of(const Ends & ends) {
  std::string names;
  for (const auto & [region, each] : ends.subscriptions) {
    names += (names.empty() ? "" : ", ") + endpoint_name(each->info, region);
  }
  return names;
}

void Section::publishers(const Ends & ends) {
  for (const auto & [region, each] : ends.publishers) {
    publisher(*region, *each);
  }
}

void Section::publisher(const Region & region, const Publisher & publisher) {
  const Publisher::Blocks & blocks = publisher.blocks;
  const Channel channel = channel_of(publisher.info.topic);
  const std::string nouns = channel == Channel::kTopic     ? "published"
                            : channel == Channel::kRequest ? "requests sent"
                                                           : "replies sent";
  std::string text = fmt::format("from {}: {} {}", endpoint_name(publisher.info, &region),
                                 count(static_cast<double>(publisher.published)), nouns);
  text += publisher.published != 0 ? fmt::format(" of {}", bytes(publisher.mean_size)) : "";
  text += publisher.closed ? ", closing" : "";
  if (publisher.waiting != 0) {
    text += channel == Channel::kReply ? ", waits for a client to take its replies" : ", waits for a slow reader";
  }
  if (blocks.used != 0) {
    text += fmt::format("; {} of {} blocks used: {} free, {} in the ring, {} kept, {} on loan", blocks.used, blocks.max,
                        blocks.free, blocks.in_ring, blocks.kept, blocks.loaned);
  }
  text += publisher.failed_borrows != 0 ? fmt::format("; {} borrows failed", publisher.failed_borrows) : "";
  text += publisher.timeouts != 0 ? fmt::format("; {} timeouts", publisher.timeouts) : "";
  text += publisher.forgotten != 0 ? fmt::format("; {} forgotten", publisher.forgotten) : "";
  line(text);
  readers(publisher);
}

void Section::readers(const Publisher & publisher) {
  // How many replies wait for one client cannot be told from its place in the ring: it passes over those for others.
  const bool has_backlog = channel_of(publisher.info.topic) != Channel::kReply;
  Table table({"to", "means", ">backlog", ">held", ">copied", ">lost"});
  std::vector<std::string> reasons;
  for (const Connection & each : domain_.connections) {
    const Subscription * subscription =
        each.publisher == publisher.info.id ? domain_.subscription(each.subscription) : nullptr;
    if (subscription == nullptr) {
      continue;
    }
    const Region * reader = domain_.region(each.subscription.incarnation);
    const Qos & qos = subscription->info.qos;
    const std::string depth = qos.history == History::kKeepAll ? "all" : std::to_string(qos.depth);
    table.add({{endpoint_name(subscription->info, reader)},
               {inspection::to_string(each.means), paint_of(each.means)},
               {has_backlog ? fmt::format("{}/{}", each.backlog, depth) : "-"},
               {fmt::format("{}/{}", each.held, each.quota)},
               {std::to_string(each.copied)},
               {std::to_string(each.lost), each.lost != 0 ? Paint::kWarning : Paint::kNone}});
    if (!each.why.empty() && std::find(reasons.begin(), reasons.end(), each.why) == reasons.end()) {
      reasons.push_back(each.why);
    }
  }
  if (table.size() != 0) {
    for (const std::string & row : table.lines(width_, 6, brush_)) {
      text_ += row + '\n';
    }
  }
  for (const std::string & reason : reasons) {
    text_ += "      " + wrap("- " + printable(reason), width_, 8) + '\n';
  }
}

void Section::topic(const std::string & name, const Ends & ends) {
  heading(name, type_of(ends.publishers.empty() ? ends.subscriptions.front().second->info
                                                : ends.publishers.front().second->info));
  publishers(ends);
  if (ends.publishers.empty()) {
    line("no publisher; read by " + names_of(ends));
  } else if (ends.subscriptions.empty()) {
    text_ += "    no subscription\n";
  }
}

/// One that has a client.
void Section::service(const std::string & name, const Service & service) {
  heading("service " + name, type_of(service.requests.publishers.front().second->info));
  publishers(service.requests);
  publishers(service.replies);
  if (service.requests.subscriptions.empty()) {
    text_ += "    no server\n";
  }
}

void Section::uncalled(const std::string & names) {
  if (!names.empty()) {
    text_ += "  " + wrap("services without a client: " + names, width_, 4) + '\n';
  }
}

}  // namespace

std::string to_text(const Domain & domain, const Traffic & traffic, std::size_t width, const Brush & brush) {
  Section section(domain, width, brush);
  for (const auto & [name, ends] : traffic.topics) {
    section.topic(name, ends);
  }
  std::string uncalled;
  for (const auto & [name, service] : traffic.services) {
    if (service.requests.publishers.empty()) {
      uncalled += (uncalled.empty() ? "" : ", ") + printable(name);
    } else {
      section.service(name, service);
    }
  }
  section.uncalled(uncalled);
  return section.take();
}

}  // namespace tandem::doctor
