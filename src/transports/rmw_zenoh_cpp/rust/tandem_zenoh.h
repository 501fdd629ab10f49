// Zenoh as C++ sees it: sessions, publishers and subscribers with history, queries, liveliness tokens, and payloads in
// shared memory.
//
// Everything is thread-safe but for a configuration and a payload, which one thread uses at a time. Callbacks come from
// Zenoh's threads, and for what the same session has sent from the thread that sends. Objects are freed in any order. A call
// that can fail returns null or false; those of set-up write a sentence into `error`, cut off at `error_size`, NUL included.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ZnConfig ZnConfig;
typedef struct ZnSession ZnSession;
typedef struct ZnToken ZnToken;
typedef struct ZnTokenWatch ZnTokenWatch;
typedef struct ZnPublisher ZnPublisher;
typedef struct ZnSubscriber ZnSubscriber;
typedef struct ZnQueryable ZnQueryable;
typedef struct ZnPool ZnPool;
typedef struct ZnOwner ZnOwner;

/// A payload on its way out. `memory` is written before it is sent first, and read-only from then on.
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
  ZnOwner * owner;  ///< of a query: zn_reply() answers it, zn_free() ends it
} ZnMessage;

typedef struct ZnCallback {
  void (*call)(void * context, const ZnMessage * message);  ///< owns the message
  void (*drop)(void * context);                             ///< after the last call
  void * context;
} ZnCallback;

typedef struct ZnTokenCallback {
  void (*call)(void * context, const char * key, size_t size, bool is_there);  ///< `key` has no NUL
  void * context;
} ZnTokenCallback;

typedef struct ZnPublisherOptions {
  bool is_reliable;
  bool blocks;      ///< messages wait for room in the connections; else they are dropped
  bool is_express;  ///< each goes at once, else in batches
  size_t cached;    ///< last messages that are kept for subscribers with history
} ZnPublisherOptions;

typedef struct ZnSubscriberOptions {
  bool is_reliable;  ///< with history: asks for what was lost
  bool ignores_local;
  size_t history;  ///< last messages that each publisher is asked for
} ZnSubscriberOptions;

/// Of a file in Zenoh's format (JSON5 or YAML), or Zenoh's defaults if that is null.
ZnConfig * zn_config_new(const char * file, char * error, size_t error_size);
void zn_config_free(ZnConfig * config);
/// `value` is JSON5, `key` like "connect/endpoints".
bool zn_config_set(ZnConfig * config, const char * key, const char * value, char * error, size_t error_size);
/// The value as JSON. False when there is none, or it is longer than `size`.
bool zn_config_get(const ZnConfig * config, const char * key, char * value, size_t size);

/// Waits as long as the configuration says for those that it is to connect to.
ZnSession * zn_open(const ZnConfig * config, char * error, size_t error_size);
void zn_close(ZnSession * session);
/// Its id: at most 32 hexadecimal digits and a NUL.
void zn_id(const ZnSession * session, char * id, size_t size);

/// A key that others see for as long as the token is there and the session reaches them.
ZnToken * zn_token_new(const ZnSession * session, const char * key, char * error, size_t error_size);
void zn_token_free(ZnToken * token);
/// Calls back for each token under `key` that is there, comes or goes.
ZnTokenWatch * zn_watch_tokens(const ZnSession * session, const char * key, ZnTokenCallback callback, char * error,
                               size_t error_size);
/// Returns when no call is under way.
void zn_unwatch_tokens(ZnTokenWatch * watch);

ZnPublisher * zn_publisher_new(const ZnSession * session, const char * key, const ZnPublisherOptions * options,
                               char * error, size_t error_size);
void zn_publisher_free(ZnPublisher * publisher);
/// The payload stays the caller's.
bool zn_put(const ZnPublisher * publisher, ZnOwner * payload, const uint8_t * attachment, size_t size);

ZnSubscriber * zn_subscriber_new(const ZnSession * session, const char * key, const ZnSubscriberOptions * options,
                                 ZnCallback callback, char * error, size_t error_size);
void zn_subscriber_free(ZnSubscriber * subscriber);

/// Gets every query for `key`, as a message.
ZnQueryable * zn_queryable_new(const ZnSession * session, const char * key, ZnCallback callback, char * error,
                               size_t error_size);
void zn_queryable_free(ZnQueryable * queryable);
/// The payload stays the caller's.
bool zn_reply(const ZnOwner * query, ZnOwner * payload, const uint8_t * attachment, size_t size);
/// Sends a query to all queryables of `key`, and calls back with each reply. It ends with the last of them.
bool zn_get(const ZnSession * session, const char * key, ZnOwner * payload, const uint8_t * attachment, size_t size,
            ZnCallback callback);

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
