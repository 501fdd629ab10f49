/* Late joiners: a KEEP_ALL reader comes to a TRANSIENT_LOCAL publisher while messages are published and forgotten
 * (PublisherImpl::add_reader, reclaim, forget_oldest; ReaderSet::add, cursor_of; Lane::look_for_ack).
 *
 * One thread publishes MESSAGES into a ring of HISTORY; when the ring is full the oldest message goes, unless the reader is
 * owed it. Housekeeping acknowledges the reader at any moment, under the publisher's lock. Nobody tells the publisher when
 * the reader has taken that up.
 *
 * Properties
 *   whole_history   a joiner is owed the last HISTORY messages, or all there ever were
 *   nothing_lost    it takes each message from the first that it is owed to the last
 *   no_deadlock     (invalid end states) the reader gets the last message, the publisher never waits for ever
 * Mutants
 *   NO_HISTORY           messages that no present reader is owed go at once
 *   ADD_UNLOCKED         the first message owed is chosen before the lock is taken
 *   OWED_WHEN_TAKEN_UP   a reader is owed only what follows its cursor, once that is set
 *   START_AT_HEAD        the reader begins at the head instead of where it was told to
 *   LANE_FIRST           the acknowledgement is valid before it says where to begin
 */
#ifndef MESSAGES
#define MESSAGES 5
#endif
#ifndef HISTORY
#define HISTORY 2
#endif

#include "../system/store_buffer.pml"

PROPERTY(whole_history);
PROPERTY(nothing_lost);

/* Memory as others see it. */
byte head, tail;      /* slots of tail .. head-1 are valid */
bit ack;
byte ack_first;
byte cursor;

#define HEAD 0
#define TAIL 1
#define ACK 2
#define ACK_FIRST 3
#define CURSOR 4

inline visible(what, index, value) {
  if
  :: what == HEAD -> head = value
  :: what == TAIL -> tail = value
  :: what == ACK -> ack = value
  :: what == ACK_FIRST -> ack_first = value
  :: what == CURSOR -> cursor = value
  fi
}

BUFFER(publisher_buffer, 3);
BUFFER(reader_buffer, 2);

active proctype drain() {
end:
  do
  :: DRAIN(publisher_buffer)
  :: DRAIN(reader_buffer)
  od
}

/* The publisher's process, under its lock. */
bit locked, is_reader;
byte own_head, own_tail, first;

#ifdef OWED_WHEN_TAKEN_UP
#define OWED (is_reader && cursor > 0 && cursor <= own_tail)
#else
#define OWED (is_reader && (cursor > first -> cursor : first) <= own_tail)
#endif

inline forget_oldest() {
  own_tail++;
  STORE(publisher_buffer, TAIL, 0, own_tail)
}

active proctype publisher() {
  do
  :: own_head == MESSAGES -> break
  :: else ->
     atomic { !locked -> locked = 1 };
     do
     :: own_head - own_tail < HISTORY -> break
     :: own_head - own_tail == HISTORY && OWED ->
        locked = 0;
        atomic { !OWED && !locked -> locked = 1 }  /* space.pml shows that it is woken */
     :: own_head - own_tail == HISTORY && !OWED -> forget_oldest()
     od;
     own_head++;
     STORE(publisher_buffer, HEAD, 0, own_head);
#ifdef NO_HISTORY
     if
     :: !OWED -> forget_oldest()
     :: else
     fi;
#endif
     locked = 0
  od
}

active proctype housekeeping() {
#ifdef ADD_UNLOCKED
  first = own_tail;
#endif
  atomic { !locked -> locked = 1 };
#ifndef ADD_UNLOCKED
  first = own_tail;
#endif
  HOLDS(whole_history, first == 0 || first + HISTORY <= own_head);
#ifdef LANE_FIRST
  STORE(publisher_buffer, ACK, 0, 1);
  STORE(publisher_buffer, ACK_FIRST, 0, first);
#else
  STORE(publisher_buffer, ACK_FIRST, 0, first);
  STORE(publisher_buffer, ACK, 0, 1);  /* A0 */
#endif
  is_reader = 1;
  locked = 0
}

active proctype reader() {
  byte n;

  ack;  /* A1 */
#ifdef START_AT_HEAD
  n = head;
#else
  n = ack_first;
#endif
  HOLDS(nothing_lost, n == first);
  STORE(reader_buffer, CURSOR, 0, n);
  do
  :: n == MESSAGES -> break
  :: n < MESSAGES && head > n ->
     HOLDS(nothing_lost, tail <= n);
     n++;
     STORE(reader_buffer, CURSOR, 0, n)
  od
}
