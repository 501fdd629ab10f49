/* Sleep and wake: a reader that goes to sleep while a publisher publishes must be woken, with no help from time limits.
 *
 * The reader sets its sleeping flag, fences, looks at the slots, and sleeps on the bell as it was read before. The publisher
 * stores the slot, fences, looks at the flag, and rings. Stores go through store buffers that only a fence empties.
 *
 * Names as in the sources: W0, W1 (src/reader_set.cpp), W2, W3 (src/wait_set_body.cpp).
 * Mutants: -DFLAG_LATE (the flag is set after the last look), -DNO_PUBLISHER_FENCE (W0), -DNO_READER_FENCE (W3),
 *          -DBELL_LATE (the bell is read after the last look), -DNO_RING_ON_JOIN (a joining publisher does not ring).
 */
#define MESSAGES 2

byte available;     /* messages that are visible in matched rings */
byte joined;        /* whether the reader knows the second publisher */
byte bell;
bit sleeping;

chan publisher_buffer = [2] of { byte };
chan reader_buffer = [1] of { bit };

active proctype drain_publisher() {
  byte value;
end:
  do
  :: atomic { publisher_buffer ? value -> available = available + 1 }
  od
}
active proctype drain_reader() {
  bit value;
end:
  do
  :: atomic { reader_buffer ? value -> sleeping = value }
  od
}

inline publish() {
  publisher_buffer ! 1;
#ifndef NO_PUBLISHER_FENCE
  empty(publisher_buffer);  /* W0 */
#endif
  if
  :: sleeping -> bell++  /* W1; FUTEX_WAKE: whoever sleeps on the old value is up */
  :: else -> skip
  fi
}

active proctype publisher() {
  byte n = 0;
  do
  :: n < MESSAGES -> publish(); n++
  :: else -> break
  od
}

/* Housekeeping finds a publisher that has history: data that was there before the reader knew of it. */
active proctype housekeeping() {
  joined = 1;
#ifndef NO_RING_ON_JOIN
  bell++
#endif
}

active proctype reader() {
  byte rung;
  byte taken = 0;
  bit history = 0;

  do
  :: taken == MESSAGES && history -> break
  :: else ->
    if
    :: available > taken -> taken++
    :: joined && !history -> history = 1
    :: else ->
#ifndef BELL_LATE
       rung = bell;
#endif
#ifndef FLAG_LATE
       reader_buffer ! 1;  /* W2 */
#ifndef NO_READER_FENCE
       empty(reader_buffer);  /* W3 */
#endif
#endif
       if
       :: available > taken || (joined && !history) -> skip
       :: else ->
#ifdef FLAG_LATE
          reader_buffer ! 1;
          empty(reader_buffer);
#endif
#ifdef BELL_LATE
          rung = bell;
#endif
          bell != rung  /* FUTEX_WAIT: blocked until the bell has changed; a deadlock here is a lost wake-up */
       fi;
       reader_buffer ! 0
    fi
  od
}
