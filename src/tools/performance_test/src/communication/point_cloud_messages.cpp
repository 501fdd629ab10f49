// Instantiates senders and receivers of the point clouds.
#include "performance_test/msg/point_cloud1m.hpp"
#include "performance_test/msg/point_cloud2m.hpp"
#include "performance_test/msg/point_cloud4m.hpp"
#include "performance_test/msg/point_cloud512k.hpp"
#include "performance_test/msg/point_cloud8m.hpp"

#include "communication/typed_messages.hpp"
#include "options/message_names.hpp"

namespace performance_test {

std::vector<MessageKind> point_cloud_messages() { return {PERFORMANCE_TEST_POINT_CLOUDS(PERFORMANCE_TEST_KIND)}; }

}  // namespace performance_test
