// Instantiates senders and receivers of the arrays.
#include "performance_test/msg/array16k.hpp"
#include "performance_test/msg/array1k.hpp"
#include "performance_test/msg/array1m.hpp"
#include "performance_test/msg/array256k.hpp"
#include "performance_test/msg/array2m.hpp"
#include "performance_test/msg/array32k.hpp"
#include "performance_test/msg/array4k.hpp"
#include "performance_test/msg/array4m.hpp"
#include "performance_test/msg/array60k.hpp"
#include "performance_test/msg/array64k.hpp"
#include "performance_test/msg/array8m.hpp"

#include "communication/typed_messages.hpp"
#include "options/message_names.hpp"

namespace performance_test {

std::vector<MessageKind> array_messages() { return {PERFORMANCE_TEST_ARRAYS(PERFORMANCE_TEST_KIND)}; }

}  // namespace performance_test
