// Large messages between processes, with the settings that are shipped.
#include "std_msgs/msg/u_int8_multi_array.hpp"
#include "support.hpp"
#include "tandem/message_type.hpp"

namespace cyclonedds_test {
namespace {

using Bytes = std_msgs::msg::UInt8MultiArray;

TEST(Large, FourMegabytesArriveWithoutLoss) {
  constexpr int kCount = 20;
  const auto context = transport_under_test().create_context(kDomain);
  const auto set = context->create_wait_set();
  auto sub = context->create_subscription(tandem::message_type<Bytes>(), on("/large", keep_last(10)));
  set->attach(sub);
  Peer peer({"publish_large", "/large", std::to_string(kCount)});
  int next = 0;
  ASSERT_TRUE(eventually([&] {
    set->wait(std::chrono::milliseconds(100));
    while (const transport::Sample sample = sub->take()) {
      const Bytes & message = *static_cast<const Bytes *>(sample.message);
      EXPECT_EQ(message.data.front(), next);
      EXPECT_EQ(message.data.back(), next);
      EXPECT_EQ(sample.info.sequence, static_cast<std::uint64_t>(next));
      ++next;
    }
    return next == kCount;
  })) << next;
  EXPECT_EQ(sub->lost(), 0u);
  sub.reset();
  EXPECT_EQ(peer.wait(), 0);
}

}  // namespace
}  // namespace cyclonedds_test
