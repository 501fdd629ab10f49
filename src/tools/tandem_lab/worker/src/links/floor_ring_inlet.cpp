// The receiving side of a ring: see floor_ring_memory.hpp.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "links/floor_ring.hpp"
#include "links/floor_ring_memory.hpp"
#include "links/floor_support.hpp"

namespace lab {
namespace {

using std::chrono::nanoseconds;
using tandem::transport::Gid;
using tandem::transport::RosterEntry;

/// One publisher, as a reader sees it. Lives as long as any message of it is kept.
struct Source {
  Source(SharedMemory memory, std::size_t size, const Gid & publisher)
      : ring(std::move(memory), size), gid(publisher) {}

  /// Whether the publisher has a entry for `reader`: it counts from then on.
  bool is_registered(const Gid & reader) {
    for (std::uint32_t i = 0; i < kReaders && bit == 0; ++i) {
      const ReaderEntry & shared = ring->entries[i];
      if (shared.taken.load(std::memory_order_acquire) != 0 && shared.gid == reader) {
        bit = 1U << i;
        next = shared.first;
      }
    }
    return bit != 0;
  }
  bool has_next() const { return bit != 0 && next != ring->published.load(std::memory_order_acquire); }

  RingMemory ring;
  const Gid gid;
  bool has_left = false;
  std::uint32_t bit = 0;
  std::uint64_t next = 0;
};

class RingInlet : public Inlet {
 public:
  RingInlet(const RingPlan & plan, const std::string & topic)
      : kind_(plan.kind),
        size_(plan.spec.size),
        pool_(size_),
        place_(plan.meeting, Place::Kind::kSubscription, topic, plan.spec, [this] { ring_bell(); }) {
    const std::size_t slots = slots_for(size_);
    if (!kind_.copies && !kind_.releases_early && plan.spec.hold + 2 > slots) {
      throw Unsupported("'" + plan.spec.link_name + "' has " + std::to_string(slots) + " slots of " +
                        std::to_string(size_) + " bytes: a subscriber can hold at most " + std::to_string(slots - 2));
    }
    memory_.emplace(SharedMemory::make(place_.path_of(place_.file_name("bell")), sizeof(SharedBell)));
    bell_ = reinterpret_cast<SharedBell *>(memory_->data());
    place_.announce(place_.file_name("bell"));
  }

  Arrival take() override {
    early_.reset();
    look_around();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const auto & source = sources_[(turn_ + i) % sources_.size()];
      if (source->is_registered(place_.gid()) && source->has_next()) {
        turn_ = (turn_ + i + 1) % sources_.size();
        return take(source);
      }
    }
    return {};
  }

  void wait(nanoseconds timeout) override {
    if (kind_.polls) {
      spin(timeout, [this] { return woken_.load(std::memory_order_relaxed) || has_news(); });
    } else if (const std::uint32_t seen = bell_.load()->count(); !woken_ && !has_news()) {
      bell_.load()->sleep(seen, timeout);
    }
    woken_ = false;
  }

  void wake() override {
    woken_ = true;
    ring_bell();
  }

  std::size_t matched() const override {
    auto & self = const_cast<RingInlet &>(*this);
    self.look_around();
    return static_cast<std::size_t>(
        std::count_if(sources_.begin(), sources_.end(), [](const auto & source) { return !source->has_left; }));
  }

  std::uint64_t copied() const override { return copied_; }

 private:
  /// From the meeting's thread too, perhaps before there is a bell.
  void ring_bell() {
    if (SharedBell * const bell = bell_) {
      bell->ring();
    }
  }

  bool has_news() {
    return place_.has_changed() || std::any_of(sources_.begin(), sources_.end(), [this](const auto & source) {
             return source->is_registered(place_.gid()) && source->has_next();
           });
  }

  void look_around() {
    if (!place_.has_changed()) {
      return;
    }
    const auto others = place_.others();
    for (const auto & source : sources_) {
      source->has_left = !is_among(others, source->gid);
    }
    std::erase_if(sources_, [](const auto & source) { return source->has_left && !source->has_next(); });
    for (const RosterEntry & other : others) {
      const Gid & gid = other.endpoint.gid;
      if (std::any_of(sources_.begin(), sources_.end(), [&](const auto & source) { return source->gid == gid; })) {
        continue;
      }
      try {
        sources_.push_back(std::make_shared<Source>(SharedMemory::open(place_.path_of(other.address)), size_, gid));
      } catch (const std::runtime_error &) {  // it has gone already
      }
    }
  }

  Arrival take(const std::shared_ptr<Source> & source) {
    const std::uint32_t slot = source->ring->order[source->next++ % kSlots].load(std::memory_order_relaxed);
    const std::byte * const payload = source->ring.payload(slot);
    const auto release = [source, slot, polls = kind_.polls](const void *) {
      source->ring->slots[slot].owing.fetch_and(~source->bit, std::memory_order_release);  // R2
      if (!polls) {
        source->ring->space.ring();
      }
    };
    if (kind_.copies) {
      auto copy = pool_.get();
      std::memcpy(copy.get(), payload, size_);
      release(nullptr);
      ++copied_;
      return {{copy.get(), size_}, copy};
    }
    std::shared_ptr<const void> keeper(payload, release);
    if (kind_.releases_early) {
      early_ = std::move(keeper);
      return {{payload, size_}, source};
    }
    return {{payload, size_}, std::move(keeper)};
  }

  const RingKind kind_;
  const std::size_t size_;
  BufferPool pool_;
  std::atomic<bool> woken_{false};
  std::optional<SharedMemory> memory_;  ///< of the bell; outlives the place, which rings it
  std::atomic<SharedBell *> bell_{nullptr};
  Place place_;
  std::vector<std::shared_ptr<Source>> sources_;
  std::shared_ptr<const void> early_;  ///< the last message, whether it is still read or not
  std::size_t turn_ = 0;
  std::uint64_t copied_ = 0;
};

}  // namespace

std::unique_ptr<Inlet> make_ring_inlet(const RingPlan & plan, const std::string & topic) {
  return std::make_unique<RingInlet>(plan, topic);
}

}  // namespace lab
