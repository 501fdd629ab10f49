// A region that no honest process has made: all that another process could write into its file, written by a test. It
// is locked and named like a real one, holds one publisher, one subscription, one lane to a publisher of this process
// and one node, and is sound until somebody pokes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.hpp"
#include "system/file.hpp"
#include "tandem/types.hpp"

namespace tandem::test {

class ForgedRegion {
 public:
  static constexpr std::uint32_t kRing = 8;
  static constexpr std::uint32_t kBlocks = 64;
  static constexpr std::uint64_t kPublisher = 1;  ///< the numbers of its endpoints
  static constexpr std::uint64_t kSubscription = 2;
  static constexpr std::uint64_t kLane = 3;
  static constexpr std::uint64_t kNode = 4;
  static constexpr std::size_t kMessageSize = 64;

  struct Options {
    std::uint64_t incarnation = 0x51;
    std::uint32_t domain = 0;
    std::string topic = "topic";
    EndpointId leads_to;  ///< the publisher that its lane belongs to
    std::uint32_t max_blocks = 2048;
    Qos qos;
  };
  /// A place that readers of the region look at.
  struct Field {
    std::uint64_t offset;
    std::uint32_t size;
  };

  /// In the folder of a domain below TANDEM_SHM_DIR.
  explicit ForgedRegion(const Options & options);
  ~ForgedRegion();
  ForgedRegion(const ForgedRegion &) = delete;
  ForgedRegion & operator=(const ForgedRegion &) = delete;

  std::uint64_t incarnation() const { return options_.incarnation; }
  const std::string & path() const { return path_; }
  const std::string & bell_path() const { return bell_path_; }
  std::size_t size() const { return size_; }
  /// Shortens or lengthens its file.
  void resize(std::size_t size);
  void resize_bells(std::size_t size);
  /// Writes the low `size` bytes of `value`, if they lie in the file.
  void poke(std::uint64_t offset, std::uint64_t value, std::uint32_t size);
  /// Its lane says that it holds these of each 64 blocks.
  void hold(std::uint64_t word);
  /// Its owner "dies".
  void unlock();

  const std::vector<Field> & fields() const { return fields_; }
  RegionHeader & header() { return *at<RegionHeader>(0); }
  DirectoryEntry & entry(std::uint32_t index) { return at<DirectoryEntry>(kDirectoryOffset)[index]; }
  PublisherRecord & publisher() { return *at<PublisherRecord>(kRecordAt); }
  Slot & slot(std::uint64_t n) { return at<Slot>(kSlotsAt)[n % kRing]; }
  Ack & ack(std::uint32_t index) { return at<Ack>(kAcksAt)[index]; }
  LaneRecord & lane() { return *at<LaneRecord>(kLaneAt); }
  std::uint64_t message_offset(std::uint64_t block) const { return kMessagesAt + block % kBlocks * kMessageSize; }
  /// Publishes message `n` of its publisher in block n % kBlocks.
  void publish(std::uint64_t n);
  /// Its publisher's acknowledgement of a lane of this process.
  void acknowledge(std::uint64_t incarnation, std::uint64_t lane, std::uint64_t first = 0);

  /// The tag of a domain's entries below TANDEM_SHM_DIR.
  static std::uint32_t tag_of(std::uint32_t domain);

 private:
  static constexpr std::uint64_t kRecordAt = kHeapOffset;
  static constexpr std::uint64_t kSlotsAt = kRecordAt + sizeof(PublisherRecord);
  static constexpr std::uint64_t kAcksAt = kSlotsAt + kRing * sizeof(Slot);
  static constexpr std::uint64_t kMessagesAt = kAcksAt + kMaxReaders * sizeof(Ack);
  static constexpr std::uint64_t kLaneAt = kMessagesAt + kBlocks * kMessageSize;
  static constexpr std::uint64_t kTextsAt = kLaneAt + 4096;
  static constexpr std::uint64_t kTextSize = 1024;
  static constexpr std::uint64_t kEnd = (kTextsAt + 3 * kTextSize + 4095) / 4096 * 4096;

  template <class T>
  T * at(std::uint64_t offset) {
    return reinterpret_cast<T *>(memory_.base() + offset);
  }
  void fill();
  void describe_entry(std::uint32_t index, EntryKind kind, std::uint64_t number, std::string_view text);
  void note_fields();

  const Options options_;
  std::string path_;
  std::string bell_path_;
  File file_;
  Mapping memory_;
  File bells_;
  std::size_t size_ = kEnd;
  std::vector<Field> fields_;
};

/// Numbers of this process's lanes that lead to another one.
std::vector<std::uint64_t> lanes_to(std::uint64_t incarnation);

}  // namespace tandem::test
