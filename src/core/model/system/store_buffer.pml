/* Store buffers, and how properties are named. Shared by all models.
 *
 * Spin is sequentially consistent: a store is seen by everybody at once. Processors are not. So what others read is stored
 * through a buffer of the storing thread: its stores become visible one by one, at any later moment, in their order, and
 * the thread runs on meanwhile. That is x86. On ARM a relaxed store may become visible before stores that precede it:
 * a model that has such stores lets them overtake (see DRAIN in publisher.pml). Loads take what is visible, in program
 * order, which acquire and seq_cst loads keep to; the one pair where less was considered is a mutant (ACQUIRE_LOOK).
 *
 *   STORE      a plain, relaxed or release store
 *   FENCE      a seq_cst fence: the thread waits until all that it has stored is visible
 *   EXCHANGE   a seq_cst read-modify-write: the same, then the change is visible at once
 *
 * A model defines visible(what, index, value), which does the store, and one BUFFER for each storing thread.
 *
 * HOLDS(property, condition) asserts; the name of the property stands in what pan prints, and check.py wants each mutant
 * to violate the property that it is listed with. A property is a name that is always false.
 */
#define BUFFER(name, size) chan name = [size] of { byte, byte, byte }
#define STORE(buffer, what, index, value) buffer ! what, index, value
#define FENCE(buffer) empty(buffer)
#define EXCHANGE(buffer, change) atomic { empty(buffer) -> change }
#define HOLDS(property, condition) assert((condition) || property)
#define PROPERTY(name) bool name = false

hidden byte sb_what, sb_index, sb_value;

/* The oldest store becomes visible. */
#define DRAIN(buffer) atomic { buffer ? sb_what, sb_index, sb_value -> visible(sb_what, sb_index, sb_value) }
/* One store of a kind that may overtake. */
#define OVERTAKE(buffer, kind) atomic { buffer ?? kind, sb_index, sb_value -> visible(kind, sb_index, sb_value) }
