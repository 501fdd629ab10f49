// The keys, tokens and attachments of stock nodes, as ROS 2's design document and stock nodes write them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "attachment.hpp"
#include "entity.hpp"
#include "qos_text.hpp"

namespace rmw_zenoh {
namespace {

constexpr const char * kHash = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18";
constexpr const char * kTalker =
    "@ros2_lv/2/8b20917502ee955ac4476e0266340d5c/0/10/MP/%/%/talker/%chatter/std_msgs::msg::dds_::String_/"
    "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18/::,7:,:,:,,";
constexpr const char * kServer =
    "@ros2_lv/2/f9980ee0495eaafb3e38f0d19e2eae12/0/10/SS/%/%robot1/adder/%robot1%add_two_ints/"
    "example_interfaces::srv::dds_::AddTwoInts_/"
    "RIHS01_e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a/::,10:,:,:,,";

Entity topic(const std::string & name) {
  Entity entity;
  entity.kind = EntityKind::kPublisher;
  entity.name = name;
  entity.type = "std_msgs/msg/String";
  entity.type_hash = kHash;
  return entity;
}

TEST(Token, OfAStockPublisherIsReadAndWrittenAlike) {
  const auto entity = parse_token(kTalker);
  ASSERT_TRUE(entity);
  EXPECT_EQ(entity->kind, EntityKind::kPublisher);
  EXPECT_EQ(entity->session, "8b20917502ee955ac4476e0266340d5c");
  EXPECT_EQ(entity->node, (NodeName{"/", "talker"}));
  EXPECT_EQ(entity->name, "/chatter");
  EXPECT_EQ(entity->type, "std_msgs/msg/String");
  EXPECT_EQ(entity->type_hash, kHash);
  EXPECT_EQ(entity->qos.depth, 7u);
  EXPECT_EQ(entity->qos.reliability, Reliability::kReliable);
  EXPECT_EQ(entity->qos.durability, Durability::kVolatile);
  EXPECT_EQ(token_of(2, *entity), kTalker);
  EXPECT_EQ(key_of(2, *entity), std::string("2/chatter/std_msgs::msg::dds_::String_/") + kHash);
}

TEST(Token, OfAServerIsBothEndsOfItsChannels) {
  const auto entity = parse_token(kServer);
  ASSERT_TRUE(entity);
  EXPECT_EQ(token_of(2, *entity), kServer);
  EXPECT_EQ(entity->node, (NodeName{"/robot1", "adder"}));
  const auto ends = listed(*entity, gid_of(kServer));
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].topic, "rq/robot1/add_two_intsRequest");
  EXPECT_EQ(ends[0].kind, EndpointKind::kSubscription);
  EXPECT_EQ(ends[0].type_name, "example_interfaces/srv/AddTwoInts_Request");
  EXPECT_EQ(ends[1].topic, "rr/robot1/add_two_intsReply");
  EXPECT_EQ(ends[1].kind, EndpointKind::kPublisher);
  EXPECT_EQ(ends[1].type_name, "example_interfaces/srv/AddTwoInts_Response");
  EXPECT_NE(ends[0].gid, ends[1].gid);
}

TEST(Token, OfANode) {
  const auto entity = parse_token("@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/0/NN/%/%a%b/listener");
  ASSERT_TRUE(entity);
  EXPECT_EQ(entity->kind, EntityKind::kNode);
  EXPECT_EQ(entity->node, (NodeName{"/a/b", "listener"}));
}

TEST(Token, OfHumbleHasNoHash) {
  std::string token = kTalker;
  token.replace(token.find("RIHS01_"), std::string(kHash).size(), kNoHash);
  const auto entity = parse_token(token);
  ASSERT_TRUE(entity);
  EXPECT_EQ(entity->type_hash, "");
  EXPECT_EQ(token_of(2, *entity), token);
}

