/* Messages whose blocks are used again, and readers that take, keep and release them (publisher_impl.cpp, lane.cpp).
 *
 * Each reader takes until it has seen or missed every message, and may keep one message while it takes the next.
 *
 * Properties
 *   no_reuse_while_held   nobody writes to a block that a reader has taken and not released
 *   right_message         what a reader takes is the message of its cursor, whole
 *   no_deadlock           (invalid end states) everybody comes to the end
 * Mutants
 *   NO_FENCE         R2 is missing: the bitmaps are read before "gone" is visible
 *   FILL_FIRST       a slot is filled before it is marked gone
 *   ACQUIRE_LOOK     T3 is a mere acquire load: it passes the exchange T2
 *   NO_LOOK          no second look at all
 *   RELAXED_PUBLISH  P1 is relaxed: the slot is valid before its message is there
 *   RELEASE_EARLY    the bit is cleared before the user has done with the message
 */
#ifndef MESSAGES
#define MESSAGES 6
#endif
#ifndef READERS
#define READERS 1
#endif
#define RING 2
#define BLOCKS 3

#include "../system/store_buffer.pml"

PROPERTY(no_reuse_while_held);
PROPERTY(right_message);

#include "publisher.pml"

BUFFER(reader_buffer_0, 2);
BUFFER(reader_buffer_1, 2);

active proctype drain_readers() {
end:
  do
  :: DRAIN(reader_buffer_0)
#if READERS > 1
  :: DRAIN(reader_buffer_1)
#endif
  od
}

inline release(block_and_one) {
  STORE(buffer, RELEASE, me, BIT(block_and_one - 1))
}

proctype reader(byte me; chan buffer) {
  byte cursor, b, again;

  do
  :: cursor == MESSAGES -> break
  :: else ->
     atomic { seq[cursor % RING] >= VALID(cursor) -> again = seq[cursor % RING] }  /* T1; waits while "not yet" */
     if
     :: again > VALID(cursor) -> atomic { cursor++; again = 0 }  /* gone */
     :: else ->
        b = block[cursor % RING];
#ifdef ACQUIRE_LOOK
        again = seq[cursor % RING];
        EXCHANGE(buffer, held[me] = held[me] + BIT(b));
#else
        EXCHANGE(buffer, held[me] = held[me] + BIT(b));  /* T2 */
        again = seq[cursor % RING];  /* T3 */
#endif
#ifdef NO_LOOK
        again = VALID(cursor);
#endif
        if
        :: again == VALID(cursor) ->
           reading[2 * me] = b + 1;
           HOLDS(right_message, content[b] == cursor + 1);
           cursor++;
           if  /* the message that was kept goes */
           :: reading[2 * me + 1] != 0 ->
              b = reading[2 * me + 1];
              reading[2 * me + 1] = 0;
              release(b)
           :: else
           fi;
           if  /* this one is kept, or not */
           :: atomic { reading[2 * me + 1] = reading[2 * me]; reading[2 * me] = 0 }
           :: b = reading[2 * me];
#ifdef RELEASE_EARLY
              release(b);
              HOLDS(right_message, content[b - 1] == cursor);
              reading[2 * me] = 0
#else
              HOLDS(right_message, content[b - 1] == cursor);
              reading[2 * me] = 0;
              release(b)
#endif
           fi
        :: else -> STORE(buffer, RELEASE, me, BIT(b))
        fi;
        atomic { b = 0; again = 0 }
     fi
  od;
  if
  :: reading[2 * me + 1] != 0 -> b = reading[2 * me + 1]; reading[2 * me + 1] = 0; release(b)
  :: else
  fi
}

init {
  atomic {
    run reader(0, reader_buffer_0);
#if READERS > 1
    run reader(1, reader_buffer_1)
#endif
  }
}
