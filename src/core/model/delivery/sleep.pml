/* Sleep and wake: whoever sleeps in a wait-set is woken by what it waits for, without the help of a time limit, though it
 * looks at those lanes alone that were hinted at (wait_set_impl.cpp, wait_set_ready.cpp, reader_set.cpp, endpoints_lanes.cpp).
 *
 * Two publishers publish into lanes that share a hint; their subscription is attached to the wait-set at any time. A third is
 * killed between its slot and its hint. Housekeeping takes up the acknowledgement of a lane in which a message of history
 * waits; a thread calls wake(); another one asks for what is ready, takes one message and never comes back. The reader waits until it
 * has had all the rest. A bell is a counter that FUTEX_WAIT compares with what was read of it; here, a bit: whether it was rung since it was read. The time limit of the sleep comes into
 * play only when nothing else can move.
 *
 * Properties
 *   no_lost_wake_up   nobody sleeps until the time limit while there is something for him, but for what the killed one left
 *   no_deadlock       (invalid end states) nobody is stuck: the killed one's message is found as well
 * Mutants
 *   NO_W0                 the publisher does not fence between the slot and the look at its hint
 *   NO_W3                 W2 is a plain store and no fence follows it
 *   FLAG_LATE             the sleeping flag is set after the last look
 *   BELL_LATE             the bell is read after the last look
 *   HINT_LATE             the publisher looks who sleeps before it leaves its hint
 *   NO_N2                 hints are cleared by a plain store, and no fence follows it
 *   CLEAR_LATE            hints are cleared after the look at the lanes
 *   HINTS_ALONE           the last look is at the hints alone, not at what another thread has listed
 *   NO_TICK               all lanes are looked at only when somebody says so
 *   NO_RING_ON_JOIN       who takes up an acknowledgement does not ring
 *   NO_HINT_ON_JOIN       who takes up an acknowledgement rings, but does not hint at every lane
 *   NO_RING_ON_ATTACH     who attaches a subscription does not ring
 *   NO_FENCE_ON_ATTACH    who attaches a subscription does not fence between the lane's wait-set and its look
 *   LOOK_BEFORE_ATTACH    it looks before publishers see the lane's wait-set
 *   NO_RING_ON_WAKE       wake() does not ring
 */
#ifndef MESSAGES
#define MESSAGES 1
#endif

#include "../system/store_buffer.pml"

PROPERTY(no_lost_wake_up);

#define LANES 3
#define KILLED 2  /* the lane of the publisher that is killed */

/* Memory as others see it. */
byte published[LANES];  /* messages whose slots are valid */
bit sleeping;           /* RegionHeader::sleeping */
bit has_wait_set;       /* LaneRecord::wait_set names the bell, in all three lanes */
bit hint;               /* the one of the three lanes */
bit every;              /* kEveryLane */
bit rung;               /* since the reader has read the bell */

/* The reader's process alone. */
bit locked;             /* WaitSetImpl::mutex_ */
bit attached;           /* a member */
bit listed[LANES];      /* SubscriptionImpl::listed_, and its place in ready_ */
bit acknowledged;       /* the lane with history */
bit has_history;        /* its message was found */
bit woken;
byte taken[LANES];

#define SLOT 0
#define SLEEPING 1
#define WAIT_SET 2
#define HINT 3

inline visible(what, index, value) {
  if
  :: what == SLOT -> published[index] = value
  :: what == SLEEPING -> sleeping = value
  :: what == WAIT_SET -> has_wait_set = value
  :: what == HINT -> hint = value
  fi
}

BUFFER(first_buffer, 1);
BUFFER(reader_buffer, 2);
BUFFER(attacher_buffer, 1);

active proctype drain() {
end:
  do
  :: DRAIN(first_buffer)
  :: DRAIN(reader_buffer)
  :: DRAIN(attacher_buffer)
  od
}

/* ReaderSet::notify, and ReaderSet::ring_sleepers, which looks again: the publisher has given up its lock meanwhile. */
inline ring_sleepers() {
  if
  :: sleeping ->
     if
     :: sleeping -> rung = 1
     :: else
     fi
  :: else
  fi
}

/* PublisherImpl::enqueue, ReaderSet::notify */
active proctype first() {
  byte n;
  do
  :: n < MESSAGES ->
     n++;
     STORE(first_buffer, SLOT, 0, n);  /* P1 */
#ifndef NO_W0
     FENCE(first_buffer);  /* W0 */
#endif
     if  /* W1 */
     :: has_wait_set ->
#ifdef HINT_LATE
        ring_sleepers();
#endif
        if  /* N1 */
        :: hint
        :: !hint -> EXCHANGE(first_buffer, hint = 1)
        fi;
#ifndef HINT_LATE
        ring_sleepers()
#endif
     :: else
     fi
  :: else -> break
  od
}

/* Its slots are visible at once: the first one is the one whose fences count. */
active proctype second() {
  published[1] = MESSAGES;
  if
  :: has_wait_set ->
     if
     :: hint
     :: !hint -> hint = 1
     fi;
     ring_sleepers()
  :: else
  fi
}