TEST(Token, MalformedOnesAreRefused) {
  const std::string good = kTalker;
  for (std::size_t length = 0; length < good.size(); ++length) {
    parse_token(good.substr(0, length));  // must not crash
  }
  for (const char * text :
       {"", "/", "@ros2_lv", "@ros2_lv/2/ab/0/0/XX/%/%/n", "@ros2_lv/2/ab/x/0/NN/%/%/n", "@ros2_lv/2/ab/0/0/MP/%/%/n",
        "@ros2_lv/2/ab/0/0/MP/%/%/n/chatter/t/h/::,7:,:,:,,", "@ros2_lv/2/ab/0/0/MP/%/%/n/%c/t/h/::7",
        "@ros2_lv/2/ab/0/0/MP/%/%/n/%c/t/h/a::,7:,:,:,,", "@ros2_lv/2/ab/0/0/MP/%/%/n/%c~zz/t/h/::,7:,:,:,,",
        "@ros2_lv/2/ab/0/0/MP/%/%/n/%c~4/t/h/::,7:,:,:,,"}) {
    EXPECT_FALSE(parse_token(text)) << text;
  }
}

TEST(Key, NamesMayHaveAnyCharacters) {
  std::vector<std::string> keys;
  for (const char * name : {"/plain", "plain", "/a/b", "/a//b", "/a/b/", "//a/b", "/", "/star*", "/**", "/$*", "/what?",
                            "/#", "/@admin", "/%2F", "/~2F", "/ü", "~00"}) {
    const Entity entity = topic(name);
    const auto read = parse_token(token_of(1, entity));
    ASSERT_TRUE(read) << name;
    EXPECT_EQ(read->name, name);
    const std::string key = key_of(1, entity);
    EXPECT_EQ(key.find_first_of("*$?#@%"), std::string::npos) << key;
    EXPECT_EQ(key.find("//"), std::string::npos) << key;
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 0) << key;
    keys.push_back(key);
  }
}

TEST(QosText, ComesBackAsItWent) {
  using namespace std::chrono_literals;
  Qos qos;
  qos.reliability = Reliability::kBestEffort;
  qos.durability = Durability::kTransientLocal;
  qos.history = History::kKeepAll;
  qos.depth = 3;
  qos.deadline = 1500ms;
  qos.lifespan = 2s;
  qos.liveliness = Liveliness::kManualByTopic;
  qos.lease = 7ns;
  EXPECT_EQ(to_text(qos), "2:1:2,3:1,500000000:2,0:3,0,7");
  const auto read = qos_of(to_text(qos));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(qos));
  EXPECT_EQ(read->deadline, qos.deadline);
  EXPECT_EQ(read->lease, qos.lease);
  const auto infinite = qos_of("1:2:1,10:9223372036,854775807:0,0:1,9223372036,854775807");
  ASSERT_TRUE(infinite);
  EXPECT_EQ(infinite->deadline, kInfinite);
  EXPECT_EQ(infinite->lifespan, kInfinite);
}

ZnMessage with_attachment(const std::string & bytes) {
  return {nullptr, 0, reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size(), nullptr};
}

TEST(AttachmentBytes, OfBothAgesAreRead) {
  Attachment sent{5, 1'700'000'000'000'000'000, {}};
  for (std::size_t i = 0; i < sent.gid.size(); ++i) {
    sent.gid[i] = static_cast<std::uint8_t>(i + 1);
  }
  const auto bytes = sent.bytes();
  const std::string plain(bytes.begin(), bytes.end());
  EXPECT_EQ(plain[0], 5);
  EXPECT_EQ(plain[16], 16);
  const std::string named = "\x0fsequence_number" + plain.substr(0, 8) + "\x10source_timestamp" + plain.substr(8, 8) +
                            "\x0asource_gid" + plain.substr(16);
  ASSERT_EQ(named.size(), 77u);
  for (const std::string & text : {plain, named}) {
    const auto read = Attachment::of(with_attachment(text));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->sequence, sent.sequence);
    EXPECT_EQ(read->stamp, sent.stamp);
    EXPECT_EQ(read->gid, sent.gid);
    for (std::size_t length = 0; length < text.size(); ++length) {
      EXPECT_FALSE(Attachment::of(with_attachment(text.substr(0, length)))) << length;
    }
    EXPECT_FALSE(Attachment::of(with_attachment(text + "x")));
  }
}

}  // namespace
}  // namespace rmw_zenoh
