/* Two threads of one subscription take from one lane (subscription_impl.cpp, lane.cpp) and release without its lock.
 *
 * The bitmap is a word: T2 adds the block's bit and takes it back when it was there. The cursor is memory of the
 * subscription alone; it is stored without a buffer.
 *
 * Properties
 *   no_reuse_while_held   nobody writes to a block that a thread has taken and not released
 *   right_message         what a thread takes is the message of the cursor, whole
 *   taken_once            no message is handed to both
 *   no_false_alarm        a publisher that is right is never taken for a damaged one
 *   no_deadlock           (invalid end states) everybody comes to the end
 * Mutants
 *   NO_LOCK           take runs without the lock of the subscription
 *   RELAXED_UNLOCK    the lock is given back before a bit that was taken back is seen to be clear
 *   RELEASE_LOAD      release is a load and a store instead of one atomic subtraction: it takes back the other's bit
 */
#ifndef MESSAGES
#define MESSAGES 4
#endif
#define RING 2
#define BLOCKS 3
#define READERS 1

#include "../system/store_buffer.pml"

PROPERTY(no_reuse_while_held);
PROPERTY(right_message);
PROPERTY(taken_once);
PROPERTY(no_false_alarm);

#include "publisher.pml"

BUFFER(thread_buffer_0, 2);
BUFFER(thread_buffer_1, 2);

active proctype drain_threads() {
end:
  do
  :: DRAIN(thread_buffer_0)
  :: DRAIN(thread_buffer_1)
  od
}

bool locked;
byte cursor;
byte taken;  /* a bit for each message */

#ifdef NO_LOCK
#define LOCK skip
#define UNLOCK skip
#else
#define LOCK atomic { !locked -> locked = true }
#ifdef RELAXED_UNLOCK
#define UNLOCK locked = false
#else
#define UNLOCK FENCE(buffer); locked = false  /* a release store: nothing before it comes later */
#endif
#endif

/* The user reads, then lets go. Waits for nothing. */
inline use(n) {
  HOLDS(right_message, content[b] == n + 1);
  HOLDS(right_message, content[b] == n + 1);
  reading[me] = 0;
#ifdef RELEASE_LOAD
  before = held[0];
  FENCE(buffer);
  held[0] = before & ~BIT(b);
  before = 0
#else
  STORE(buffer, RELEASE, 0, BIT(b))
#endif
}

proctype thread(byte me; chan buffer) {
  byte b, n, before, again;

  do
  :: cursor >= MESSAGES -> break
  :: cursor < MESSAGES && seq[cursor % RING] >= VALID(cursor) ->
     LOCK;
     n = cursor;
     again = seq[n % RING];  /* T1 */
     if
     :: n == MESSAGES || again < VALID(n) -> UNLOCK  /* the other was first */
     :: n < MESSAGES && again > VALID(n) -> cursor = n + 1; UNLOCK
     :: n < MESSAGES && again == VALID(n) ->
        b = block[n % RING];
        EXCHANGE(buffer, before = held[0]; held[0] = before + BIT(b));  /* T2 */
        if
        :: before & BIT(b) -> EXCHANGE(buffer, held[0] = held[0] - BIT(b))
        :: else
        fi;
        again = seq[n % RING];  /* T3 */
        if
        :: again == VALID(n) && (before & BIT(b)) -> HOLDS(no_false_alarm, false); UNLOCK
        :: again == VALID(n) && !(before & BIT(b)) ->
           atomic {
             HOLDS(taken_once, !(taken & BIT(n)));
             taken = taken | BIT(n);
             reading[me] = b + 1;
             before = 0
           }
           cursor = n + 1;
           UNLOCK;
           use(n)
        :: again != VALID(n) ->
           if
           :: !(before & BIT(b)) -> STORE(buffer, RELEASE, 0, BIT(b))
           :: else
           fi;
           UNLOCK
        fi
     fi;
     d_step { b = 0; n = 0; before = 0; again = 0 }
  od
}

init {
  atomic {
    run thread(0, thread_buffer_0);
    run thread(1, thread_buffer_1)
  }
}
