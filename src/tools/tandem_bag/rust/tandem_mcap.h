/* MCAP files through the crate mcap. An object is used by one thread at a time. Texts are UTF-8 without terminator.
 *
 * Functions that return an int return 0, a positive errno of the file or the sink, or -1; the object's error() has the
 * sentence. Nothing here ends the process: what is broken in a file is an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char * data;
  size_t size;
} tandem_mcap_text;

typedef struct {
  tandem_mcap_text key;
  tandem_mcap_text value;
} tandem_mcap_pair;

typedef struct {
  uint16_t id;
  tandem_mcap_text topic;
  tandem_mcap_text message_encoding;
  tandem_mcap_text schema_name; /* empty: the channel has no schema */
  tandem_mcap_text schema_encoding;
  tandem_mcap_text schema_data;
  const tandem_mcap_pair * metadata;
  size_t metadata_size;
  uint64_t message_count; /* read only */
} tandem_mcap_channel;

typedef struct {
  uint16_t channel;
  uint32_t sequence;
  uint64_t log_time;     /* ns since the epoch */
  uint64_t publish_time; /* ns since the epoch */
  const uint8_t * data;
  size_t size;
} tandem_mcap_message;

/* ---- writing ---- */

typedef struct tandem_mcap_writer tandem_mcap_writer;

typedef struct {
  uint64_t chunk_size; /* bytes before compression; 0: no chunks, so neither compression nor indexes */
  int compression;     /* 0: none, 1: LZ4, 2: zstd */
  uint32_t level;      /* of the compression; 0: its default */
  bool chunk_crcs;
  bool message_indexes;
  bool summary_crc;
} tandem_mcap_options;

/* Takes the next bytes of the file, all of these pieces: whole chunks and records. It may change `pieces`, not what they
 * point to. Returns 0 or an errno; then nothing more comes. */
typedef int (*tandem_mcap_sink)(void * context, struct iovec * pieces, size_t count);

/* `sink` is called within this call and those below. Never null. What goes wrong in it is told by the next call. After an
 * error every call fails and writes nothing. */
tandem_mcap_writer * tandem_mcap_create(tandem_mcap_sink sink, void * context, const tandem_mcap_options * options);
/* Sets channel->id. A schema is stored once for all channels that have the same. */
int tandem_mcap_add_channel(tandem_mcap_writer * writer, tandem_mcap_channel * channel);
/* The message is in the sink when its chunk is full; without chunks, when there is enough for a write. */
int tandem_mcap_write(tandem_mcap_writer * writer, const tandem_mcap_message * message);
int tandem_mcap_write_metadata(tandem_mcap_writer * writer, tandem_mcap_text name, const tandem_mcap_pair * pairs,
                               size_t size);
/* Ends the chunk: all that was written is in the sink then. */
int tandem_mcap_flush(tandem_mcap_writer * writer);
/* Writes the index; nothing can be written afterwards. */
int tandem_mcap_finish(tandem_mcap_writer * writer);
/* Valid until the next call. */
tandem_mcap_text tandem_mcap_writer_error(const tandem_mcap_writer * writer);
/* Writes nothing: what was not finished has no index. */
void tandem_mcap_destroy(tandem_mcap_writer * writer);

/* ---- reading ---- */

typedef struct tandem_mcap_reader tandem_mcap_reader;

typedef struct {
  uint64_t start_time; /* of the messages; both 0 if there are none */
  uint64_t end_time;
  uint64_t message_count;
  size_t channel_count;
  bool is_complete; /* false: it was not finished, and has been searched for what is whole */
} tandem_mcap_summary;

/* Reads the summary; of a file that was not finished, the file. Never null. */
tandem_mcap_reader * tandem_mcap_open(tandem_mcap_text path);
/* What went wrong, also in opening. Empty: nothing. Valid until the next call. */
tandem_mcap_text tandem_mcap_reader_error(const tandem_mcap_reader * reader);
tandem_mcap_summary tandem_mcap_get_summary(const tandem_mcap_reader * reader);
/* By index < channel_count. What it points to is valid as long as the reader. */
tandem_mcap_channel tandem_mcap_get_channel(const tandem_mcap_reader * reader, size_t index);
/* The metadata record of a name. `visit` is called for each of its pairs. */
int tandem_mcap_read_metadata(tandem_mcap_reader * reader, tandem_mcap_text name,
                              void (*visit)(void * context, tandem_mcap_text key, tandem_mcap_text value),
                              void * context);
/* The messages of these channels (none given: of all) from a log time on, in the order of their log times; of a file
 * without chunks, as they lie in it. */
int tandem_mcap_seek(tandem_mcap_reader * reader, uint64_t start, const uint16_t * channels, size_t size);
/* Sets `message`, whose data is valid until the next call; null data: the end. Seeks to the begin if nobody has. */
int tandem_mcap_next(tandem_mcap_reader * reader, tandem_mcap_message * message);
void tandem_mcap_close(tandem_mcap_reader * reader);

#ifdef __cplusplus
}
#endif
