/* The biased lock (biased_lock.cpp): an owner without atomic operations, a thread that locks it unbiased, and a user who revokes it in the end.
 *
 * The owner's stores go through a store buffer that only the kernel's barrier empties for sure: membarrier(2) is a wait
 * until the buffer is empty. Claimants exclude each other by a PiLock, whose operations are atomic: their stores are
 * visible at once. The owner reads owner_ before anything else, so what it has read may be old.
 *
 * Properties
 *   one_at_a_time   no two are in their sections
 *   seen            who is in its section sees what all before it have done there
 *   no_deadlock     (invalid end states) everybody comes to the end
 * Mutants
 *   NO_MEMBARRIER   the claimant looks at inside_ without the barrier
 *   NO_WAIT         the claimant does not look at inside_
 *   NO_LOOK         the owner does not look at claimed_
 *   CLAIM_LATE      the claimant sets claimed_ after it has looked at inside_
 *   STAYS_INSIDE    the owner waits for a claimant without clearing inside_
 *   CLEARED         claimed_ is cleared although the lock is revoked
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef CLAIMS
#define CLAIMS 2
#endif

#include "store_buffer.pml"

PROPERTY(one_at_a_time);
PROPERTY(seen);

/* Memory as others see it. */
bit owned = 1;      /* owner_ is the owner */
bit inside;
byte done;          /* sections that have ended, stored by who was in one */

bit claimed;
bit revoked;
byte foreign_claims;
bit locked;         /* the PiLock */

byte sections;      /* the truth about `done`, and about who is in */
byte within;

#define INSIDE 0
#define DONE 1

inline visible(what, index, value) {
  if
  :: what == INSIDE -> inside = value
  :: what == DONE -> done = value
  fi
}

BUFFER(owner_buffer, 4);

active proctype drain() {
end:
  do
  :: DRAIN(owner_buffer)
  od
}

/* `own` is what the thread has stored itself and sees already, though it may still be in its buffer. */
inline enter(own) {
  within++;
  HOLDS(one_at_a_time, within == 1);
  HOLDS(seen, done == sections || own == sections)
}

/* A claimant has no buffer: its PiLock's operations and claimed_ are atomic. */
inline section() {
  enter(0);
  sections++;
  done = sections;
  within--
}

inline claim(is_owner, is_user) {
  atomic { !locked -> locked = 1 }
#ifndef CLAIM_LATE
  claimed = 1;  /* B3 */
#endif
  if
  :: owned && !is_owner && !revoked ->
#ifndef NO_MEMBARRIER
     FENCE(owner_buffer);
#endif
#ifndef NO_WAIT
     !inside  /* B4 */
#endif
  :: else
  fi;
#ifdef CLAIM_LATE
  claimed = 1;
#endif
  if
  :: is_user && owned && !is_owner && !revoked ->
     foreign_claims++;
     if
     :: foreign_claims == CLAIMS -> revoked = 1; owned = 0
     :: else
     fi
  :: else
  fi
}

inline end_claim() {
#ifdef CLEARED
  claimed = 0;
#else
  if
  :: !revoked -> claimed = 0  /* B6 */
  :: else
  fi;
#endif
  locked = 0
}

active proctype owner() {
  byte round, mine;
  bit was_owned, is_fast;

  do
  :: round < ROUNDS ->
     was_owned = owned;
     is_fast = 0;
     if
     :: was_owned ->
        STORE(owner_buffer, INSIDE, 0, 1);  /* B1 */
#ifdef NO_LOOK
        is_fast = 1
#else
        if
        :: !claimed -> is_fast = 1  /* B2 */
        :: else ->
#ifndef STAYS_INSIDE
           STORE(owner_buffer, INSIDE, 0, 0)
#endif
        fi
#endif
     :: else
     fi;
     if
     :: is_fast ->
        enter(mine);
        sections++;
        mine = sections;
        STORE(owner_buffer, DONE, 0, mine);
        within--;
        STORE(owner_buffer, INSIDE, 0, 0)  /* B5 */
     :: else ->
        FENCE(owner_buffer);  /* the PiLock's exchange */
        claim(1, 0);
        section();
        end_claim()
     fi;
     round++
  :: else -> break
  od
}

active proctype unbiased() {
  claim(0, 0);
  section();
  end_claim()
}

active proctype user() {
  byte round;

  do
  :: round < CLAIMS + 1 ->
     claim(0, 1);
     section();
     end_claim();
     round++
  :: else -> break
  od
}
