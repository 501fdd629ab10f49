// Instantiates senders and receivers of the messages of variable size.
#include "performance_test/msg/bounded_sequence16k.hpp"
#include "performance_test/msg/bounded_sequence1k.hpp"
#include "performance_test/msg/bounded_sequence1m.hpp"
#include "performance_test/msg/bounded_sequence256k.hpp"
#include "performance_test/msg/bounded_sequence2m.hpp"
#include "performance_test/msg/bounded_sequence32k.hpp"
#include "performance_test/msg/bounded_sequence4k.hpp"
#include "performance_test/msg/bounded_sequence4m.hpp"
#include "performance_test/msg/bounded_sequence64k.hpp"
#include "performance_test/msg/bounded_sequence8m.hpp"
#include "performance_test/msg/unbounded_sequence.hpp"
#include "performance_test/msg/unbounded_string.hpp"

#include "communication/typed_messages.hpp"
#include "options/message_names.hpp"

namespace performance_test {

std::vector<MessageKind> sequence_messages() {
  return {PERFORMANCE_TEST_BOUNDED(PERFORMANCE_TEST_KIND) PERFORMANCE_TEST_UNBOUNDED(PERFORMANCE_TEST_KIND)};
}

}  // namespace performance_test
