#include "page/watches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "connection/fields.hpp"
#include "page/shown_messages.hpp"
#include "tandem/introspection.hpp"

namespace tandem::view {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostWatches = 200;
constexpr std::uint32_t kMostUnshown = 2;
constexpr auto kShowPatience = std::chrono::seconds(5);  // for a page to say what it has shown
constexpr auto kBatch = std::chrono::milliseconds(50);
constexpr std::size_t kMostInBatch = 5000;
constexpr std::size_t kMostFields = 32;

}  // namespace

struct Watches::Watch {
  std::uint32_t id = 0;
  std::uint32_t channel = 0;
  std::string as;
  ShownOptions options;
  Clock::duration interval{};
  Look look;
  Clock::time_point last{};
  std::uint32_t unshown = 0;
  std::uint64_t skipped = 0;
  bool is_behind = false;  // the newest message was not sent
  std::string objection;   // told already
  // Of numbers.
  std::vector<std::string> fields;
  std::vector<double> times;
  std::vector<std::vector<double>> values;
};

void Watches::watch(const Json & request) {
  const std::uint32_t id = number_field(request, "id");
  const Channel * channel = world_.catalogue.channel(number_field(request, "channel"));
  if (channel == nullptr) {
    throw BadRequest("the topic is not there any more");
  }
  if (watches_.size() == kMostWatches && watches_.count(id) == 0) {
    throw BadRequest(fmt::format("one page may watch {} things at most", kMostWatches));
  }
  auto watch = std::make_shared<Watch>();
  watch->id = id;
  watch->channel = channel->id;
  watch->as = text_field(request, "as");
  watch->interval = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1.0 / std::clamp(number_field(request, "rate", 10), 1U, 60U)));
  watch->options.width = std::clamp(number_field(request, "width", 640), 16U, 4096U);
  watch->options.height = std::clamp(number_field(request, "height", 480), 16U, 4096U);
  watch->options.points = std::clamp(number_field(request, "points", 20000), 100U, 500000U);
  if (watch->as == "numbers") {
    watch->fields = texts_field(request, "fields");
    watch->fields.resize(std::min(watch->fields.size(), kMostFields));
    watch->values.resize(watch->fields.size());
  } else if (watch->as != "timing" && !can_show(watch->as, *channel)) {
    throw BadRequest(fmt::format("{} cannot be shown as {}", channel->topic, watch->as));
  }
  // Weak: the reader must not keep the watch that keeps the reader.
  watch->look = world_.readers.look(*channel, [this, weak = std::weak_ptr(watch)](Delivery & delivery) {
    if (const auto self = weak.lock()) {
      offer(*self, delivery);
    }
  });
  watches_[id] = std::move(watch);
}

void Watches::unwatch(const Json & request) { watches_.erase(number_field(request, "id")); }

void Watches::shown(const Json & request) {
  if (const auto found = watches_.find(number_field(request, "id")); found != watches_.end()) {
    found->second->unshown -= found->second->unshown != 0 ? 1 : 0;
  }
}

void Watches::offer(Watch & watch, Delivery & delivery) {
  if (watch.as == "timing") {
    return;
  }
  if (watch.as == "numbers") {
    note_numbers(watch, delivery);
    return;
  }
  watch.skipped += watch.is_behind ? 1 : 0;
  watch.is_behind = watch.unshown >= kMostUnshown || Clock::now() - watch.last < watch.interval;
  if (!watch.is_behind) {
    show(watch, delivery);
  }
}

void Watches::show(Watch & watch, Delivery & delivery) {
  watch.is_behind = false;
  watch.last = Clock::now();
  auto frame = shown_message(watch.as, delivery, watch.id, watch.skipped, watch.options);
  if (!frame) {
    if (watch.objection != frame.error()) {
      watch.objection = frame.error();
      sender_.json({{"op", "tandem.objection"}, {"id", watch.id}, {"message", watch.objection}});
    }
    return;
  }
  watch.objection.clear();
  ++watch.unshown;
  sender_.message(watch.id, std::move(*frame));
}

void Watches::note_numbers(Watch & watch, Delivery & delivery) {
  if (watch.times.size() == kMostInBatch) {
    ++watch.skipped;
    return;
  }
  watch.times.push_back(static_cast<double>(delivery.time()) * 1e-6);
  for (std::size_t i = 0; i < watch.fields.size(); ++i) {
    const auto found = find_value(delivery.type(), delivery.message(), watch.fields[i]);
    const bool is_number = found && found->shape == FieldShape::kSingle && found->kind != FieldKind::kMessage &&
                           found->kind != FieldKind::kString && found->kind != FieldKind::kWstring;
    watch.values[i].push_back(is_number ? as_double(*found) : std::numeric_limits<double>::quiet_NaN());
  }
}

void Watches::send_numbers(Watch & watch) {
  Json message = {{"op", "tandem.numbers"}, {"id", watch.id}, {"times", watch.times}, {"values", watch.values}};
  watch.times.clear();
  for (auto & each : watch.values) {
    each.clear();
  }
  watch.last = Clock::now();
  sender_.message(watch.id, {false, to_text(message), nullptr});
}

void Watches::advance() {
  const auto now = Clock::now();
  for (const auto & each : watches_) {
    const auto & watch = each.second;
    if (watch->unshown != 0 && now - watch->last > kShowPatience) {
      watch->unshown = 0;  // what it should have shown was dropped
    }
    if (!watch->times.empty() && now - watch->last >= kBatch) {
      send_numbers(*watch);
    }
    if (watch->is_behind && watch->unshown < kMostUnshown && now - watch->last >= watch->interval) {
      world_.readers.show_newest(watch->channel, [&](Delivery & delivery) { show(*watch, delivery); });
    }
  }
}

void Watches::refresh() {
  std::erase_if(watches_, [&](const auto & each) {
    const bool is_gone = world_.catalogue.channel(each.second->channel) == nullptr;
    if (is_gone) {
      sender_.json({{"op", "tandem.objection"}, {"id", each.first}, {"message", "the topic is not there any more"}});
    }
    return is_gone;
  });
}

}  // namespace tandem::view
