// The parts of tandem-view that need neither a network nor a domain.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "connection/base64.hpp"
#include "connection/fields.hpp"
#include "connection/outbox.hpp"
#include "page/picture.hpp"
#include "page/points.hpp"
#include "sensor_msgs/msg/point_field.hpp"
#include "server/access.hpp"
#include "server/websocket_connection.hpp"
#include "world/timing.hpp"

namespace tandem::view {
namespace {

using sensor_msgs::msg::Image;
using sensor_msgs::msg::LaserScan;
using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

Frame frame(const std::string & text) { return {false, text, nullptr}; }

TEST(Outbox, HandsOutInTheOrderInWhichThingsCame) {
  Outbox outbox;
  outbox.push_message(frame("a"), 1);
  EXPECT_TRUE(outbox.push_control(frame("b")));
  outbox.push_message(frame("c"), 1);
  EXPECT_EQ(outbox.pop()->head, "a");
  EXPECT_EQ(outbox.pop()->head, "b");
  EXPECT_EQ(outbox.pop()->head, "c");
  EXPECT_FALSE(outbox.pop());
}

TEST(Outbox, DropsTheOldestMessagesAndCountsThem) {
  Outbox outbox({.message_bytes = 10, .message_count = 100, .control_bytes = 100});
  outbox.push_message(frame("11111"), 1);
  outbox.push_message(frame("22222"), 2);
  outbox.push_message(frame("33333"), 1);
  EXPECT_EQ(outbox.pop()->head, "22222");
  EXPECT_EQ(outbox.take_drops(), (std::map<std::uint32_t, std::uint64_t>{{1, 1}}));
  EXPECT_TRUE(outbox.take_drops().empty());
}

TEST(Outbox, KeepsTheNewestMessageHoweverLarge) {
  Outbox outbox({.message_bytes = 3, .message_count = 100, .control_bytes = 100});
  outbox.push_message(frame("large"), 1);
  EXPECT_EQ(outbox.pop()->head, "large");
}

TEST(Outbox, RefusesControlBeyondItsBoundAndNeverDropsIt) {
  Outbox outbox({.message_bytes = 3, .message_count = 1, .control_bytes = 8});
  EXPECT_TRUE(outbox.push_control(frame("12345")));
  EXPECT_FALSE(outbox.push_control(frame("6789")));
  outbox.push_message(frame("x"), 1);
  outbox.push_message(frame("y"), 1);
  EXPECT_EQ(outbox.pop()->head, "12345");
  EXPECT_EQ(outbox.control_bytes(), 0U);
}

TEST(Access, WantsTheTokenInThePathOrTheQuery) {
  const Access access{"secret", true, {}};
  EXPECT_EQ(access.path_of({"/secret/app.js", "", {}}), "/app.js");
  EXPECT_EQ(access.path_of({"/secret/", "", {}}), "/");
  EXPECT_EQ(access.path_of({"/secret", "", {}}), "");
  EXPECT_EQ(access.path_of({"/?a=b&token=secret", "", {}}), "/");
  for (const char * target :
       {"/", "", "/secre/", "/secretx/", "/Secret/", "/?token=secre", "/?token=", "*", "//secret/"}) {
    EXPECT_FALSE(access.path_of({target, "", {}})) << target;
  }
  EXPECT_EQ((Access{"", true, {}}).path_of({"/app.js", "", {}}), "/app.js");
}

TEST(Access, MakesTokensThatDiffer) {
  EXPECT_EQ(make_token().size(), 32U);
  EXPECT_NE(make_token(), make_token());
}

TEST(Access, RefusesNamesThatOthersMayPointAtThisMachine) {
  const Access local{"", true, {}};
  for (const char * host : {"127.0.0.1:8765", "localhost:8765", "localhost", "[::1]:8765", ""}) {
    EXPECT_TRUE(local.is_host_right({"/", host, {}})) << host;
  }
  EXPECT_FALSE(local.is_host_right({"/", "evil.example:8765", {}}));
  EXPECT_TRUE((Access{"", false, {}}).is_host_right({"/", "robot.local:8765", {}}));
}

TEST(Access, RefusesPagesOfOthers) {
  const Access access{"secret", true, {"https://app.foxglove.dev"}};
  const auto is_right = [&](std::optional<std::string> origin) {
    return access.is_origin_right({"/", "127.0.0.1:8765", std::move(origin)});
  };
  EXPECT_TRUE(is_right(std::nullopt));
  EXPECT_TRUE(is_right("http://127.0.0.1:8765"));
  EXPECT_TRUE(is_right("https://app.foxglove.dev"));
  EXPECT_TRUE(is_right("file://"));
  EXPECT_FALSE(is_right("http://127.0.0.1:8766"));
  EXPECT_FALSE(is_right("https://evil.example"));
  EXPECT_FALSE((Access{"", true, {}}).is_origin_right({"/", "127.0.0.1:8765", "null"}));
}

TEST(Subprotocol, IsTheBestThatTheClientOffers) {
  EXPECT_EQ(chosen_subprotocol("foxglove.websocket.v1"), "foxglove.websocket.v1");
  EXPECT_EQ(chosen_subprotocol("foxglove.websocket.v1, foxglove.sdk.v1"), "foxglove.sdk.v1");
  EXPECT_EQ(chosen_subprotocol("mqtt"), "");
  EXPECT_EQ(chosen_subprotocol(""), "");
}

TEST(Base64, GoesThereAndBack) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd", std::string("\0\xff\x10", 3).c_str()}) {
    const auto * data = reinterpret_cast<const std::uint8_t *>(text.data());
    EXPECT_EQ(from_base64(to_base64(data, text.size())), text);
  }
  EXPECT_EQ(to_base64(reinterpret_cast<const std::uint8_t *>("abcd"), 4), "YWJjZA==");
  EXPECT_EQ(from_base64("YWJj!garbage"), "abc");
}

