#include "tandem/bag/topic_filter.hpp"

#include <algorithm>

#include "tandem/tools/graph.hpp"

namespace tandem::bag {
namespace {

std::optional<std::regex> compiled(const std::string & text) {
  if (text.empty()) {
    return std::nullopt;
  }
  try {
    return std::regex(text);
  } catch (const std::regex_error & error) {
    throw Error("'" + text + "' is no regular expression: " + error.what());
  }
}

bool contains(const std::vector<std::string> & all, const std::string & one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_found(const std::optional<std::regex> & regex, const std::string & name) {
  return regex && std::regex_search(name, *regex);
}

}  // namespace

TopicFilter::TopicFilter(const Selection & selection)
    : selection_(selection), regex_(compiled(selection.regex)), exclude_regex_(compiled(selection.exclude_regex)) {}

bool TopicFilter::accepts(const Topic & topic) const {
  const std::string service = service_of_event_topic(topic);
  const bool is_named = contains(selection_.topics, topic.name);
  return service.empty() || is_named ? accepts_topic(topic) : accepts_service(service);
}

bool TopicFilter::accepts_service(const std::string & service) const {
  const bool is_wanted = selection_.all_services || contains(selection_.services, service) || is_found(regex_, service);
  return is_wanted && !contains(selection_.exclude_services, service) && !is_found(exclude_regex_, service);
}

bool TopicFilter::accepts_topic(const Topic & topic) const {
  const bool is_named = contains(selection_.topics, topic.name);
  const bool is_wanted =
      is_named || selection_.all_topics || contains(selection_.topic_types, topic.type) || is_found(regex_, topic.name);
  const bool is_excluded = contains(selection_.exclude_topics, topic.name) ||
                           contains(selection_.exclude_topic_types, topic.type) || is_found(exclude_regex_, topic.name);
  const bool is_shown = is_named || selection_.include_hidden_topics || !tools::is_hidden(topic.name);
  return is_wanted && !is_excluded && is_shown;
}

}  // namespace tandem::bag
