// What the page shows of messages: trees, pictures, points and numbers, at the rate that it takes them.
//
// A watch sends the newest message, at most so many a second, and no more than two that the page has not shown yet:
// a page that falls behind gets fewer, not later ones. Numbers to be plotted are sent all, several in one message.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "connection/sender.hpp"
#include "world/world.hpp"

namespace tandem::view {

class Watches {
 public:
  Watches(World & world, Sender & sender) : world_(world), sender_(sender) {}

  /// {"id", "channel", "as": "tree" | "picture" | "points" | "numbers" | "timing", "rate", ...}. \throws BadRequest and
  /// what Readers::look() throws.
  void watch(const Json & request);
  void unwatch(const Json & request);
  /// The page has shown a message of this watch.
  void shown(const Json & request);
  /// Sends what became due. Call it some hundred times a second.
  void advance();
  /// Ends those whose channels are gone.
  void refresh();

 private:
  struct Watch;
  void offer(Watch & watch, Delivery & delivery);
  void show(Watch & watch, Delivery & delivery);
  void note_numbers(Watch & watch, Delivery & delivery);
  void send_numbers(Watch & watch);

  World & world_;
  Sender & sender_;
  std::map<std::uint32_t, std::shared_ptr<Watch>> watches_;
};

}  // namespace tandem::view
