#include "screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tandem::doctor {
namespace {

Paint paint_of(const std::string & means) {
  return means == "zero-copy"                      ? Paint::kGood
         : means == "copies" || means == "pending" ? Paint::kWarning
         : means == "mismatch"                     ? Paint::kBad
                                                   : Paint::kNone;
}

bool has_several_domains(const Rates & rates) {
  std::set<std::uint32_t> domains;
  for (const ProcessRate & process : rates.processes) {
    domains.insert(process.domain);
  }
  return domains.size() > 1;
}

}  // namespace

std::string headline(const View & view, const Rates & rates, std::size_t width, const Brush & brush) {
  double messages = 0;
  double volume = 0;
  for (const TopicRate & topic : rates.topics) {
    messages += topic.messages;
    volume += topic.bytes;
  }
  const auto services = static_cast<std::size_t>(std::count_if(
      rates.topics.begin(), rates.topics.end(), [](const TopicRate & topic) { return topic.is_service; }));
  const auto dead = std::count_if(rates.processes.begin(), rates.processes.end(),
                                  [](const ProcessRate & process) { return process.state == "dead"; });
  const std::string first =
      fmt::format("{}  {} of {} used", view.report.directory, percent(view.host.file_system.used()),
                  bytes(static_cast<double>(view.host.file_system.size)));
  const std::string second = fmt::format(
      "{}, {} dead, {}{}", number_of(rates.processes.size() - static_cast<std::size_t>(dead), "process", "processes"),
      dead, number_of(rates.topics.size() - services, "topic", "topics"),
      services != 0 ? ", " + number_of(services, "called service", "called services") : "");
  const std::string third =
      rates.is_known ? fmt::format("{} messages/s, {}/s", count(messages), bytes(volume)) : "measuring ...";
  return brush(Paint::kBold, shorten(first, width)) + '\n' + shorten(second + "; " + third, width);
}

std::vector<std::string> tables(const Rates & rates, std::size_t width, const Brush & brush) {
  const bool domains = has_several_domains(rates);
  const auto rate = [&](double value) { return rates.is_known ? count(value) : std::string("-"); };
  const auto name = [&](std::uint32_t domain, const std::string & text) {
    return domains ? fmt::format("{}:{}", domain, text) : text;
  };
  Table topics({domains ? "domain:topic" : "topic", ">p:s", ">msg/s", ">B/s", ">backlog", ">blocks", ">lost", "means"});
  for (const TopicRate & topic : rates.topics) {
    const bool is_losing = topic.lost_rate > 0;
    topics.add({{name(topic.domain, topic.name)},
                {fmt::format("{}:{}", topic.publishers, topic.subscriptions)},
                {rate(topic.messages)},
                {rate(topic.bytes)},
                {count(static_cast<double>(topic.backlog))},
                {fmt::format("{}/{}", topic.blocks_used, count(topic.blocks_max))},
                {count(static_cast<double>(topic.lost)) + (is_losing ? "+" : ""), is_losing         ? Paint::kBad
                                                                                  : topic.lost != 0 ? Paint::kWarning
                                                                                                    : Paint::kNone},
                {topic.means, paint_of(topic.means)}});
  }
  Table processes({domains ? "domain:process" : "process", ">pid", ">out/s", ">in/s", ">lost", ">memory", ">in use",
                   ">of", "state"});
  for (const ProcessRate & process : rates.processes) {
    processes.add({{name(process.domain, process.name)},
                   {process.pid != 0 ? std::to_string(process.pid) : "-"},
                   {rate(process.out)},
                   {rate(process.in)},
                   {count(static_cast<double>(process.lost)), process.lost != 0 ? Paint::kWarning : Paint::kNone},
                   {bytes(static_cast<double>(process.memory))},
                   {bytes(static_cast<double>(process.in_use))},
                   {bytes(static_cast<double>(process.reserved))},
                   {process.state, process.state == "alive" ? Paint::kGood : Paint::kBad}});
  }
  std::vector<std::string> lines = topics.lines(width, 0, brush);
  lines.emplace_back();
  const std::vector<std::string> more = processes.lines(width, 0, brush);
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

}  // namespace tandem::doctor