#define LOCK atomic { !locked -> locked = 1 }
#define UNLOCK locked = 0

inline look_at(lane) {
  if
  :: published[lane] > taken[lane] -> listed[lane] = 1
  :: else
  fi
}

inline look() {
  if
  :: attached ->
     look_at(0);
     d_step { look_at(1); look_at(KILLED) }
  :: else
  fi
}

/* WaitSetImpl::collect. All lanes have one hint; the lane with history is known once all are looked at. */
inline collect(all) {
  if
  :: every || all ->
     EXCHANGE(reader_buffer, every = 0; hint = 0);
     has_history = acknowledged;
     look()
  :: else
  fi;
  if
  :: hint ->
#if defined(NO_N2)
     STORE(reader_buffer, HINT, 0, 0);
     look()
#elif defined(CLEAR_LATE)
     look();
     EXCHANGE(reader_buffer, hint = 0)
#else
     EXCHANGE(reader_buffer, hint = 0);  /* N2 */
     look()
#endif
  :: else
  fi
}

/* What does not meet each other, one after another, each of them last once: WaitSetImpl::attach, WaitSetImpl::wake,
 * Endpoints::take_up_acknowledgements; in the end the publisher that is killed. */
active proctype others() {
  bit has_attached, has_woken, has_joined;
  do
  :: !has_attached && (has_woken || !has_joined) ->
     atomic { !locked -> locked = 1; has_attached = 1; attached = 1 }
#ifdef LOOK_BEFORE_ATTACH
     atomic { look() }
#endif
     STORE(attacher_buffer, WAIT_SET, 0, 1);
#ifndef NO_FENCE_ON_ATTACH
     FENCE(attacher_buffer);
#endif
#ifndef LOOK_BEFORE_ATTACH
     atomic { look() }
#endif
     UNLOCK;
#ifndef NO_RING_ON_ATTACH
     EXCHANGE(attacher_buffer, rung = 1)
#endif
  :: !has_woken && (has_joined || !has_attached) ->
     atomic { has_woken = 1; woken = 1 }
#ifndef NO_RING_ON_WAKE
     rung = 1
#endif
  :: !has_joined && (has_attached || !has_woken) ->
     atomic { has_joined = 1; acknowledged = 1 }
#ifndef NO_HINT_ON_JOIN
     every = 1;
#endif
#ifndef NO_RING_ON_JOIN
     rung = 1
#endif
  :: has_attached && has_woken && has_joined -> break
  od;
  published[KILLED] = 1
}

inline take(lane) {
  taken[lane]++;
  listed[lane] = published[lane] > taken[lane]
}

/* WaitSetImpl::next_ready in another thread */
active proctype other() {
  atomic {
    !locked;  /* collect() step by step is the reader's */
    collect(false);
    if
    :: listed[0] -> take(0)
    :: else
    fi
  }
}

bit had_history, was_woken;

#define LISTED (listed[0] || listed[1] || listed[KILLED])
#define READY (LISTED || (has_history && !had_history) || (woken && !was_woken))
#define DONE (taken[0] == MESSAGES && taken[1] == MESSAGES && taken[KILLED] == 1 && had_history && was_woken)
#define LEFT ((attached && (published[0] > taken[0] || published[1] > taken[1])) || \
              (acknowledged && !had_history) || (woken && !was_woken))

active proctype reader() {
  bit ready, tick;

  do
  :: DONE -> break
  :: else ->
     LOCK;
     collect(tick);
     d_step {
       tick = 0;
       ready = READY;
       if
       :: listed[0] -> take(0)
       :: !listed[0] && listed[1] -> take(1)
       :: !listed[0] && !listed[1] && listed[KILLED] -> take(KILLED)
       :: !LISTED && has_history && !had_history -> had_history = 1
       :: !LISTED && (!has_history || had_history) && woken && !was_woken -> was_woken = 1
       :: !ready
       fi;
       UNLOCK
     }
     if
     :: ready
     :: !ready && DONE
     :: !ready && !DONE ->
#ifndef BELL_LATE
        rung = 0;
#endif
#if defined(NO_W3)
        STORE(reader_buffer, SLEEPING, 0, 1);
#elif !defined(FLAG_LATE)
        EXCHANGE(reader_buffer, sleeping = 1);  /* W2, W3 */
#endif
        LOCK;
#ifdef HINTS_ALONE
        ready = hint || every || (woken && !was_woken);
#else
        collect(false);
        ready = READY;
#endif
        UNLOCK;
        if
        :: ready || DONE
        :: !ready && !DONE ->
#ifdef FLAG_LATE
           EXCHANGE(reader_buffer, sleeping = 1);
#endif
#ifdef BELL_LATE
           rung = 0;
#endif
           if  /* FUTEX_WAIT */
           :: rung
           :: DONE
#ifndef NO_TICK
           :: timeout -> HOLDS(no_lost_wake_up, !LEFT); tick = 1
#endif
           fi
        fi;
        EXCHANGE(reader_buffer, sleeping = 0);
        ready = 0
     fi
  od
}
