// Signals that other processes' memory can raise here.
//
// SIGBUS: a peer shortened its file. The mapping is replaced by zeros, the peer is marked broken, and the process goes on.
// SIGSEGV: the user wrote to a received message. Its own view of it becomes writable there (writable_view.hpp). Through a
// mutable pointer to what all see, one line names the topic and the remedy, then the signal takes its course.
// Handlers that were installed before are called for everything else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tandem {
class WritableView;
}

namespace tandem::guard {

inline constexpr std::size_t kTopicSize = 128;

/// Watches a mapping of a file that others can shorten. `broken` is set from the signal handler; it must live until unwatch().
/// A `view` is asked about writes to it. False when there is no room: nothing is watched then.
bool watch(const std::byte * base, std::size_t size, bool writable, std::atomic<bool> * broken,
           WritableView * view = nullptr);
void unwatch(const std::byte * base);

/// The view that is watched there, or nullptr. Lock-free.
WritableView * view_at(const std::byte * address);
/// Whether a write by this thread to a view reaches it: nobody has replaced the handler, and the thread does not block the
/// signal. System calls: two.
bool can_catch_writes();

/// Lets the handler name the topic of a message in a watched mapping: `slots` are the ring of a publisher there.
void name_ring(const std::byte * base, const void * slots, std::uint32_t ring_size, const char * topic);
void forget_ring(const void * slots);

/// Around fork(2): the child must find the tables' lock free.
void lock();
void unlock();

}  // namespace tandem::guard
