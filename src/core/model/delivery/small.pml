/* Small messages, which stand in their slots as well: readers copy them and hold nothing (PublisherImpl::enqueue,
 * Lane::copy).
 *
 * Properties
 *   right_message   what a reader takes is the message of its cursor, whole
 *   no_deadlock     (invalid end states) everybody comes to the end
 * Mutants
 *   NO_FENCE         R2 is missing: a slot is filled before "gone" is visible
 *   FILL_FIRST       a slot is filled before it is marked gone
 *   RELAXED_PUBLISH  P1 is relaxed: the slot is valid before its message is there
 *   NO_LOOK          no second look
 *   LOOK_EARLY       T4 passes the copy
 */
#ifndef MESSAGES
#define MESSAGES 6
#endif
#define READERS 1
#define RING 2
#define BLOCKS 3
#define IN_SLOT

#include "../system/store_buffer.pml"

PROPERTY(no_reuse_while_held);
PROPERTY(right_message);

#include "publisher.pml"

active proctype reader() {
  byte cursor, copy, again;

  do
  :: cursor == MESSAGES -> break
  :: else ->
     atomic { seq[cursor % RING] >= VALID(cursor) -> again = seq[cursor % RING] }  /* T1; waits while "not yet" */
     if
     :: again > VALID(cursor) -> atomic { cursor++; again = 0 }  /* gone */
     :: else ->
#ifdef LOOK_EARLY
        again = seq[cursor % RING];
        copy = small[cursor % RING];
#else
        copy = small[cursor % RING];
        again = seq[cursor % RING];  /* T4 */
#endif
#ifdef NO_LOOK
        again = VALID(cursor);
#endif
        if
        :: again == VALID(cursor) ->
           HOLDS(right_message, copy == cursor + 1);
           cursor++
        :: else
        fi;
        atomic { copy = 0; again = 0 }
     fi
  od
}
