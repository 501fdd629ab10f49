/* Joining and leaving, seen through a directory that changes (region.cpp, directory.cpp, peer.cpp, neighbour.cpp,
 * endpoints_lanes.cpp).
 *
 * A reader's process is born, makes a lane, waits for its acknowledgement, takes a message, closes its subscription while it
 * holds the message, lets go, and removes the lane. Meanwhile the folder is deleted and made anew, so that both processes
 * give their directories another tag, the reader's at any moment, entry by entry under a sequence lock. The publisher's
 * process does its housekeeping whenever it is rung (another process rings once more) and uses its one block again and again.
 *
 * Properties
 *   no_reuse_while_held    nobody writes to a block that a reader has taken and not released
 *   alive_never_removed    a process that lives is never taken for dead
 *   joins_in_the_end       every lane is acknowledged, though nobody looks without being rung
 *   leaves_in_the_end      and its acknowledgement withdrawn when it is gone
 *   no_deadlock            (invalid end states)
 * Mutants
 *   NO_ACKNOWLEDGEMENT   the lane is taken from as soon as it is in the directory
 *   LOCK_LATE            a region has its name before its lock
 *   FORGET_REMNANT       a closed lane is forgotten although it holds a block
 *   DROP_UNREADABLE      an entry that is being written counts as gone
 *   DROP_RETAGGED        an entry whose tag has become another counts as gone
 *   OLD_SCAN             a directory is not read again when our own tag has become another
 *   VERSION_LATE         the directory's version is remembered as read after the scan
 *   NO_RING              who changes its directory does not ring
 */
#ifndef ROUNDS
#define ROUNDS 1
#endif

#include "../system/store_buffer.pml"

PROPERTY(no_reuse_while_held);
PROPERTY(alive_never_removed);
PROPERTY(joins_in_the_end);
PROPERTY(leaves_in_the_end);

/* Files and locks. */
bit named, locked, removed;
/* The reader's region: one directory entry, one lane. */
byte directory_version;
byte version;       /* of the entry: odd while it changes */
bit present, tag;
bit closed, held;
byte bell;          /* the publisher's housekeeping */
/* The publisher's region. */
byte seq;           /* even: valid */
bit acknowledged;
/* What is checked. */
bit reading, done;

#define VERSION 0
#define PRESENT 1
#define TAG 2
#define DIRECTORY_VERSION 3
#define CLOSED 4
#define HELD 5
#define SEQ 6
#define ACK 7

inline visible(what, index, value) {
  if
  :: what == VERSION -> version = value
  :: what == PRESENT -> present = value
  :: what == TAG -> tag = value
  :: what == DIRECTORY_VERSION -> directory_version = value
  :: what == CLOSED -> closed = value
  :: what == HELD -> held = value
  :: what == SEQ -> seq = value
  :: what == ACK -> acknowledged = value
  fi
}

BUFFER(user_buffer, 3);
BUFFER(housekeeping_buffer, 3);
BUFFER(publisher_buffer, 2);

active proctype drain() {
end:
  do
  :: DRAIN(user_buffer)
  :: DRAIN(housekeeping_buffer)
  :: DRAIN(publisher_buffer)
  od
}

/* ---- the reader's process ---- */

bit mutex;
byte own_version, own_directory_version;
bit own_tag;

/* Directory::write, under the mutex; then announce() */
inline change(buffer, what, value) {
  STORE(buffer, VERSION, 0, own_version + 1);
  STORE(buffer, what, 0, value);
  STORE(buffer, VERSION, 0, own_version + 2);
  atomic { own_version = own_version + 2; own_directory_version++ }
  STORE(buffer, DIRECTORY_VERSION, 0, own_directory_version);
  FENCE(buffer)
}
inline announce() {
#ifndef NO_RING
  bell++
#else
  skip
#endif
}

active proctype user() {
  byte before;

#ifdef LOCK_LATE
  named = 1;
  locked = 1;
#else
  locked = 1;
  named = 1;
#endif
  atomic { !mutex -> mutex = 1 };
  STORE(user_buffer, TAG, 0, own_tag);  /* at first nobody reads it: the entry is not present */
  change(user_buffer, PRESENT, 1);
  mutex = 0;
  announce();
#ifndef NO_ACKNOWLEDGEMENT
  acknowledged;
#endif
  before = seq;  /* T1 */
  if
  :: before % 2 == 0 ->
     EXCHANGE(user_buffer, held = 1);  /* T2 */
     if
     :: seq == before -> reading = 1  /* T3 */
     :: else
     fi
  :: else
  fi;
  STORE(user_buffer, CLOSED, 0, 1);
  bell++;  /* the subscription's own entry has changed */
  reading = 0;
  STORE(user_buffer, HELD, 0, 0);
  FENCE(user_buffer);
  /* free_remnants */
  atomic { !mutex -> mutex = 1 };
  change(user_buffer, PRESENT, 0);
  mutex = 0;
  announce();
  done = 1
}

/* Presence::restore */
active proctype reader_housekeeping() {
  atomic { !mutex -> mutex = 1 };
  own_tag = 1;
  if
  :: present -> change(housekeeping_buffer, TAG, 1); announce()
  :: else
  fi;
  mutex = 0
}

active proctype other_process() { bell++ }

/* ---- the publisher's process ---- */

active proctype publisher() {
  byte rung, known_version, before, round;
  bit own, scanned, lane, is_reader, there, its_tag;

end:
  do
  :: bell != rung ->
     rung = bell;
     /* Neighbours::look */
     if
     :: named ->
        if
        :: !locked -> removed = 1; HOLDS(alive_never_removed, false)
        :: else
        fi
     :: else
     fi;
     /* Neighbour::refresh */
     before = directory_version;
     if
     :: (before != known_version
#ifndef OLD_SCAN
         || own != scanned
#endif
        ) && named ->
        scanned = own;
#ifndef VERSION_LATE
        known_version = before;
#endif
        before = version;
        there = present;
        its_tag = tag;
        if
        :: before % 2 != 0 || version != before ->
#ifdef DROP_UNREADABLE
           lane = 0
#else
           skip
#endif
        :: else ->
#ifdef DROP_RETAGGED
           lane = there && its_tag == own
#else
           lane = there && (its_tag == own || lane)
#endif
        fi;
        atomic { there = 0; its_tag = 0 }
#ifdef VERSION_LATE
        known_version = directory_version
#endif
     :: else
     fi;
     before = 0;
     /* remove_readers, acknowledge */
     if
     :: is_reader ->
        if
        :: !lane -> is_reader = 0
#ifdef FORGET_REMNANT
        :: closed -> is_reader = 0
#else
        :: lane && closed ->
           if
           :: !held -> is_reader = 0
           :: else
           fi
#endif
        :: lane && !closed
        fi
     :: !is_reader && lane && !closed -> is_reader = 1; STORE(publisher_buffer, ACK, 0, 1)
     :: else
     fi
  :: round < ROUNDS ->
     round++;
     STORE(publisher_buffer, SEQ, 0, 2 * round - 1);  /* gone */
     FENCE(publisher_buffer);  /* R2 */
     if
     :: is_reader && held  /* R3 */
     :: else ->
        HOLDS(no_reuse_while_held, !reading);
        STORE(publisher_buffer, SEQ, 0, 2 * round)
     fi
  :: !own -> own = 1; bell++  /* restore, and then it looks */
  :: timeout -> HOLDS(joins_in_the_end, done); HOLDS(leaves_in_the_end, !is_reader); break
  od
}
