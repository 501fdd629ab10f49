/* The writing side of a ring, as ring.pml, threads.pml and small.pml need it: publish and reclaim of
 * PublisherImpl, BlockPool.
 *
 * RING slots, BLOCKS blocks, MESSAGES messages for READERS lanes that may all be lapped (KEEP_LAST: nobody is owed
 * anything, so reclaim takes what it can get). Loads of the bitmaps take what is visible. The fields of a slot are relaxed
 * stores and a message's content is plain ones: both may overtake what stands before them (ARM); "gone", P1 and the
 * release of a bit are release stores and overtake nothing.
 *
 * Mutants that live here: NO_FENCE (R2), FILL_FIRST, RELAXED_PUBLISH (P1).
 */
#define VALID(n) (2 * (n) + 2)
#define GONE(n) (2 * (n) + 3)

/* Memory as others see it. */
byte seq[RING];
byte block[RING];
byte content[BLOCKS];    /* number of the message + 1 */
byte held[READERS];      /* a bit for each block, of each lane */
#ifdef IN_SLOT
byte small[RING];        /* the message once more, in the slot */
#endif

/* What is checked. */
byte reading[READERS * 2]; /* block that is being read, + 1; two for each lane */

#define SEQ 0
#define BLOCK 1
#define CONTENT 2
#define RELEASE 3        /* held[index] -= value */
#define RELAXED_SEQ 4
#define SMALL 5

inline visible(what, index, value) {
  if
  :: what == SEQ || what == RELAXED_SEQ -> seq[index] = value
  :: what == BLOCK -> block[index] = value
#ifdef IN_SLOT
  :: what == SMALL -> small[index] = value
#endif
  :: what == CONTENT ->
     HOLDS(no_reuse_while_held, reading[0] != index + 1 && reading[1] != index + 1
#if READERS > 1
       && reading[2] != index + 1 && reading[3] != index + 1
#endif
     );
     content[index] = value
  :: what == RELEASE -> held[index] = held[index] - value
  fi
}

BUFFER(publisher_buffer, 4);

active proctype drain_publisher() {
end:
  do
  :: DRAIN(publisher_buffer)
  :: OVERTAKE(publisher_buffer, BLOCK)
  :: OVERTAKE(publisher_buffer, CONTENT)
#ifdef IN_SLOT
  :: OVERTAKE(publisher_buffer, SMALL)
#endif
#ifdef RELAXED_PUBLISH
  :: OVERTAKE(publisher_buffer, RELAXED_SEQ)
#endif
  od
}

#define BIT(b) (1 << (b))

/* advance_tail(target), collect() */
inline reclaim(up_to) {
  target = up_to;
  do
  :: tail < target ->
     STORE(publisher_buffer, SEQ, tail % RING, GONE(tail));
     atomic { pending = pending | BIT(in_slot[tail % RING]); tail++ }
  :: else -> break
  od;
#ifndef NO_FENCE
  FENCE(publisher_buffer);  /* R2 */
#endif
  /* R3: one lane after the other */
  still = held[0];
#if READERS > 1
  still = still | held[1];
#endif
  d_step { in_use = in_use & ~(pending & ~still); pending = pending & still; still = 0; target = 0 }
}

inline fill_slot() {
  STORE(publisher_buffer, BLOCK, n % RING, b);
#ifdef IN_SLOT
  STORE(publisher_buffer, SMALL, n % RING, n + 1)
#endif
}

active proctype publisher() {
  byte n, tail, target, b, still;
  byte in_use, pending;    /* blocks: not free; retired and not yet collected */
  byte in_slot[RING];

  do
  :: n < MESSAGES ->
     /* borrow */
     do
     :: in_use == BIT(BLOCKS) - 1 -> reclaim(n)  /* no block is free: all that may be lost goes */
     :: else ->
        d_step {
          b = 0;
          do
          :: in_use & BIT(b) -> b++
          :: else -> break
          od;
          in_use = in_use | BIT(b)
        }
        break
     od;
     STORE(publisher_buffer, CONTENT, b, n + 1);
     /* publish */
#ifdef FILL_FIRST
     fill_slot();
#endif
     if
     :: n - tail == RING -> reclaim(tail + 1)
     :: else
     fi;
#ifndef FILL_FIRST
     fill_slot();
#endif
     in_slot[n % RING] = b;
#ifdef RELAXED_PUBLISH
     STORE(publisher_buffer, RELAXED_SEQ, n % RING, VALID(n));
#else
     STORE(publisher_buffer, SEQ, n % RING, VALID(n));  /* P1 */
#endif
     n++
  :: else -> break
  od
}
