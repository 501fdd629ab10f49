/* Sleep and wake: whoever sleeps in a wait-set is woken by what it waits for, without the help of a time limit
 * (wait_set_body.cpp, reader_set.cpp, endpoints_lanes.cpp).
 *
 * A publisher publishes MESSAGES into a lane, whose subscription is attached to the wait-set at any time; housekeeping takes
 * up the acknowledgement of a second lane, in which a message of history waits; a third thread calls wake(). The reader
 * waits until it has had all of that. A bell is a counter that FUTEX_WAIT compares with what was read of it.
 *
 * Properties
 *   no_lost_wake_up   nobody sleeps for ever while there is something for him
 *   no_deadlock       (invalid end states) nobody else is stuck
 * Mutants
 *   NO_W0                 the publisher does not fence between the slot and the sleeping flags
 *   NO_W3                 W2 is a plain store and no fence follows it
 *   FLAG_LATE             the sleeping flag is set after the last look
 *   BELL_LATE             the bell is read after the last look
 *   NO_RING_ON_JOIN       who takes up an acknowledgement does not ring
 *   NO_RING_ON_ATTACH     who attaches a subscription does not ring
 *   RING_BEFORE_ATTACH    it rings before publishers see the lane's wait-set
 *   NO_RING_ON_WAKE       wake() does not ring
 */
#ifndef MESSAGES
#define MESSAGES 2
#endif

#include "store_buffer.pml"

PROPERTY(no_lost_wake_up);

/* Memory as others see it. */
byte published;     /* messages whose slots are valid */
bit sleeping;       /* RegionHeader::sleeping */
bit has_wait_set;   /* LaneRecord::wait_set names the bell */
byte bell;

/* The reader's process alone. */
bit attached;       /* in WaitSetBody::subscriptions_ */
bit acknowledged;   /* the second lane */
bit woken;

#define SLOT 0
#define SLEEPING 1
#define WAIT_SET 2

inline visible(what, index, value) {
  if
  :: what == SLOT -> published = value
  :: what == SLEEPING -> sleeping = value
  :: what == WAIT_SET -> has_wait_set = value
  fi
}

BUFFER(publisher_buffer, 2);
BUFFER(reader_buffer, 2);
BUFFER(attacher_buffer, 1);

active proctype drain() {
end:
  do
  :: DRAIN(publisher_buffer)
  :: DRAIN(reader_buffer)
  :: DRAIN(attacher_buffer)
  od
}

active proctype publisher() {
  byte n;
  do
  :: n < MESSAGES ->
     n++;
     STORE(publisher_buffer, SLOT, 0, n);  /* P1 */
#ifndef NO_W0
     FENCE(publisher_buffer);  /* W0 */
#endif
     if  /* W1 */
     :: sleeping ->
        if
        :: has_wait_set -> bell++
        :: else
        fi
     :: else
     fi
  :: else -> break
  od
}

/* WaitSetBody::attach */
active proctype attacher() {
  attached = 1;
#ifdef RING_BEFORE_ATTACH
  bell++;
#endif
  STORE(attacher_buffer, WAIT_SET, 0, 1);
#if !defined(NO_RING_ON_ATTACH) && !defined(RING_BEFORE_ATTACH)
  EXCHANGE(attacher_buffer, bell++)
#endif
}

/* Endpoints::take_up_acknowledgements */
active proctype housekeeping() {
  acknowledged = 1;
#ifndef NO_RING_ON_JOIN
  bell++
#endif
}

/* WaitSetBody::wake */
active proctype waker() {
  woken = 1;
#ifndef NO_RING_ON_WAKE
  bell++
#endif
}

bit done, has_history, was_woken;
byte taken;

#define READY ((attached && published > taken) || (acknowledged && !has_history) || (woken && !was_woken))

active proctype reader() {
  byte rung;

  do
  :: taken == MESSAGES && has_history && was_woken -> break
  :: else ->
     if
     :: attached && published > taken -> taken++
     :: acknowledged && !has_history -> has_history = 1
     :: woken && !was_woken -> was_woken = 1
     :: else ->
#ifndef BELL_LATE
        rung = bell;
#endif
#if defined(NO_W3)
        STORE(reader_buffer, SLEEPING, 0, 1);
#elif !defined(FLAG_LATE)
        EXCHANGE(reader_buffer, sleeping = 1);  /* W2, W3 */
#endif
        if
        :: READY
        :: else ->
#ifdef FLAG_LATE
           EXCHANGE(reader_buffer, sleeping = 1);
#endif
#ifdef BELL_LATE
           rung = bell;
#endif
           bell != rung  /* FUTEX_WAIT */
        fi;
        STORE(reader_buffer, SLEEPING, 0, 0);
        rung = 0
     fi
  od;
  done = 1
}

active proctype judge() {
end:
  timeout;
  HOLDS(no_lost_wake_up, done)
}
