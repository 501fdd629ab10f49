// The publishing side of a ring: see floor_ring_memory.hpp.
#include <algorithm>
#include <array>
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
using std::chrono::steady_clock;
using tandem::transport::Gid;
using tandem::transport::RosterEntry;

class RingOutlet : public Outlet {
 public:
  RingOutlet(const RingPlan & plan, const std::string & topic)
      : kind_(plan.kind),
        size_(plan.spec.size),
        slots_(kind_.releases_early ? 1 : slots_for(size_)),
        place_(plan.meeting, Place::Kind::kPublisher, topic, plan.spec),
        ring_(SharedMemory::make(place_.path_of(place_.file_name("ring")), RingMemory::bytes_for(slots_, size_)),
              size_),
        own_(kind_.copies ? size_ : 0) {
    place_.announce(place_.file_name("ring"));
  }

  Sent send(const Fill & fill) override {
    look_around();
    const auto slot = free_slot();
    if (!slot) {
      return Sent::kTimeout;
    }
    const std::span<std::byte> payload(ring_.payload(*slot), size_);
    if (kind_.copies) {
      fill(own_);
      std::memcpy(payload.data(), own_.data(), size_);
    } else {
      fill(payload);
    }
    const std::uint64_t number = ring_->published.load(std::memory_order_relaxed);
    ring_->slots[*slot].owing.store(readers_mask(), std::memory_order_relaxed);
    ring_->order[number % kSlots].store(static_cast<std::uint32_t>(*slot), std::memory_order_relaxed);
    ring_->published.store(number + 1, std::memory_order_release);  // R1
    if (!kind_.polls) {
      ring_readers();
    }
    return Sent::kOk;
  }

  std::size_t matched() const override {
    const_cast<RingOutlet *>(this)->look_around();
    return static_cast<std::size_t>(std::count_if(readers_.begin(), readers_.end(), [](auto & r) { return !!r.bell; }));
  }

  bool flush(std::chrono::milliseconds timeout) override {
    return wait_for(timeout, [this] {
      return std::all_of(ring_->slots.begin(), ring_->slots.end(),
                         [](const Slot & slot) { return slot.owing.load(std::memory_order_acquire) == 0; });
    });
  }

 private:
  struct Reader {
    Gid gid{};
    std::unique_ptr<SharedMemory> bell;  ///< null: the entry is free
  };

  std::uint32_t readers_mask() const {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < kReaders; ++i) {
      mask |= readers_[i].bell ? 1U << i : 0;
    }
    return mask;
  }

  void ring_readers() {
    for (const Reader & reader : readers_) {
      if (reader.bell) {
        bell_of(reader).ring();
      }
    }
  }

  static SharedBell & bell_of(const Reader & reader) { return *reinterpret_cast<SharedBell *>(reader.bell->data()); }

  void look_around() {
    if (!place_.has_changed()) {
      return;
    }
    const auto others = place_.others();
    for (std::size_t i = 0; i < kReaders; ++i) {
      if (readers_[i].bell && !is_among(others, readers_[i].gid)) {
        dismiss(i);
      }
    }
    for (const RosterEntry & other : others) {
      const auto & gid = other.endpoint.gid;
      if (std::none_of(readers_.begin(), readers_.end(), [&](auto & r) { return r.bell && r.gid == gid; })) {
        admit(other);
      }
    }
  }

  void admit(const RosterEntry & other) {
    const auto entry =
        std::find_if(readers_.begin(), readers_.end(), [](const Reader & reader) { return !reader.bell; });
    if (entry == readers_.end()) {
      throw Unsupported("more than " + std::to_string(kReaders) + " subscribers of one publisher");
    }
    try {
      *entry = {other.endpoint.gid, std::make_unique<SharedMemory>(SharedMemory::open(place_.path_of(other.address)))};
    } catch (const std::runtime_error &) {
      return;  // it has gone already
    }
    ReaderEntry & shared = ring_->entries[static_cast<std::size_t>(entry - readers_.begin())];
    shared.gid = other.endpoint.gid;
    shared.first = ring_->published.load(std::memory_order_relaxed);
    shared.taken.store(1, std::memory_order_release);
    bell_of(*entry).ring();
  }

  void dismiss(std::size_t index) {
    readers_[index].bell.reset();
    ring_->entries[index].taken.store(0, std::memory_order_relaxed);
    for (Slot & slot : ring_->slots) {
      slot.owing.fetch_and(~(1U << index), std::memory_order_relaxed);
    }
  }

  std::optional<std::size_t> free_slot() {
    std::optional<std::size_t> found;
    wait_for(kPatience, [&] {
      for (std::size_t i = 0; i < slots_ && !found; ++i) {
        if (ring_->slots[i].owing.load(std::memory_order_acquire) == 0) {  // R2
          found = i;
        }
      }
      return found.has_value();
    });
    return found;
  }

  /// Until the readers have made `done` true, or the time is over. Does not wait for readers that die meanwhile.
  template <class Done>
  bool wait_for(nanoseconds timeout, const Done & done) {
    if (done()) {
      return true;
    }
    for (const auto end = steady_clock::now() + timeout; steady_clock::now() < end;) {
      look_around();
      const std::uint32_t seen = ring_->space.count();
      if (done()) {
        return true;
      }
      kind_.polls ? spin(kGlance, done) : ring_->space.sleep(seen, kGlance);
    }
    return done();
  }

  const RingKind kind_;
  const std::size_t size_;
  const std::size_t slots_;
  Place place_;
  RingMemory ring_;
  std::vector<std::byte> own_;
  std::array<Reader, kReaders> readers_;
};

}  // namespace

std::unique_ptr<Outlet> make_ring_outlet(const RingPlan & plan, const std::string & topic) {
  return std::make_unique<RingOutlet>(plan, topic);
}

}  // namespace lab
