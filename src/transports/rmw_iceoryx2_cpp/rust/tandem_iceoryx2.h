// iceoryx2 as C++ sees it: a node, services with one publisher each, loans and samples of raw bytes.
//
// Everything is thread-safe but for one loan or sample, which one thread uses at a time. Objects are freed in any order:
// loans and samples keep what they lie in. A call that can fail returns null or false; those of set-up write a sentence
// into `error`, cut off at `error_size`, NUL included.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Iox2Node Iox2Node;
typedef struct Iox2Publisher Iox2Publisher;
typedef struct Iox2Subscriber Iox2Subscriber;

/// What goes with each message, in shared memory before the payload.
typedef struct Iox2Header {
  uint64_t sequence;
  int64_t timestamp;
} Iox2Header;

/// A loan or a sample: it lives in `storage`, and may not be moved while it is valid.
typedef struct Iox2Chunk {
  uint8_t * payload;
  size_t size;
  Iox2Header * header;
  uint8_t storage[208] __attribute__((aligned(16)));
} Iox2Chunk;

typedef struct Iox2Service {
  const char * name;
  size_t alignment;     ///< of payloads
  size_t initial_size;  ///< bytes of a payload; with `grows` more are got when needed
  bool grows;
  size_t history;          ///< messages kept for late joiners
  size_t max_buffer;       ///< messages that one subscriber buffers at most; it loses the oldest
  size_t max_borrowed;     ///< samples that one subscriber may hold
  size_t max_loaned;       ///< loans that may be out
  size_t max_chunks;       ///< messages in shared memory at most, if what is above needs more
  size_t max_subscribers;  ///< 0: iceoryx2's default, for the number of nodes too
} Iox2Service;

/// Files go below `root`, a folder that must be there; names in /dev/shm begin with `prefix`. Removes what dead nodes of
/// the same root and prefix have left.
Iox2Node * iox2_node_new(const char * root, const char * prefix, char * error, size_t error_size);
/// The last of its root and prefix takes along what all have shared.
void iox2_node_free(Iox2Node * node, bool is_last);
/// Takes dead nodes out of all services.
void iox2_node_clean_up(const Iox2Node * node);

/// Creates the service, too.
Iox2Publisher * iox2_publisher_new(const Iox2Node * node, const Iox2Service * service, char * error, size_t error_size);
void iox2_publisher_free(Iox2Publisher * publisher);
/// Connects to new subscribers, who get their history now, and lets go of those that have left.
void iox2_publisher_update(const Iox2Publisher * publisher);
/// `size` bytes that are not initialized. False when too many are out or memory is used up.
bool iox2_loan(const Iox2Publisher * publisher, size_t size, Iox2Chunk * loan);
/// Delivers and ends the loan.
bool iox2_loan_send(Iox2Chunk * loan);
void iox2_loan_drop(Iox2Chunk * loan);

/// Opens the service `name` for one subscriber. `buffer` and `history` are wishes; they become what the service allows.
Iox2Subscriber * iox2_subscriber_new(const Iox2Node * node, const char * name, size_t alignment, size_t * buffer,
                                     size_t * history, char * error, size_t error_size);
void iox2_subscriber_free(Iox2Subscriber * subscriber);
bool iox2_has_samples(const Iox2Subscriber * subscriber);
/// False when there is none, or as many as allowed are held.
bool iox2_take(const Iox2Subscriber * subscriber, Iox2Chunk * sample);
void iox2_sample_drop(Iox2Chunk * sample);

#ifdef __cplusplus
}
#endif
