// Instantiates senders and receivers of the small messages.
#include "performance_test/msg/nav_sat_fix.hpp"
#include "performance_test/msg/radar_detection.hpp"
#include "performance_test/msg/radar_track.hpp"
#include "performance_test/msg/range.hpp"
#include "performance_test/msg/struct16.hpp"
#include "performance_test/msg/struct256.hpp"
#include "performance_test/msg/struct32k.hpp"
#include "performance_test/msg/struct4k.hpp"

#include "communication/typed_messages.hpp"
#include "options/message_names.hpp"

namespace performance_test {

std::vector<MessageKind> struct_messages() { return {PERFORMANCE_TEST_STRUCTS(PERFORMANCE_TEST_KIND)}; }

}  // namespace performance_test
