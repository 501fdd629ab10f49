/* Joining and leaving: a lane may take only once the publisher has acknowledged it, and a publisher that has acknowledged a
 * lane asks its bitmap until the lane is closed and empty. Two publishers' views of time are not needed: one publisher, one
 * reader that joins, takes, closes while it still holds a message, and lets go of it later.
 *
 * Mutants: -DNO_ACKNOWLEDGEMENT (takes as soon as its lane is visible), -DFORGET_REMNANT (the closed lane is forgotten at
 *          once), -DLOCK_LATE (a region gets its name before its lock: it is judged dead and removed).
 */
bool named, locked, removed;
bool lane_visible, lane_closed, acknowledged;
bit held;
bit written;        /* the publisher writes the block again */
bit readable = 1;   /* the slot is valid */
bit reading;

active proctype reader() {
#ifdef LOCK_LATE
  named = true;
  locked = true;
#else
  locked = true;
  named = true;
#endif
  lane_visible = true;
#ifndef NO_ACKNOWLEDGEMENT
  acknowledged || removed;
#endif
  if
  :: !removed && readable ->
     held = 1;
     if
     :: readable -> reading = 1
     :: else -> held = 0
     fi
  :: else -> skip
  fi;
  lane_closed = true;  /* the subscription is destroyed; the message is kept */
  if
  :: reading -> assert(!written); reading = 0; held = 0
  :: else -> skip
  fi;
  assert(!removed)  /* it was alive all the time */
}

active proctype publisher() {
  bool known;
  /* housekeeping: removes what has no lock, then acknowledges what it sees */
  if
  :: named && !locked -> removed = true
  :: else -> skip
  fi;
  if
  :: lane_visible -> known = true; acknowledged = true
  :: else -> skip
  fi;
  if
  :: known && lane_closed ->
#ifdef FORGET_REMNANT
     known = false
#else
     if
     :: !held -> known = false
     :: else -> skip
     fi
#endif
  :: else -> skip
  fi;
  /* borrow: mark gone, ask the lanes that it knows, use again */
  readable = 0;
  if
  :: !known || !held ->
     assert(!reading);
     written = 1
  :: else -> skip
  fi;
  /* a newcomer is acknowledged later: from then on it may take */
end:
  do
  :: lane_visible && !acknowledged -> acknowledged = true
  od
}
