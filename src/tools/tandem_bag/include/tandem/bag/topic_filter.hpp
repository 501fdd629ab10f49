// Which topics and services are recorded, converted or played.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "tandem/bag/metadata.hpp"

namespace tandem::bag {

/// As `ros2 bag record` takes it. Names are fully qualified.
struct Selection {
  bool all_topics = false;
  bool all_services = false;
  std::vector<std::string> topics;
  std::vector<std::string> topic_types;
  std::vector<std::string> services;
  std::string regex;  ///< found anywhere in a name
  std::vector<std::string> exclude_topics;
  std::vector<std::string> exclude_topic_types;
  std::vector<std::string> exclude_services;
  std::string exclude_regex;
  bool include_hidden_topics = false;

  /// Whether nothing says what is to be taken.
  bool is_empty() const {
    return !all_topics && !all_services && topics.empty() && topic_types.empty() && services.empty() && regex.empty();
  }
};

class TopicFilter {
 public:
  /// \throws Error for a regular expression that is none.
  explicit TopicFilter(const Selection & selection);
  /// Of a service its topic of events is asked for. Topics named one by one are taken also when they are hidden.
  bool accepts(const Topic & topic) const;

 private:
  bool accepts_service(const std::string & service) const;
  bool accepts_topic(const Topic & topic) const;

  const Selection selection_;
  std::optional<std::regex> regex_;
  std::optional<std::regex> exclude_regex_;
};

}  // namespace tandem::bag
