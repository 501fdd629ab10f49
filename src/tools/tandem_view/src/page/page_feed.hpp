// What the page shows of the domain: the table of topics, one topic in detail, the graph. Differences only.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class PageFeed {
 public:
  PageFeed(World & world, Sender & sender) : world_(world), sender_(sender) {}

  /// {"channel": n}, or without it: none.
  void choose(const Json & request);
  /// {"filter": text}, or {"filter": null}: none.
  void show_graph(const Json & request);
  /// Sends what has changed; nothing while the page has not read what it has got.
  void refresh();

 private:
  void send_topics();
  void send_detail();
  void send_graph();

  World & world_;
  Sender & sender_;
  std::map<std::uint32_t, std::string> rows_;  // as they were sent
  std::uint32_t chosen_ = 0;
  bool wants_graph_ = false;
  std::string filter_;
  std::string graph_;  // as it was sent
};

}  // namespace tandem::view
