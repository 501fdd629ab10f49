#include <algorithm>
#include <cstring>
#include <optional>

#include "delivery/lane.hpp"
#include "folder/folder.hpp"
#include "input.hpp"
#include "process/process.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

constexpr std::uint32_t kDomain = 7;
constexpr std::uint64_t kNumber = 77;  ///< of our lane
constexpr std::size_t kLeastSize = 16;

Folder & the_folder() {
  static Folder folder = *Folder::open(*RootFolder::open(), kDomain);
  return folder;
}

class Reader {
 public:
  Reader(Input & input, test::ForgedRegion & forged) : input_(input), forged_(forged) {
    std::string reason;
    peer_ = Peer::open(the_folder(), forged.incarnation(), reason);
  }

  void run() {
    if (peer_ == nullptr) {
      return;
    }
    std::uint32_t line = 0;
    while (line < peer_->directory_used() && peer_->entry(line).kind != EntryKind::kPublisher) {
      ++line;
    }
    Lane::Terms terms;
    terms.number = kNumber;
    terms.subscription = 2;
    terms.depth = 1U + input_.byte() % 12;
    terms.held_quota = 8;
    terms.owed = input_.byte() % 2 != 0;
    terms.min_size = kLeastSize;
    terms.alignment = 8;
    terms.functions.is_sound = input_.byte() % 2 != 0 ? reads_all_of : nullptr;
    lane_ =
        line < peer_->directory_used() ? Lane::create(Process::instance(), peer_, peer_->entry(line), terms) : nullptr;
    if (lane_ == nullptr) {
      return;
    }
    forged_.acknowledge(Process::instance().incarnation(), kNumber);
    while (!input_.empty()) {
      act();
    }
    while (!held_.empty()) {
      release(0);
    }
    require(!lane_->holds_any(), "nothing is held that nobody has");
  }

 private:
  void act() {
    switch (input_.byte() % 10) {
      case 0:
      case 1: input_.poke(forged_); break;
      case 2:
      case 3: forged_.publish(next_++); break;
      case 4:
      case 5: take(); break;
      case 6: release(input_.byte()); break;
      case 7: lane_->look_for_ack(); break;
      case 8: forged_.resize(input_.length()); break;
      default: lane_->has_data(); break;
    }
  }

  void take() {
    lane_->look_for_ack();
    Sample sample;
    std::uint64_t lost = 0;
    if (!lane_->take(sample, lost)) {
      return;
    }
    const auto * bytes = static_cast<const std::byte *>(sample.data());
    require(sample.size() >= kLeastSize, "a message is as large as its type");
    if (sample.size() > kInSlot) {
      const auto offset = static_cast<std::uint64_t>(bytes - peer_->base());
      require(offset % 8 == 0, "a message is aligned as its type");
      require(offset >= kHeapOffset && offset + sample.size() <= std::uint64_t{1} << 46,
              "a message lies in its region");
    }
    static_cast<void>(*static_cast<const volatile std::byte *>(bytes));
    static_cast<void>(*static_cast<const volatile std::byte *>(bytes + sample.size() - 1));
    held_.push_back(std::move(sample));
  }

  void release(std::size_t which) {
    if (!held_.empty()) {
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which % held_.size()));
    }
  }

  Input & input_;
  test::ForgedRegion & forged_;
  std::shared_ptr<Peer> peer_;
  std::shared_ptr<Lane> lane_;
  std::vector<Sample> held_;
  std::uint64_t next_ = 0;
};

}  // namespace

int ring(const std::uint8_t * data, std::size_t size) {
  Input input(data, size);
  const Log log;
  test::ForgedRegion forged({fresh_incarnation(), kDomain, "topic", {}, 2048, {}});
  for (int pokes = input.byte() % 4; pokes > 0; --pokes) {
    input.poke(forged);
  }
  Reader(input, forged).run();
  return 0;
}

}  // namespace tandem::fuzz
