// Signals that other processes' memory can raise here.
//
// SIGBUS: a peer shortened its file. The mapping is replaced by zeros, the peer is marked broken, and the process goes on.
// SIGSEGV: the user wrote through a mutable pointer to a received message. One line names the topic and the remedy, then
// the signal takes its course. Handlers that were installed before are called for everything else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tandem::guard {

inline constexpr std::size_t kTopicSize = 128;

/// Watches a mapping of a file that others can shorten. `broken` is set from the signal handler; it must live until unwatch().
void watch(const std::byte * base, std::size_t size, bool writable, std::atomic<bool> * broken);
void unwatch(const std::byte * base);

/// Lets the handler name the topic of a message in a watched mapping: `slots` are the ring of a publisher there.
void name_ring(const std::byte * base, const void * slots, std::uint32_t ring_size, const char * topic);
void forget_ring(const void * slots);

/// Around fork(2): the child must find the tables' lock free.
void lock();
void unlock();

}  // namespace tandem::guard
