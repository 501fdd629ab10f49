// Nodes, publishers, subscriptions and lanes as their owner's file tells. Each number is read once and checked.
#include <algorithm>
#include <bit>

#include "inspect/inspect_region.hpp"
#include "process/directory.hpp"

namespace tandem::inspection {
namespace {

constexpr std::uint64_t kSizes = 64;  ///< messages whose sizes are averaged

void damaged(Region & region, const std::string & what) { region.damage.push_back(what + " cannot be right"); }

}  // namespace

std::string RecordReader::read_description(const Entry & entry) const {
  if (entry.description_size == 0 || entry.description_size > kMaxDescription) {
    return {};
  }
  std::string bytes(entry.description_size, '\0');
  return read(entry.description, bytes.data(), bytes.size()) ? bytes : std::string{};
}

void RecordReader::read_entry(const Entry & entry, Region & region) const {
  NodeName node;
  Subscription subscription;
  switch (entry.kind) {
    case EntryKind::kNode:
      parse(read_description(entry), node) ? region.nodes.push_back(node) : damaged(region, "a node's name");
      break;
    case EntryKind::kPublisher: read_publisher(entry, region); break;
    case EntryKind::kSubscription:
      if (!parse(read_description(entry), subscription.info)) {
        damaged(region, "a subscription's description");
        break;
      }
      subscription.info.id = {region.incarnation, entry.number};
      subscription.info.kind = EndpointKind::kSubscription;
      region.subscriptions.push_back(std::move(subscription));
      break;
    case EntryKind::kLane: read_lane(entry, region); break;
    default: damaged(region, "the kind of an entry in its directory");
  }
}

void RecordReader::read_publisher(const Entry & entry, Region & region) const {
  Publisher publisher;
  Copy<PublisherRecord> record;
  if (!parse(read_description(entry), publisher.info)) {
    damaged(region, "a publisher's description");
    return;
  }
  const std::string whose = "the publisher of '" + publisher.info.topic + "'";
  if (!read(entry.record, record.get(), sizeof(PublisherRecord)) || record->number != entry.number ||
      !is_plausible(record->ring_size, record->max_blocks)) {
    damaged(region, "the record of " + whose);
    return;
  }
  publisher.info.id = {region.incarnation, entry.number};
  publisher.info.kind = EndpointKind::kPublisher;
  publisher.record = entry.record;
  publisher.closed = entry.closed;
  publisher.ring_size = record->ring_size;
  publisher.published = record->head;
  publisher.copied = record->copied;
  publisher.waiting = record->waiting;
  const PublisherFigures & figures = record->figures;
  publisher.failed_borrows = figures.failed_borrows;
  publisher.timeouts = figures.timeouts;
  publisher.forgotten = figures.forgotten;
  publisher.blocks = {record->max_blocks,    figures.blocks_used,    figures.blocks_free,
                      figures.blocks_loaned, figures.blocks_in_ring, figures.blocks_kept};
  read_sizes(record->slots, publisher, region);
  read_acknowledgements(record->acks, publisher, region);
  region.publishers.push_back(std::move(publisher));
}

void RecordReader::read_acknowledgements(std::uint64_t offset, Publisher & publisher, Region & region) const {
  Copy<Ack> acks(kMaxReaders);
  if (!read(offset, acks.get(), kMaxReaders * sizeof(Ack))) {
    damaged(region, "the acknowledgements of the publisher of '" + publisher.info.topic + "'");
    return;
  }
  for (std::uint32_t i = 0; i < kMaxReaders; ++i) {
    if (acks[i].lane != 0) {
      publisher.acknowledgements.push_back({acks[i].incarnation, acks[i].lane, acks[i].first, acks[i].quota});
    }
  }
}

/// A slot keeps the size of its message when that is gone.
void RecordReader::read_sizes(std::uint64_t offset, Publisher & publisher, Region & region) const {
  const std::uint64_t head = publisher.published;
  const std::uint64_t count = std::min<std::uint64_t>({head, publisher.ring_size, kSizes});
  Copy<Slot> slots(kSizes);
  for (std::uint64_t done = 0; done < count;) {  // in two pieces where the ring begins anew
    const std::uint64_t from = (head - count + done) & (publisher.ring_size - 1);
    const std::uint64_t piece = std::min(count - done, publisher.ring_size - from);
    if (!read(offset + from * sizeof(Slot), slots.get() + done, piece * sizeof(Slot))) {
      damaged(region, "the ring of the publisher of '" + publisher.info.topic + "'");
      return;
    }
    done += piece;
  }
  double sum = 0;
  double found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!Numbers::is_before(slots[i].seq, valid(head - count + i)) && slots[i].size <= region.reserved) {
      sum += static_cast<double>(slots[i].size);
      ++found;
    }
  }
  publisher.mean_size = found > 0 ? sum / found : 0;
}

void RecordReader::read_lane(const Entry & entry, Region & region) const {
  Copy<LaneRecord> record;
  if (!read(entry.record, record.get(), offsetof(LaneRecord, held)) || record->terms.number != entry.number) {
    damaged(region, "a lane's record");
    return;
  }
  const LaneTerms & terms = record->terms;
  std::vector<std::uint64_t> held(std::min<std::uint32_t>(terms.max_blocks, 2 * kMaxRing) / 64);
  if (!read(entry.record + offsetof(LaneRecord, held), held.data(), held.size() * sizeof(std::uint64_t))) {
    damaged(region, "a lane's bitmap");
    return;
  }
  Lane lane;
  lane.number = terms.number;
  lane.subscription = terms.subscription;
  lane.publisher = {terms.publisher_incarnation, terms.publisher};
  lane.depth = terms.depth;
  lane.quota = terms.held_quota;
  lane.owed = terms.owed != 0;
  lane.closed = record->closed != 0;
  lane.cursor = record->cursor;
  lane.lost = record->lost;
  lane.copied = record->copied;
  for (const std::uint64_t word : held) {
    lane.held += static_cast<std::uint32_t>(std::popcount(word));
  }
  region.lanes.push_back(lane);
}

}  // namespace tandem::inspection
