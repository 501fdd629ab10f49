// Messages that a reader copies for itself alone need no shared memory, which others may be short of.
#pragma once

namespace tandem {

/// While one lives, allocate() gives this thread ordinary memory.
class PrivateMemory {
 public:
  PrivateMemory() { ++wanted_; }
  ~PrivateMemory() { --wanted_; }
  PrivateMemory(const PrivateMemory &) = delete;
  PrivateMemory & operator=(const PrivateMemory &) = delete;
  static bool is_wanted() { return wanted_ != 0; }

 private:
  // Found without a call, as every message asks for it.
  [[gnu::tls_model("initial-exec")]] static inline thread_local int wanted_ = 0;
};

}  // namespace tandem
