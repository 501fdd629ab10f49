/* A reader is killed, even while it holds a message, and started anew (ReaderSet::add, remove_dead; Lane::look_for_ack;
 * PublisherMemory::allocate).
 *
 * Both incarnations make a lane of the same number, and the publisher has one line for acknowledgements, so the second is
 * written where the first one stood, while the second reader looks. The publisher has one block; when it is not free it asks
 * once whose locks are gone. Reader i is owed messages from number i on.
 *
 * Properties
 *   first_is_ones_own     a reader begins where the publisher has told it to, not another
 *   no_reuse_while_held   nobody writes to a block that a living reader has taken and not released
 *   blocks_come_back      what the dead have held is used again
 *   no_deadlock           (invalid end states) the second reader is acknowledged
 * Mutants
 *   INCARNATION_FIRST   the line names its incarnation before it says where to begin
 *   NO_INCARNATION      a lane is known by its number alone
 *   NO_PROBE            the publisher never asks who lives
 *   KNOWN_BY_NAME      the dead are taken for alive when their successor lives
 *   FORGET_AT_ONCE      a reader is forgotten before its lock is gone
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif

#include "../system/store_buffer.pml"

PROPERTY(first_is_ones_own);
PROPERTY(no_reuse_while_held);
PROPERTY(blocks_come_back);

/* The publisher's region. The lane's number is 1. */
bit ack_lane;
byte ack_incarnation, ack_first;
byte seq;              /* even: valid */
/* The readers' regions and locks. */
bit made[4], held[4], alive[4];
/* What is checked. */
bit reading[3], rounds_done, killed;

#define LANE 0
#define INCARNATION 1
#define FIRST 2
#define SEQ 3
#define HELD 4

inline visible(what, index, value) {
  if
  :: what == LANE -> ack_lane = value
  :: what == INCARNATION -> ack_incarnation = value
  :: what == FIRST -> ack_first = value
  :: what == SEQ -> seq = value
  :: what == HELD -> held[index] = value
  fi
}

BUFFER(publisher_buffer, 4);
BUFFER(reader_buffer_1, 2);
BUFFER(reader_buffer_2, 2);

active proctype drain() {
end:
  do
  :: DRAIN(publisher_buffer)
  :: DRAIN(reader_buffer_1)
  :: DRAIN(reader_buffer_2)
  od
}

proctype reader(byte me; chan buffer) {
  byte incarnation, first, before;

  {
    atomic { alive[me] = 1; made[me] = 1 };
    do
    :: ack_lane == 1 ->  /* A1 */
       incarnation = ack_incarnation;
       first = ack_first;
       if
#ifdef NO_INCARNATION
       :: ack_lane == 1 -> break
#else
       :: incarnation == me && ack_lane == 1 -> break
#endif
       :: else -> ack_incarnation == me && ack_lane == 1  /* looks again when something has changed */
       fi
    od;
    HOLDS(first_is_ones_own, first == me);
    before = seq;
    if
    :: before % 2 == 0 ->
       EXCHANGE(buffer, held[me] = 1);
       if
       :: seq == before -> reading[me] = 1
       :: else
       fi;
       reading[me] = 0;
       STORE(buffer, HELD, me, 0)
    :: else
    fi
  } unless { killed && me == 1 };
  if
  :: me == 1 ->
     FENCE(buffer);
     atomic { alive[1] = 0; reading[1] = 0 };
     run reader(2, reader_buffer_2)
  :: else
  fi
}

active proctype killer() { killed = 1 }

bit locked;
byte known;  /* the incarnation that the publisher has a reader of */

#ifdef KNOWN_BY_NAME
#define LIVES (alive[1] || alive[2])
#else
#define LIVES alive[known]
#endif

inline remove_dead() {
  if
#ifdef FORGET_AT_ONCE
  :: known == 1 -> known = 0; STORE(publisher_buffer, LANE, 0, 0)
#else
  :: known == 1 && !LIVES ->
     known = 0;
     STORE(publisher_buffer, LANE, 0, 0)
#endif
  :: else
  fi
}

active proctype housekeeping() {
  byte i = 1;
  do
  :: i > 2 -> break
  :: i == 1 && !made[1] && made[2] -> i = 2  /* the first died before it was seen */
  :: made[i] && known == 0 ->
     atomic { !locked -> locked = 1 };
#ifdef INCARNATION_FIRST
     STORE(publisher_buffer, INCARNATION, 0, i);
     STORE(publisher_buffer, FIRST, 0, i);
#else
     STORE(publisher_buffer, FIRST, 0, i);
     STORE(publisher_buffer, INCARNATION, 0, i);
#endif
     STORE(publisher_buffer, LANE, 0, 1);  /* A0 */
     known = i;
     locked = 0;
     i++
#ifndef NO_PROBE
  :: known == 1 && !LIVES -> atomic { !locked -> locked = 1 }; remove_dead(); locked = 0
#endif
  od
}

active proctype publisher() {
  byte round;

  do
  :: round == ROUNDS -> break
  :: else ->
     atomic { !locked -> locked = 1 };
     round++;
     STORE(publisher_buffer, SEQ, 0, 2 * round - 1);  /* gone */
     FENCE(publisher_buffer);  /* R2 */
     if
     :: known != 0 && held[known] ->
#ifndef NO_PROBE
        remove_dead();
#endif
        locked = 0;
        known == 0 || !held[known];  /* fails, and is tried again later */
        round--
     :: else ->
        HOLDS(no_reuse_while_held, !reading[1] && !reading[2]);
        STORE(publisher_buffer, SEQ, 0, 2 * round);
        locked = 0
     fi
  od;
  rounds_done = 1
}

init { run reader(1, reader_buffer_1) }

active proctype verifier() {
end:
  timeout;
  HOLDS(blocks_come_back, rounds_done)
}
