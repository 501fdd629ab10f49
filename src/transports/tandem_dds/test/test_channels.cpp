#include <gtest/gtest.h>

#include "tandem/dds/channels.hpp"

namespace tandem::dds {
namespace {

using transport::EndpointInfo;
using transport::History;

EndpointInfo endpoint(const char * topic, History history, std::uint32_t depth) {
  EndpointInfo info;
  info.topic = topic;
  info.qos.history = history;
  info.qos.depth = depth;
  return info;
}

TEST(WireQos, IsThatOfTheTopic) {
  const auto qos = wire_qos(endpoint("/a", History::kKeepAll, 3));
  EXPECT_EQ(qos.history, History::kKeepAll);
  EXPECT_EQ(qos.depth, 3u);
}

TEST(WireQos, HasRoomForAllClients) {
  for (const char * channel : {"rq/aRequest", "rr/aReply"}) {
    EXPECT_EQ(wire_qos(endpoint(channel, History::kKeepLast, 10)).depth, 1000u);
    EXPECT_EQ(wire_qos(endpoint(channel, History::kKeepLast, 5000)).depth, 5000u);
  }
}

TEST(WireQos, LetsNoReplyWait) {
  EXPECT_EQ(wire_qos(endpoint("rq/aRequest", History::kKeepAll, 10)).history, History::kKeepAll);
  EXPECT_EQ(wire_qos(endpoint("rr/aReply", History::kKeepAll, 10)).history, History::kKeepLast);
}

}  // namespace
}  // namespace tandem::dds
