// Which samples in shared memory are being looked at. Fast DDS lets a writer use a sample's memory again while readers
// still hold it; this board keeps our writers from doing so.
//
// Each context has one board, a small shared file that only it writes; the others of the host map it read-only.
//
//   | watch[kEntries] {key, grant} | held[kEntries] |
//
// Roles: a context writes for its writers ("we look at the board of this reader, and grant it so many samples"), and
// for its readers ("this block is held"). Invariants:
//   H1  A reader hands out a block in place only if it has found its writer's grant. The writer has mapped the reader's
//       board before it grants.
//   H2  Reader: hold the block, fence, then Fast DDS looks whether the sample is still the same. Writer: Fast DDS voids
//       the sample, fence, then look for holds. Both fences are seq_cst, so one of the two sees the other: either the
//       reader drops the sample, or the writer leaves the block alone.
//   H3  Keys are hashes. Two that are equal by chance keep a block back for longer, which does no harm.
//   H4  A dead context's holds count no more: its file's lock is gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "tandem/transport.hpp"

namespace rmw_fastrtps {

using tandem::transport::Gid;

/// A block of shared memory: a file, and where in it.
struct Block {
  std::uint64_t file = 0;  ///< inode
  std::uint64_t offset = 0;
};

/// The name under which a block is held; never 0.
std::uint64_t key_of(const Block & block);
/// The name of a grant: the writer's file and the reader.
std::uint64_t key_of(std::uint64_t writers_file, const Gid & reader);

struct BoardPage;

/// A context's own board. Thread-safe.
class Board {
 public:
  /// \throws transport::Error when the file cannot be made.
  explicit Board(const Gid & participant);
  ~Board();
  Board(const Board &) = delete;
  Board & operator=(const Board &) = delete;

  /// \return where, for release(); negative when the board is full.
  int hold(std::uint64_t block) noexcept;
  void release(int where) noexcept;
  /// \return where, for withdraw(); negative when the board is full.
  int grant(std::uint64_t key, std::uint32_t samples) noexcept;
  void withdraw(int where) noexcept;

 private:
  int descriptor_ = -1;
  std::string path_;
  BoardPage * page_ = nullptr;
  std::mutex mutex_;  ///< guards where entries are free
};

/// Somebody's board, read-only. Thread-safe.
class BoardView {
 public:
  /// \return null when that context has no board here: it is of another host, or none of ours.
  static std::shared_ptr<const BoardView> open(const Gid & participant);
  ~BoardView();
  BoardView(const BoardView &) = delete;
  BoardView & operator=(const BoardView &) = delete;

  bool is_held(std::uint64_t block) const noexcept;
  /// Samples that the writer lets the reader hold; 0 without a grant.
  std::uint32_t granted(std::uint64_t key) const noexcept;
  /// Whether its context still runs. A system call.
  bool is_alive() const noexcept;

 private:
  BoardView(int descriptor, const BoardPage * page) : descriptor_(descriptor), page_(page) {}
  const int descriptor_;
  const BoardPage * const page_;
};

}  // namespace rmw_fastrtps
