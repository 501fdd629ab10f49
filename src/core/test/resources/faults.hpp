// Calls to the kernel that fail when a test wants them to, as they do when space, memory or descriptors run out.
//
// The program defines these functions itself, so that the library's calls come here first and go on from here.
#pragma once

namespace tandem::test {

/// What is short.
enum class Shortage {
  kSpace,        ///< fallocate, ftruncate, mkdir, link, symlink and making files: ENOSPC
  kDescriptors,  ///< opening files and directories: EMFILE
  kMemory,       ///< mmap: ENOMEM; starting a thread: EAGAIN
};

/// From now on the call with this number, counted from 0, fails, and with `lasting` all after it. Any thread.
void arm_faults(Shortage shortage, unsigned number, bool lasting);
/// Everything succeeds again. \return how many calls have failed.
unsigned disarm_faults();

}  // namespace tandem::test
