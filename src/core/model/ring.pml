/* One message block that is used again, and one reader that takes it: can it be held while it is written?
 *
 * The publisher publishes message after message through a ring of RING slots with BLOCKS blocks; a block is used again once
 * its slot is gone and its bit in the reader's bitmap is clear. Spin is sequentially consistent, so each side's stores go
 * through a store buffer (first in, first out) of its own, which a fence or an exchange empties first (x86), and the
 * reader's second look may, in a mutant, be done before its exchange has become visible (an acquire load on ARM).
 *
 * Names as in the sources: P1, T1, T2, T3, R2, R3 (src/lane.hpp, src/publisher_body.hpp).
 * Mutants: -DNO_FENCE (R2 missing), -DFILL_FIRST (fields before "gone"), -DEARLY_LOOK (T3 before T2),
 *          -DNO_LOOK (no second look at all).
 */
#define RING 2
#define BLOCKS 3
#define MESSAGES 5
#define VALID(n) (2 * (n) + 2)
#define GONE(n) (2 * (n) + 3)

/* Memory as others see it. */
byte seq[RING];
byte block[RING];
byte content[BLOCKS];   /* number of the message + 1; written only by the publisher */
bit held[BLOCKS];       /* written only by the reader */

/* Store buffers: what is stored (0 seq, 1 block, 2 content, 3 held), where, value. */
chan publisher_buffer = [4] of { byte, byte, byte };
chan reader_buffer = [2] of { byte, byte, byte };

byte reading;           /* block that the reader is reading, + 1 */
byte expected;          /* message that it believes to read */

inline apply(kind, index, value) {
  if
  :: kind == 0 -> seq[index] = value
  :: kind == 1 -> block[index] = value
  :: kind == 2 ->
       assert(reading != index + 1);  /* nobody writes what is being read */
       content[index] = value
  :: kind == 3 -> held[index] = value
  fi
}

/* The buffers empty themselves at any moment, in order. */
active proctype drain_publisher() {
  byte kind, index, value;
end:
  do
  :: atomic { publisher_buffer ? kind, index, value -> apply(kind, index, value) }
  od
}
active proctype drain_reader() {
  byte kind, index, value;
end:
  do
  :: atomic { reader_buffer ? kind, index, value -> apply(kind, index, value) }
  od
}

active proctype publisher() {
  byte n = 0;
  byte tail = 0;
  byte b, i;
  byte in_slot[RING];
  bool in_use[BLOCKS];   /* in a slot, or its slot is gone and the bitmap has not been looked at since */
  bool pending[BLOCKS];
  bool late = false;     /* FILL_FIRST: "gone" is still owed to the oldest slot */

  do
  :: n < MESSAGES ->
    /* Room in the ring: the oldest message goes. */
    if
    :: n - tail == RING ->
#ifdef FILL_FIRST
       late = true;
#else
       publisher_buffer ! 0, tail % RING, GONE(tail);
       pending[in_slot[tail % RING]] = true;
#endif
       tail++
    :: else -> skip
    fi;
    /* Reclaim when nothing is free. */
    b = 0;
    do
    :: b < BLOCKS && in_use[b] -> b++
    :: else -> break
    od;
    if
    :: b == BLOCKS ->
       do  /* everything that the reader is not owed goes: it may be lapped */
       :: tail < n ->
          publisher_buffer ! 0, tail % RING, GONE(tail);
          pending[in_slot[tail % RING]] = true;
          tail++
       :: else -> break
       od;
#ifndef NO_FENCE
       empty(publisher_buffer);  /* R2 */
#endif
       i = 0;
       do
       :: i < BLOCKS ->
          if
          :: pending[i] && !held[i] -> pending[i] = false; in_use[i] = false; b = i  /* R3 */
          :: else -> skip
          fi;
          i++
       :: else -> break
       od
    :: else -> skip
    fi;
    if
    :: b == BLOCKS -> skip  /* exhausted: fails at once; tried again */
    :: else ->
       in_use[b] = true;
       publisher_buffer ! 2, b, n + 1;
       publisher_buffer ! 1, n % RING, b;
#ifdef FILL_FIRST
       if
       :: late ->
          publisher_buffer ! 0, n % RING, GONE(n - RING);
          pending[in_slot[n % RING]] = true;
          late = false
       :: else -> skip
       fi;
#endif
       in_slot[n % RING] = b;
       publisher_buffer ! 0, n % RING, VALID(n);  /* P1 */
       n++
    fi
  :: else -> break
  od
}

active proctype reader() {
  byte cursor = 0;
  byte s, b, again;

  do
  :: cursor >= MESSAGES -> break
  :: else ->
    s = seq[cursor % RING];  /* T1 */
    if
    :: s < VALID(cursor) -> skip  /* not yet */
    :: s > VALID(cursor) -> cursor++
    :: s == VALID(cursor) ->
       b = block[cursor % RING];
#ifdef EARLY_LOOK
       reader_buffer ! 3, b, 1;
       again = seq[cursor % RING];
       empty(reader_buffer);
#else
       reader_buffer ! 3, b, 1;
       empty(reader_buffer);  /* T2: an exchange is visible before anything that follows */
       again = seq[cursor % RING];  /* T3 */
#endif
#ifdef NO_LOOK
       again = s;
#endif
       if
       :: again == s ->
          atomic { reading = b + 1; expected = cursor }
          assert(content[b] == expected + 1);
          assert(content[b] == expected + 1);
          atomic { reading = 0 }
          cursor++
       :: else -> skip
       fi;
       reader_buffer ! 3, b, 0  /* release */
    fi
  od
}
