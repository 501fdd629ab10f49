// Calls that ask the kernel, or may, seen on their way.
//
// The program defines these functions itself, so that the library's calls come here first and go on from here: futexes,
// mappings, files, the allocation of memory.
#pragma once

#include <functional>

namespace tandem::test {

/// While one lives, `look(name)` is called before each such call of this thread. Calls that `look` makes do not count.
class KernelCalls {
 public:
  explicit KernelCalls(std::function<void(const char * name)> look);
  ~KernelCalls();
  KernelCalls(const KernelCalls &) = delete;
  KernelCalls & operator=(const KernelCalls &) = delete;

 private:
  std::function<void(const char *)> look_;
};

/// As if this thread made a call of that name.
void note_call(const char * name);

}  // namespace tandem::test
