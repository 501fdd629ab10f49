// Which topics are taken.
#include "tandem/bag/topic_filter.hpp"

#include "support.hpp"

namespace {

bag::Topic events(const std::string & service) {
  return topic(service + "/_service_event", "std_srvs/srv/Empty_Event");
}

bool accepts(const bag::Selection & selection, const bag::Topic & asked) {
  return bag::TopicFilter(selection).accepts(asked);
}

TEST(TopicFilter, TakesAllButHiddenOnes) {
  bag::Selection all;
  all.all_topics = true;
  EXPECT_TRUE(accepts(all, topic("/a")));
  EXPECT_FALSE(accepts(all, topic("/_a")));
  EXPECT_FALSE(accepts(all, topic("/n/_a")));
  EXPECT_FALSE(accepts(all, events("/s")));
  all.include_hidden_topics = true;
  EXPECT_TRUE(accepts(all, topic("/_a")));
  EXPECT_FALSE(accepts(all, events("/s")));
  all.all_services = true;
  EXPECT_TRUE(accepts(all, events("/s")));
}

TEST(TopicFilter, TakesNamedOnes) {
  bag::Selection named;
  named.topics = {"/a", "/_hidden"};
  named.services = {"/s"};
  EXPECT_TRUE(accepts(named, topic("/a")));
  EXPECT_TRUE(accepts(named, topic("/_hidden")));
  EXPECT_FALSE(accepts(named, topic("/b")));
  EXPECT_TRUE(accepts(named, events("/s")));
  EXPECT_FALSE(accepts(named, events("/t")));
  named.topics = {"/t/_service_event"};
  EXPECT_TRUE(accepts(named, events("/t")));
}

TEST(TopicFilter, TakesTypesAndWhatARegularExpressionFinds) {
  bag::Selection selection;
  selection.topic_types = {"std_msgs/msg/String"};
  selection.regex = "cam.*left";
  EXPECT_TRUE(accepts(selection, topic("/anything")));
  EXPECT_TRUE(accepts(selection, topic("/cam/0/left", "sensor_msgs/msg/Image")));
  EXPECT_FALSE(accepts(selection, topic("/cam/0/right", "sensor_msgs/msg/Image")));
  EXPECT_TRUE(accepts(selection, events("/cam/left")));
}

TEST(TopicFilter, LeavesOutWhatIsExcluded) {
  bag::Selection selection;
  selection.all_topics = selection.all_services = true;
  selection.exclude_topics = {"/a"};
  selection.exclude_topic_types = {"sensor_msgs/msg/Image"};
  selection.exclude_services = {"/s"};
  selection.exclude_regex = "debug";
  EXPECT_FALSE(accepts(selection, topic("/a")));
  EXPECT_FALSE(accepts(selection, topic("/b", "sensor_msgs/msg/Image")));
  EXPECT_FALSE(accepts(selection, topic("/debug/x")));
  EXPECT_FALSE(accepts(selection, events("/s")));
  EXPECT_FALSE(accepts(selection, events("/debug")));
  EXPECT_TRUE(accepts(selection, topic("/b")));
  EXPECT_TRUE(accepts(selection, events("/t")));
}

TEST(TopicFilter, RefusesWhatIsNoRegularExpression) {
  bag::Selection selection;
  selection.regex = "(";
  EXPECT_THROW(bag::TopicFilter{selection}, bag::Error);
}

}  // namespace
