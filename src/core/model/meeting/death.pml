/* A publisher's process is killed at any step; its reader drains what it has published (PublisherImpl::enqueue, Peer::probe,
 * Endpoints::end_lanes, Lane::take). An orderly close is the same: the directory says so instead of the lock.
 *
 * Stores that a thread has made become visible before its lock goes. Housekeeping of the reader's process probes the lock at
 * any time and ends the lane, under the subscription's lock, once the publisher is gone and nothing is left.
 *
 * Properties
 *   whole_message   what is taken is complete
 *   nothing_lost    every message whose P1 was done is taken before the lane ends
 *   no_deadlock     (invalid end states)
 * Mutants
 *   VALID_FIRST         P1 comes before the message
 *   END_AT_ONCE         the lane ends when the publisher is found dead
 *   LOOK_BEFORE_PROBE   whether something is left is looked at before the lock is
 *   TRUST_HEAD          the reader takes only what the head counts: the publisher may die before it has stored it
 */
#ifndef MESSAGES
#define MESSAGES 4
#endif

#include "../system/store_buffer.pml"

PROPERTY(whole_message);
PROPERTY(nothing_lost);

bit valid[MESSAGES + 1], content[MESSAGES];
byte head;
bit alive = 1;
byte published;    /* messages with P1 done */
bit killed;

#define VALID 0
#define CONTENT 1
#define HEAD 2

inline visible(what, index, value) {
  if
  :: what == VALID -> valid[index] = value
  :: what == CONTENT -> content[index] = value
  :: what == HEAD -> head = value
  fi
}

BUFFER(publisher_buffer, 3);

active proctype drain() {
end:
  do
  :: DRAIN(publisher_buffer)
  :: OVERTAKE(publisher_buffer, CONTENT)
  od
}

active proctype publisher() {
  byte n;

  {
    do
    :: n == MESSAGES -> break
    :: else ->
#ifdef VALID_FIRST
       atomic { STORE(publisher_buffer, VALID, n, 1); published++ };
       STORE(publisher_buffer, CONTENT, n, 1);
#else
       STORE(publisher_buffer, CONTENT, n, 1);
       atomic { STORE(publisher_buffer, VALID, n, 1); published++ };  /* P1 */
#endif
       STORE(publisher_buffer, HEAD, 0, n + 1);
       n++
    od
  } unless { killed };
  FENCE(publisher_buffer);
  alive = 0
}

active proctype killer() { killed = 1 }

bit locked, ended;
byte cursor;

#ifdef TRUST_HEAD
#define HAS_DATA (head > cursor)
#else
#define HAS_DATA valid[cursor]
#endif

active proctype user() {
  do
  :: ended -> break
  :: HAS_DATA ->
     atomic { !locked -> locked = 1 };
     if
     :: !ended && HAS_DATA -> HOLDS(whole_message, content[cursor]); cursor++
     :: else
     fi;
     locked = 0
  od;
  HOLDS(nothing_lost, cursor == published)
}

active proctype housekeeping() {
  bit gone, left;

  do
  :: !alive || !gone ->
     atomic { !locked -> locked = 1 };
#ifdef LOOK_BEFORE_PROBE
     left = HAS_DATA;
     gone = !alive;
#else
     gone = !alive;
     left = HAS_DATA;
#endif
#ifdef END_AT_ONCE
     left = 0;
#endif
     if
     :: gone && !left -> ended = 1; locked = 0; break
     :: else -> locked = 0
     fi;
     atomic { gone = 0; left = 0 }
  od
}
