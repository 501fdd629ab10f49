#include <algorithm>
#include <cstring>

#include "delivery/publisher_impl.hpp"
#include "folder/folder.hpp"
#include "input.hpp"
#include "process/process.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

constexpr std::uint32_t kDomain = 7;
constexpr std::uint64_t kNumber = 5;  ///< of our publisher
constexpr std::size_t kSize = 64;
constexpr std::size_t kQuota = 8;

std::shared_ptr<Peer> open(const test::ForgedRegion & forged) {
  static const Folder folder = *Folder::open(*RootFolder::open(), kDomain);
  std::string reason;
  return Peer::open(folder, forged.incarnation(), reason);
}

/// A reader that keeps all rules, beside the hostile one.
class Honest {
 public:
  Honest(test::ForgedRegion & forged, const PublisherRecord & record)
      : lane_(forged.lane()), record_(record), slots_(Process::instance().region().at<Slot>(record.slots)) {}

  void take() {
    const Slot & slot = slots_[cursor_ & (record_.ring_size - 1)];
    if (slot.seq < valid(cursor_) || held_.size() == kQuota) {
      return;
    }
    if (slot.seq == valid(cursor_)) {
      const std::uint64_t block = slot.block;
      lane_.held[block / 64] |= std::uint64_t{1} << block % 64;
      held_.push_back({block, Process::instance().region().at<char>(slot.offset), cursor_});
    }
    lane_.cursor = ++cursor_;
  }
  void release() {
    if (!held_.empty()) {
      lane_.held[held_.front().block / 64] &= ~(std::uint64_t{1} << held_.front().block % 64);
      held_.erase(held_.begin());
    }
  }
  void check() const {
    for (const Held & held : held_) {
      std::uint64_t stored = 0;
      std::memcpy(&stored, held.data, sizeof stored);
      require(stored == held.sequence, "a message that is held stays as it is");
    }
  }

 private:
  struct Held {
    std::uint64_t block;
    const char * data;
    std::uint64_t sequence;
  };
  LaneRecord & lane_;
  const PublisherRecord & record_;
  const Slot * slots_;
  std::uint64_t cursor_ = 0;
  std::vector<Held> held_;
};

class Writer {
 public:
  Writer(Input & input, test::ForgedRegion & hostile, test::ForgedRegion & honest, PublisherImpl & impl)
      : input_(input),
        hostile_(hostile),
        honest_(honest, *Process::instance().region().at<PublisherRecord>(impl.record_offset())),
        impl_(impl) {}

  void act() {
    switch (input_.byte() % 10) {
      case 0:
      case 1: input_.poke(hostile_); break;
      case 2: hostile_.hold(input_.value()); break;
      case 3: publish(1); break;
      case 4: publish(input_.byte() % 32 == 0 ? 3000 : 40); break;
      case 5: honest_.take(); break;
      case 6: honest_.release(); break;
      case 7: impl_.trim(input_.byte() % 2 != 0); break;
      case 8: impl_.remove_readers([](const Peer &, std::uint64_t) { return false; }); break;
      default: hostile_.resize(input_.length()); break;
    }
    honest_.check();
  }

 private:
  void publish(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      auto loan = impl_.borrow(kSize);
      require(loan.has_value(), "a hostile reader starves nobody");
      std::memcpy(loan->data(), &next_, sizeof next_);
      const auto result = impl_.publish(std::move(*loan), Content::kWritten);
      require(result == next_, "nobody keeps a publisher from publishing");
      ++next_;
    }
  }

  Input & input_;
  test::ForgedRegion & hostile_;
  Honest honest_;
  PublisherImpl & impl_;
  std::uint64_t next_ = 0;
};

}  // namespace

int readers(const std::uint8_t * data, std::size_t size) {
  Input input(data, size);
  const Log log;
  Process & process = Process::instance();
  PublisherOptions options;
  options.topic = "topic";
  options.qos.depth = 1U + input.byte() % 20;
  options.qos.durability = input.byte() % 2 != 0 ? Durability::kTransientLocal : Durability::kVolatile;
  const EndpointId id{process.incarnation(), kNumber};
  const auto impl = PublisherImpl::create(process, options, id);
  require(impl != nullptr, "there is memory for a publisher");
  const auto forge = [&] {
    return test::ForgedRegion::Options{fresh_incarnation(), kDomain, "topic", id, impl->max_blocks(), {}};
  };
  test::ForgedRegion hostile(forge());
  test::ForgedRegion honest(forge());
  for (test::ForgedRegion * forged : {&hostile, &honest}) {
    const auto peer = open(*forged);
    require(peer != nullptr && peer->map(), "a sound region is opened");
    const auto * lanes = peer->record<LaneRecord>(forged->entry(3).record);
    require(lanes != nullptr && impl->add_reader(peer, lanes, forged->lane().terms, false), "a sound lane is accepted");
  }
  Writer writer(input, hostile, honest, *impl);
  while (!input.empty()) {
    writer.act();
  }
  return 0;
}

}  // namespace tandem::fuzz
