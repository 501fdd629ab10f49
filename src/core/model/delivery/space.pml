/* KEEP_ALL backpressure: publishers of a full ring wait for the slowest reader that is owed (PublisherImpl::wait_for_room,
 * Lane::take, ReaderSet).
 *
 * Two threads publish MESSAGES and MORE through one publisher, whose ring takes LIMIT messages. The first reader lives to the
 * end; the second may die, or close its lane, at any step. Nobody rings for that: a waiter looks every 100 ms, which the model
 * permits only when a reader has died or closed that the publisher still waits for.
 *
 * Properties
 *   nothing_lost      no message is gone before every reader that is owed has taken it
 *   no_lost_wake_up   no publisher waits for ever
 *   no_deadlock       (invalid end states) nobody else is stuck: the living reader gets every message
 * Mutants
 *   NO_S0              the publisher does not fence between its waiting flag and the cursors
 *   NO_S1              the reader does not fence between its cursor and the waiting flag
 *   FLAG_LATE          the waiting flag is set after the last look
 *   BELL_LATE          the bell is read after the last look
 *   FLAG_NOT_COUNTED   the flag is a flag: the first thread to go on takes it from the other
 *   NO_PROBE           whoever waits never asks whether the reader lives
 *   CLOSED_IS_OWED     a closed lane is owed as before
 *   OWED_DEPTH         an owed reader is lapped like one of KEEP_LAST
 *   CURSOR_EARLY       the cursor moves before the message is held
 */
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef LIMIT
#define LIMIT 1
#endif
#ifndef MORE
#define MORE 1
#endif
#define ALL (MESSAGES + MORE)

#include "../system/store_buffer.pml"

PROPERTY(nothing_lost);
PROPERTY(no_lost_wake_up);

/* Memory as others see it. */
byte head, tail;      /* slots of tail .. head-1 are valid, those before are gone */
byte waiting;         /* PublisherRecord::waiting */
byte bell;            /* kSpaceBell */
byte cursor[2];
bit closed[2];
bit dead[2];          /* the lock is gone */

#define HEAD 0
#define TAIL 1
#define WAITING 2
#define CURSOR 3
#define CLOSED 4

inline visible(what, index, value) {
  if
  :: what == HEAD -> head = value
  :: what == TAIL -> tail = value
  :: what == WAITING -> waiting = value
  :: what == CURSOR -> cursor[index] = value
  :: what == CLOSED -> closed[index] = value
  fi
}

/* One buffer for the publisher's threads: who has its lock next sees what was stored before. */
BUFFER(publisher_buffer, 4);
BUFFER(reader_buffer_0, 2);
BUFFER(reader_buffer_1, 2);

active proctype drain() {
end:
  do
  :: DRAIN(publisher_buffer)
  :: DRAIN(reader_buffer_0)
  :: DRAIN(reader_buffer_1)
  od
}

/* The publisher's process alone, under its lock. */
bit locked, removed[2];
byte own_head, own_tail, waiters;
byte first, second;  /* floors as read */
bit seen_closed;

#ifdef CLOSED_IS_OWED
#define LEFT(r) removed[r]
#else
#define LEFT(r) (removed[r] || closed[r])
#endif
#define FLOOR(r) (LEFT(r) -> ALL : cursor[r])

/* floor(), advance_tail(): one cursor after the other, never beyond the head */
inline reclaim() {
  first = FLOOR(0);
  second = FLOOR(1);
  d_step {
    if
    :: second < first -> first = second
    :: else
    fi;
    second = 0;
    if
    :: first > own_head -> first = own_head
    :: else
    fi;
#ifdef OWED_DEPTH
    if
    :: own_head - first >= LIMIT -> first = own_head - LIMIT + 1
    :: else
    fi
#endif
  }
  if
  :: first > own_tail -> own_tail = first; STORE(publisher_buffer, TAIL, 0, own_tail)
  :: else
  fi;
  first = 0
}

#define FULL (own_head - own_tail >= LIMIT)
/* 100 ms have passed, and that is of use. */
#ifdef NO_PROBE
#define TIME_LIMIT (closed[1] && LEFT(1) && !seen_closed)
#else
#define TIME_LIMIT (closed[1] && LEFT(1) && !seen_closed || dead[1] && !removed[1])
#endif

proctype publisher(byte left) {
  byte rung;

  do
  :: left == 0 -> break
  :: else ->
     atomic { !locked -> locked = true };
     if
     :: FULL -> reclaim()
     :: else
     fi;
     do
     :: FULL ->
#ifndef BELL_LATE
        rung = bell;
#endif
#ifndef FLAG_LATE
#ifdef FLAG_NOT_COUNTED
        waiters = 1;
#else
        waiters++;
#endif
        STORE(publisher_buffer, WAITING, 0, waiters);
#ifndef NO_S0
        FENCE(publisher_buffer);  /* S0 */
#endif
#endif
        reclaim();
        if
        :: FULL ->
#ifdef FLAG_LATE
           waiters++;
           STORE(publisher_buffer, WAITING, 0, waiters);
           FENCE(publisher_buffer);
#endif
#ifdef BELL_LATE
           rung = bell;
#endif
           locked = false;
           bell != rung || TIME_LIMIT;  /* FUTEX_WAIT */
           atomic {
             !locked -> locked = true;
#ifndef NO_PROBE
             removed[1] = removed[1] || dead[1];
#endif
             seen_closed = closed[1]
           }
        :: else
#ifdef FLAG_LATE
           -> waiters++
#endif
        fi;
#ifdef FLAG_NOT_COUNTED
        waiters = 0;
#else
        waiters--;
#endif
        STORE(publisher_buffer, WAITING, 0, waiters);
        rung = 0;
        reclaim()
     :: else -> break
     od;
     own_head++;
     STORE(publisher_buffer, HEAD, 0, own_head);
     FENCE(publisher_buffer);  /* W0 */
     locked = false;
     left--
  od
}

inline take() {
#ifdef CURSOR_EARLY
  STORE(buffer, CURSOR, me, n + 1);
#endif
  HOLDS(nothing_lost, tail <= n);  /* T3 still finds it valid */
  n++;
#ifndef CURSOR_EARLY
  STORE(buffer, CURSOR, me, n);
#endif
#ifndef NO_S1
  FENCE(buffer);  /* S1 */
#endif
  if
  :: waiting -> bell++
  :: else
  fi
}

proctype reader(byte me; chan buffer) {
  byte n;

  do
  :: n == ALL -> break
  :: n < ALL && head > n -> take()
  od
}

/* The same, but it closes or dies. */
proctype leaver(byte me; chan buffer) {
  byte n;

  {
    do
    :: n == ALL -> break
    :: n < ALL && head > n -> take()
    :: STORE(buffer, CLOSED, me, 1); break
    od
  } unless { dead[me] }
}

active proctype death() {
  if
  :: len(reader_buffer_1) == 0 -> dead[1] = 1
  :: skip  /* it lives on */
  fi
}

init {
  atomic {
    run publisher(MESSAGES);
    run publisher(MORE);
    run reader(0, reader_buffer_0);
    run leaver(1, reader_buffer_1)
  }
}

active proctype verifier() {
end:
  timeout;
  HOLDS(no_lost_wake_up, own_head == ALL)
}
