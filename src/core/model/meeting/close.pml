/* A subscription is closed while its threads take, hold and release: when may its lane be freed? (subscription_impl.cpp,
 * Lane::release, Endpoints::free_remnants.)
 *
 * Two threads take a message each, unless the lane is closed by then, and release it without any lock. Housekeeping closes
 * the lane at any moment, keeps it as a remnant, and frees it once no bit is set. It looks when it is rung and once a second.
 *
 * Properties
 *   no_use_after_free   nobody touches a lane that is freed
 *   freed_in_the_end    no remnant stays for ever
 *   no_deadlock         (invalid end states)
 * Mutants
 *   FREE_AT_CLOSE        the lane is freed although something is held
 *   LOOK_AFTER_RELEASE   release looks whether the lane is closed after it has cleared the bit
 *   CLOSE_UNLOCKED       the lane is closed without the lock under which threads take
 *   NO_RING              who releases a message of a closed lane does not ring, and nobody looks once a second
 *   NO_TICK              nobody looks once a second: who saw the lane open before it cleared the bit does not ring
 */
#include "../system/store_buffer.pml"

PROPERTY(no_use_after_free);
PROPERTY(freed_in_the_end);

/* All in the reader's process. */
bit closed, freed, locked;
byte held, bell;

inline visible(what, index, value) {
  HOLDS(no_use_after_free, !freed);
  held = held - value
}

BUFFER(buffer_1, 2);
BUFFER(buffer_2, 2);

active proctype drain() {
end:
  do
  :: DRAIN(buffer_1)
  :: DRAIN(buffer_2)
  od
}

proctype user(byte bit_of_block; chan buffer) {
  bit was_closed, is_held;

  /* take */
  atomic { !locked -> locked = 1 };
  if
  :: closed
  :: else -> EXCHANGE(buffer, HOLDS(no_use_after_free, !freed); held = held + bit_of_block; is_held = 1)
  fi;
  locked = 0;
  /* release */
  if
  :: is_held ->
#ifndef LOOK_AFTER_RELEASE
     atomic { HOLDS(no_use_after_free, !freed); was_closed = closed };
     STORE(buffer, 0, 0, bit_of_block);
#else
     EXCHANGE(buffer, held = held - bit_of_block);
     atomic { HOLDS(no_use_after_free, !freed); was_closed = closed };
#endif
#ifndef NO_RING
     if
     :: was_closed -> FENCE(buffer); bell++
     :: else
     fi
#endif
  :: else
  fi
}

active proctype housekeeping() {
  byte rung;

#ifdef CLOSE_UNLOCKED
  closed = 1;
#else
  atomic { !locked -> locked = 1 };
  closed = 1;
  locked = 0;
#endif
  do
  :: rung = bell;
     if
#ifdef FREE_AT_CLOSE
     :: freed = 1; break
#else
     :: held == 0 -> freed = 1; break
#endif
     :: else
     fi;
     if
     :: bell != rung
#if !defined(NO_TICK) && !defined(NO_RING)
     :: held == 0  /* a second later */
#endif
     fi
  od
}

init {
  atomic { run user(1, buffer_1); run user(2, buffer_2) }
}

active proctype verifier() {
end:
  timeout;
  HOLDS(freed_in_the_end, freed)
}