TEST(Fields, NameWhatIsMissingOrOfTheWrongKind) {
  const auto object =
      tools::Json::parse(R"({"number": 7, "text": "x", "large": 5000000000, "negative": -1, "mixed": [1, "a"]})");
  EXPECT_EQ(number_field(object, "number"), 7U);
  EXPECT_THROW(number_field(object, "text"), BadRequest);
  EXPECT_THROW(number_field(object, "large"), BadRequest);
  EXPECT_THROW(number_field(object, "negative"), BadRequest);
  EXPECT_THROW(number_field(object, "nothing"), BadRequest);
  EXPECT_THROW(numbers_field(object, "mixed"), BadRequest);
  EXPECT_THROW(texts_field(object, "text"), BadRequest);
  EXPECT_THROW(text_field(tools::Json::array(), "text"), BadRequest);
}

TEST(Histogram, ForgetsWhatIsOlderThanAMinute) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  Histogram histogram;
  histogram.add(1000 * kSecond, 5'000'000);
  histogram.add(1030 * kSecond, 5'000'000);
  const std::size_t bucket = Histogram::bucket_of(5'000'000);
  EXPECT_EQ(histogram.counts(1059 * kSecond)[bucket], 2U);
  EXPECT_EQ(histogram.counts(1060 * kSecond)[bucket], 1U);
  EXPECT_EQ(histogram.counts(5000 * kSecond)[bucket], 0U);
  histogram.add(1000 * kSecond, 5'000'000);  // a clock that was set back counts as now
  EXPECT_EQ(histogram.counts(5000 * kSecond)[bucket], 1U);
}

TEST(Histogram, HasABucketForEveryDuration) {
  EXPECT_EQ(Histogram::bucket_of(-5), 0U);
  EXPECT_EQ(Histogram::bucket_of(0), 0U);
  EXPECT_LT(Histogram::bucket_of(1'000'000), Histogram::bucket_of(2'000'000));
  EXPECT_EQ(Histogram::bucket_of(std::numeric_limits<std::int64_t>::max()), Histogram::kBuckets - 1);
}

Image image(const char * encoding, std::uint32_t width, std::uint32_t height, std::uint32_t bytes) {
  Image made;
  made.encoding = encoding;
  made.width = width;
  made.height = height;
  made.step = width * bytes;
  made.data.resize(std::size_t{made.step} * height);
  return made;
}

TEST(Picture, TurnsColoursIntoTheirOrder) {
  Image bgr = image("bgr8", 1, 1, 3);
  bgr.data = {1, 2, 3};
  EXPECT_EQ(picture_of(bgr, 10, 10)->pixels, std::string("\x03\x02\x01\xff"));
  Image mono = image("mono8", 1, 1, 1);
  mono.data = {9};
  EXPECT_EQ(picture_of(mono, 10, 10)->pixels, std::string("\x09\x09\x09\xff"));
}

