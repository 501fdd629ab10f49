#include "folder/folder.hpp"
#include "input.hpp"
#include "meeting/neighbour.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

constexpr std::uint32_t kDomain = 7;
constexpr std::uint64_t kSelf = 0x5e1f;  ///< the process that the forged lane leads to

Folder & the_folder() {
  static Folder folder = *Folder::open(*RootFolder::open(), kDomain);
  return folder;
}

/// Whatever is handed out can be read: where the file has become shorter, as zeros.
void read(Peer & peer, std::uint64_t offset, std::uint64_t size) {
  if (const auto * found = reinterpret_cast<const volatile std::uint8_t *>(peer.at(offset, size)); found != nullptr) {
    require(offset >= kHeapOffset, "the header is nobody's message");
    require(size <= (std::uint64_t{1} << 46), "nothing is larger than its region");
    if (size != 0) {
      static_cast<void>(found[0] + found[size - 1]);
    }
  }
}

void check(const Neighbour & neighbour) {
  for (const auto * endpoints : {&neighbour.publishers, &neighbour.subscriptions}) {
    for (const auto & [number, endpoint] : *endpoints) {
      require(endpoint.info.id == (EndpointId{neighbour.peer->incarnation(), number}), "an endpoint has its number");
    }
  }
  for (const auto & [number, lane] : neighbour.lanes) {
    require(lane.entry.number == number && lane.entry.description == kSelf, "a lane leads here");
  }
  require(neighbour.publishers_of.size() == neighbour.publishers.size() &&
              neighbour.subscriptions_to.size() == neighbour.subscriptions.size() &&
              neighbour.lanes_to.size() == neighbour.lanes.size(),
          "an index has everything once");
}

void act(Input & input, test::ForgedRegion & forged, Neighbour & neighbour) {
  switch (input.byte() % 8) {
    case 0:
    case 1:
    case 2: input.poke(forged); break;
    case 3: {
      for (std::uint64_t line = 0; line < 4; ++line) {  // as an owner that says of each change that it is one
        input.byte() % 2 == 0 ? forged.poke(kDirectoryOffset + line * sizeof(DirectoryEntry), input.value() & ~1ULL, 8)
                              : void();
      }
      Changes changes;
      neighbour.refresh(test::ForgedRegion::tag_of(kDomain), kSelf, changes);
      check(neighbour);
      break;
    }
    case 4: forged.resize(input.length()); break;
    case 5: forged.resize_bells(input.byte() * 32U); break;
    case 6:
      if (neighbour.peer->map()) {
        const std::uint64_t offset = input.value();
        read(*neighbour.peer, offset, input.value());
      }
      break;
    default:
      neighbour.peer->look_for_bells(the_folder());
      neighbour.peer->ring_bell(input.byte() % kBells);
      neighbour.peer->probe();
      break;
  }
}

}  // namespace

int region(const std::uint8_t * data, std::size_t size) {
  Input input(data, size);
  const Log log;
  test::ForgedRegion forged({fresh_incarnation(), kDomain, "topic", {kSelf, 1}, 2048, {}});
  for (int pokes = input.byte() % 8; pokes > 0; --pokes) {
    input.poke(forged);
  }
  if (const std::uint8_t change = input.byte(); change % 8 == 7) {
    forged.resize(input.length());
  } else if (change % 8 == 6) {
    forged.resize_bells(input.byte() * 32U);
  }
  std::string reason;
  Neighbour neighbour;
  neighbour.peer = Peer::open(the_folder(), forged.incarnation(), reason);
  require((neighbour.peer == nullptr) != reason.empty(), "a refusal has a reason");
  while (neighbour.peer != nullptr && !input.empty()) {
    act(input, forged, neighbour);
  }
  return 0;
}

}  // namespace tandem::fuzz
