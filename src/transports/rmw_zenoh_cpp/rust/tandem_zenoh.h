// Zenoh as C++ sees it: a session, publishers, subscribers with callbacks, and payloads in shared memory.
//
// Everything is thread-safe but for one payload, which one thread uses at a time. Callbacks come from Zenoh's threads, and
// for what the same session has put from the thread that puts. Objects are freed in any order. A call that can fail
// returns null or false; those of set-up write a sentence into `error`, cut off at `error_size`, NUL included.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ZnSession ZnSession;
typedef struct ZnPublisher ZnPublisher;
typedef struct ZnSubscriber ZnSubscriber;
typedef struct ZnPool ZnPool;
typedef struct ZnOwner ZnOwner;

/// A payload on its way out. `memory` is written before the first put, and read-only from then on.
typedef struct ZnPayload {
  uint8_t * memory;
  ZnOwner * owner;
} ZnPayload;

/// What has come. It is valid until zn_free(owner).
typedef struct ZnMessage {
  const uint8_t * payload;
  size_t size;
  const uint8_t * attachment;
  size_t attachment_size;
  bool is_shared;  ///< the payload lies in the publisher's shared memory
  ZnOwner * owner;
} ZnMessage;

typedef struct ZnCallback {
  void (*call)(void * context, const ZnMessage * message);  ///< owns the message
  void (*drop)(void * context);                             ///< after the last call
  void * context;
} ZnCallback;

/// `config` is JSON5, as in Zenoh's configuration files.
ZnSession * zn_open(const char * config, char * error, size_t error_size);
void zn_close(ZnSession * session);

/// Messages wait for room in the connections (`blocks`) or are dropped; each goes at once (`express`) or in batches.
ZnPublisher * zn_publisher_new(const ZnSession * session, const char * key, bool blocks, bool express, char * error,
                               size_t error_size);
void zn_publisher_free(ZnPublisher * publisher);
/// Without payload when it is null. The payload stays the caller's.
bool zn_put(const ZnPublisher * publisher, ZnOwner * payload, const uint8_t * attachment, size_t size);

ZnSubscriber * zn_subscriber_new(const ZnSession * session, const char * key, ZnCallback callback, char * error,
                                 size_t error_size);
void zn_subscriber_free(ZnSubscriber * subscriber);

/// Shared memory of `size` bytes, locked in RAM. It lives until the last payload in it is gone.
ZnPool * zn_pool_new(size_t size, char * error, size_t error_size);
void zn_pool_free(ZnPool * pool);
/// Memory of the pool, aligned to 64 bytes, or of the process if that is null, not aligned. False when the pool is used
/// up.
bool zn_allocate(const ZnPool * pool, size_t size, ZnPayload * payload);
/// Gives a payload or a message back; null is allowed.
void zn_free(ZnOwner * owner);

#ifdef __cplusplus
}
#endif