TEST(Picture, FitsInWhatIsAskedFor) {
  const auto picture = picture_of(image("rgb8", 1920, 1080, 3), 640, 480);
  EXPECT_EQ(picture->width, 640U);
  EXPECT_EQ(picture->height, 360U);
  EXPECT_EQ(picture->pixels.size(), std::size_t{640} * 360 * 4);
}

TEST(Picture, StretchesDepthAndLeavesHolesTransparent) {
  Image depth = image("32FC1", 3, 1, 4);
  const float values[] = {1, 3, NAN};
  std::memcpy(depth.data.data(), values, sizeof values);
  EXPECT_EQ(picture_of(depth, 10, 10)->pixels, std::string("\0\0\0\xff\xff\xff\xff\xff\0\0\0\0", 12));
}

TEST(Picture, RefusesSizesThatDoNotFitTogether) {
  Image short_of = image("rgb8", 4, 4, 3);
  short_of.data.resize(47);
  EXPECT_FALSE(picture_of(short_of, 10, 10));
  Image step = image("rgb8", 4, 4, 3);
  step.step = 11;
  EXPECT_FALSE(picture_of(step, 10, 10));
  Image huge = image("rgb8", 1, 1, 3);
  huge.width = huge.height = huge.step = 0xffffffff;
  EXPECT_FALSE(picture_of(huge, 10, 10));
  EXPECT_FALSE(picture_of(image("bayer_rggb8", 3, 3, 1), 10, 10));
  EXPECT_FALSE(picture_of(image("rgb8", 0, 0, 3), 10, 10));
  EXPECT_FALSE(picture_of(image("secret", 1, 1, 3), 10, 10));
}

PointCloud2 cloud(std::uint32_t count) {
  PointCloud2 made;
  made.width = count;
  made.height = 1;
  made.point_step = 12;
  made.row_step = 12 * count;
  made.data.resize(made.row_step);
  for (std::uint32_t i = 0; i < 3; ++i) {
    PointField field;
    field.name = std::string(1, static_cast<char>('x' + i));
    field.offset = 4 * i;
    field.datatype = PointField::FLOAT32;
    made.fields.push_back(field);
  }
  return made;
}

TEST(Points, AreThinnedToWhatIsAskedFor) {
  const auto points = points_of(cloud(1000), 100);
  EXPECT_EQ(points->count, 100U);
  EXPECT_EQ(points->total, 1000U);
  EXPECT_EQ(points->values.size(), 100U * 16);
}

TEST(Points, LeaveOutWhatIsNoNumber) {
  PointCloud2 made = cloud(2);
  const float nan = NAN;
  std::memcpy(made.data.data(), &nan, sizeof nan);
  EXPECT_EQ(points_of(made, 100)->count, 1U);
}

TEST(Points, RefuseSizesThatDoNotFitTogether) {
  PointCloud2 outside = cloud(10);
  outside.fields[2].offset = 9;  // beyond the end of its point
  EXPECT_FALSE(points_of(outside, 100));
  PointCloud2 short_of = cloud(10);
  short_of.data.resize(100);
  EXPECT_FALSE(points_of(short_of, 100));
  PointCloud2 huge = cloud(10);
  huge.width = huge.height = 0xffffffff;
  EXPECT_FALSE(points_of(huge, 100));
  PointCloud2 nothing = cloud(10);
  nothing.fields.clear();
  EXPECT_FALSE(points_of(nothing, 100));
}

TEST(Points, OfAScanLieAroundItsMiddle) {
  LaserScan scan;
  scan.angle_min = 0;
  scan.angle_increment = 1.5707963F;
  scan.range_max = 10;
  scan.ranges = {2, 3, INFINITY, 11};
  const Points points = points_of(scan, 100);
  EXPECT_EQ(points.count, 2U);
  float values[8];
  std::memcpy(values, points.values.data(), sizeof values);
  EXPECT_NEAR(values[0], 2, 1e-5);
  EXPECT_NEAR(values[5], 3, 1e-5);
}

}  // namespace
}  // namespace tandem::view
