// Descriptions of endpoints and when they match.
#include <gtest/gtest.h>

#include "tandem/detail/make_message_type.hpp"
#include "tandem/kit/endpoint.hpp"

namespace tandem::transport {
namespace {

struct Small {
  std::uint64_t value = 0;
};

EndpointInfo endpoint(EndpointKind kind) {
  static const MessageType type = tandem::detail::make_message_type<Small>({"test/msg/Small", {0xab, 1}, nullptr, 0});
  TopicOptions options;
  options.node = {"/", "talker"};
  options.topic = "/a";
  return make_endpoint("rmw_test_cpp", kind, type, options);
}

TEST(Endpoint, TellsTypeAndHash) {
  const EndpointInfo info = endpoint(EndpointKind::kPublisher);
  EXPECT_EQ(info.type_name, "test/msg/Small");
  EXPECT_EQ(info.type_hash.size(), 7u + 64u);
  EXPECT_EQ(info.type_hash.substr(0, 13), "RIHS01_ab0100");
  EXPECT_EQ(info.node.name, "talker");
}

TEST(Endpoint, ErrorsNameTheTopic) {
  static const MessageType type = tandem::detail::make_message_type<Small>({"test/msg/Small", {}, nullptr, 0});
  for (const char * topic : {"", "/with\ttab", "/with\nnewline", "/fine"}) {
    TopicOptions options;
    options.topic = topic;
    options.qos.depth = 0;
    try {
      make_endpoint("rmw_test_cpp", EndpointKind::kPublisher, type, options);
      ADD_FAILURE() << topic;
    } catch (const Error & error) {
      EXPECT_NE(std::string(error.what()).find(topic), std::string::npos) << error.what();
    }
  }
}

TEST(Endpoint, OfAServiceTellsItsHash) {
  static const MessageType type = tandem::detail::make_message_type<Small>({"test/srv/Do_Request", {0xab}, nullptr, 0});
  static const ServiceType service{"test/srv/Do", {0xcd}, &type, &type};
  TopicOptions options;
  options.topic = request_channel("/do");
  options.service = &service;
  const EndpointInfo info = make_endpoint("rmw_test_cpp", EndpointKind::kPublisher, type, options);
  EXPECT_EQ(info.type_name, "test/srv/Do_Request");
  EXPECT_EQ(info.type_hash.substr(0, 11), "RIHS01_cd00");
}

TEST(Endpoint, MessagesOfServicesHaveNoFixedSize) {
  static const MessageType type = tandem::detail::make_message_type<Small>({"test/msg/Small", {}, nullptr, 0});
  EXPECT_EQ(&type_on(Channel::kTopic, type), &type);
  const MessageType & sent = type_on(Channel::kReply, type);
  EXPECT_FALSE(sent.is_fixed_size);
  EXPECT_EQ(sent.name, type.name);
  EXPECT_EQ(&type_on(Channel::kRequest, type), &sent);
  EXPECT_TRUE(type.is_fixed_size);
  EXPECT_EQ(&type_on(Channel::kRequest, sent), &sent);
}

TEST(Endpoint, NoReplyWaitsForItsClient) {
  EndpointInfo keeps_all = endpoint(EndpointKind::kPublisher);
  keeps_all.qos.history = History::kKeepAll;
  EXPECT_TRUE(must_wait(keeps_all, keeps_all));
  keeps_all.topic = request_channel("/do");
  EXPECT_TRUE(must_wait(keeps_all, keeps_all));
  keeps_all.topic = reply_channel("/do");
  EXPECT_FALSE(must_wait(keeps_all, keeps_all));
}

TEST(Endpoint, MismatchSaysWhy) {
  const EndpointInfo publisher = endpoint(EndpointKind::kPublisher);
  EndpointInfo subscription = endpoint(EndpointKind::kSubscription);
  EXPECT_EQ(mismatch(publisher, subscription), "");
  subscription.abi = 0;
  subscription.type_hash.clear();
  EXPECT_EQ(mismatch(publisher, subscription), "") << "what one side does not tell is not compared";
  subscription.type_hash = "RIHS01_00";
  EXPECT_NE(mismatch(publisher, subscription).find("RIHS01_00"), std::string::npos);
  subscription = publisher;
  subscription.abi ^= 1;
  EXPECT_NE(mismatch(publisher, subscription).find("ABI"), std::string::npos);
  subscription = publisher;
  subscription.qos.durability = Durability::kTransientLocal;
  EXPECT_NE(mismatch(publisher, subscription).find("DURABILITY"), std::string::npos);
  EXPECT_EQ(mismatch(subscription, publisher), "");
}

}  // namespace
}  // namespace tandem::transport
