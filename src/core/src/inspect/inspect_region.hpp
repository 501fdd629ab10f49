// A region as its file tells, read with pread(2): nothing is mapped, so a file that is shortened meanwhile is a short read.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "folder/folder.hpp"
#include "layout/layout.hpp"
#include "process/peer.hpp"
#include "system/file.hpp"
#include "tandem/inspect.hpp"

namespace tandem::inspection {

/// The directory, empty for the one that join() would use. `objection`: why a process of this user would not use it.
RootFolder look_at_root(const std::string & directory, std::string & objection);

/// `tag` marks the domain's entries: a process may be in several.
Region read_region(const Folder & folder, std::uint64_t incarnation, std::uint32_t tag);
/// Of a region whose file is open; its name may be gone.
Region read_region(const tandem::File & file, const std::string & path, std::uint64_t incarnation, std::uint32_t tag);

/// Room for `count` structs of atomics as they lie in a file, aligned as they want it.
template <class T>
class Copy {
 public:
  explicit Copy(std::size_t count = 1) : bytes_(count * sizeof(T) + 2 * kCacheLine) {}
  T * get() {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return reinterpret_cast<T *>(bytes_.data() + (kCacheLine - address % kCacheLine) % kCacheLine);
  }
  T * operator->() { return get(); }
  T & operator[](std::size_t i) { return get()[i]; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what entries of a directory lead to.
class RecordReader {
 public:
  explicit RecordReader(const tandem::File & file) : file_(file) {}
  /// False when the bytes do not lie in the file.
  bool read(std::uint64_t offset, void * to, std::size_t size) const {
    return offset <= (std::uint64_t{1} << 46) &&
           pread(file_.get(), to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  }
  /// Adds what the entry stands for to `region`.
  void read_entry(const Entry & entry, Region & region) const;

 private:
  std::string read_description(const Entry & entry) const;
  void read_publisher(const Entry & entry, Region & region) const;
  void read_acknowledgements(std::uint64_t offset, Publisher & publisher, Region & region) const;
  void read_sizes(std::uint64_t offset, Publisher & publisher, Region & region) const;
  void read_lane(const Entry & entry, Region & region) const;

  const tandem::File & file_;
};

}  // namespace tandem::inspection
