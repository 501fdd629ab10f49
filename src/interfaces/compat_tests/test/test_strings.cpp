// Idioms of docs/reference/compat.md, by number: string fields, as robots' source uses them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_status.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "sensor_msgs/image_encodings.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "std_msgs/msg/header.hpp"
#include "std_msgs/msg/string.hpp"
#include "visualization_msgs/msg/marker.hpp"

namespace {

using diagnostic_msgs::msg::DiagnosticStatus;
using geometry_msgs::msg::PoseStamped;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::JointState;
using sensor_msgs::msg::PointCloud2;
using std_msgs::msg::Header;

std::string with_default(const std::string & text, const std::string & otherwise) {
  return text.empty() ? otherwise : text;
}
std::string type_to_encoding(int type) { return type == 16 ? "bgr8" : "mono8"; }

std::string frame_of(const PointCloud2 & p) { return p.header.frame_id; }

PoseStamped posed(const char * frame) {
  PoseStamped pose;
  pose.header.frame_id = frame;
  return pose;
}

struct Wrapper : DiagnosticStatus {
  void merge(const std::string & s) {
    message += "; ";
    message += s;
  }
};

void refuse(const Image & msg) { throw std::runtime_error("no frame " + msg.header.frame_id); }

}  // namespace

TEST(Compat01, AssignsALiteral) {
  Image msg;
  msg.header.frame_id = "camera_frame";
  EXPECT_EQ(msg.header.frame_id, "camera_frame");
}

TEST(Compat02, AssignsASum) {
  std_msgs::msg::String msg;
  int count = 1;
  msg.data = "Hello World: " + std::to_string(count++);
  EXPECT_EQ(msg.data, "Hello World: 1");
}

TEST(Compat03, AssignsAMemberString) {
  Image msg;
  const struct { std::string frame_id; } parameters{"camera"};
  msg.header.frame_id = parameters.frame_id;
  EXPECT_EQ(msg.header.frame_id, "camera");
}

TEST(Compat04, AssignsAReturnedString) {
  Image msg;
  msg.encoding = type_to_encoding(16);
  EXPECT_EQ(msg.encoding, "bgr8");
}

TEST(Compat05, ReturnsAString) {
  PointCloud2 cloud;
  cloud.header.frame_id = "lidar";
  EXPECT_EQ(frame_of(cloud), "lidar");
}

TEST(Compat06, InitialisesAString) {
  const auto msg = std::make_shared<const PoseStamped>(posed("map"));
  std::string frame_id = msg->header.frame_id;
  EXPECT_EQ(frame_id, "map");
}

TEST(Compat07, AssignsToAString) {
  std::string frame;
  const auto msg = std::make_shared<const PoseStamped>(posed("odom"));
  frame = msg->header.frame_id;
  EXPECT_EQ(frame, "odom");
}

TEST(Compat08, ChoosesBetweenTheTwo) {
  const std::string base_link_frame_id = "base_link";
  const auto msg = std::make_shared<const PoseStamped>();
  std::string frame = (msg->header.frame_id == "" ? base_link_frame_id : msg->header.frame_id);
  EXPECT_EQ(frame, "base_link");
}

TEST(Compat09, ChoosesBetweenTheTwoInAMessage) {
  std::string world_frame = "map";
  Image msg;
  msg.header.frame_id = msg.header.frame_id.empty() ? world_frame : msg.header.frame_id;
  EXPECT_EQ(msg.header.frame_id, "map");
}

TEST(Compat10, ChoosesALiteral) {
  diagnostic_msgs::msg::KeyValue value;
  const bool flag = value.value.empty();
  value.value = flag ? "True" : "False";
  EXPECT_EQ(value.value, "True");
}

TEST(Compat11, CutsAString) {
  PoseStamped pose = posed("/map");
  pose.header.frame_id = pose.header.frame_id.substr(1);
  EXPECT_EQ(pose.header.frame_id, "map");
}

TEST(Compat12, LooksAtACharacter) {
  PoseStamped pose = posed("/map");
  if (pose.header.frame_id[0] == '/') {
    pose.header.frame_id.erase(0, 1);
  }
  EXPECT_EQ(pose.header.frame_id, "map");
}

TEST(Compat13, ComparesTwo) {
  Image depth;
  Image rgb;
  depth.header.frame_id = "a";
  rgb.header.frame_id = std::string("a");
  const bool differ = depth.header.frame_id != rgb.header.frame_id;
  EXPECT_FALSE(differ);
}

TEST(Compat14, ComparesWithStd) {
  Image msg;
  const std::string name;
  const bool same = name == msg.header.frame_id && msg.header.frame_id == name && name >= msg.header.frame_id;
  EXPECT_TRUE(same);
}

TEST(Compat15, PrintsWithFormat) {
  Image msg;
  msg.header.frame_id = "x";
  char line[40];
  std::snprintf(line, sizeof line, "frame [%s]", msg.header.frame_id.c_str());
  EXPECT_STREQ(line, "frame [x]");
}

TEST(Compat16, Streams) {
  std::ostringstream file;
  const PoseStamped pose = posed("map");
  file << "frame_id: " << pose.header.frame_id << "\n";
  EXPECT_EQ(file.str(), "frame_id: map\n");
}

TEST(Compat17, AppendsAndPasses) {
  std::string child_frame_id;
  const std::string config;
  Image msg;
  msg.header.frame_id = "cam";
  child_frame_id = with_default(config, msg.header.frame_id + "_rotated");
  EXPECT_EQ(child_frame_id, "cam_rotated");
}

TEST(Compat18, PassesToAFunction) {
  Image msg;
  msg.encoding = "mono8";
  const std::string target = with_default(msg.header.frame_id, msg.encoding);
  EXPECT_EQ(target, "mono8");
}

TEST(Compat19, Finds) {
  Image msg;
  msg.encoding = "bayer_rggb8";
  const bool bayer = msg.encoding.find("bayer") != std::string::npos;
  EXPECT_TRUE(bayer);
}

TEST(Compat20, FindsAtTheFront) {
  Image msg;
  msg.encoding = "bayer_rggb8";
  const bool bayer = msg.encoding.find("bayer") == 0;
  EXPECT_TRUE(bayer);
}

TEST(Compat21, MatchesAnExpression) {
  rcl_interfaces::msg::ParameterEvent event;
  event.node = "/this_node";
  const std::regex re("(/a_namespace/.*)|(/this_node)");
  const bool ours = regex_match(event.node, re);
  EXPECT_TRUE(ours);
}

TEST(Compat22, WritesThroughAConstPointer) {
  const std::shared_ptr<const Image> left = std::make_shared<Image>();
  std::const_pointer_cast<Image>(left)->encoding = "mono8";
  EXPECT_EQ(left->encoding, "mono8");
}

TEST(Compat23, CopiesBetweenMessages) {
  const auto out = std::make_unique<Image>();
  struct {
    decltype(Header::frame_id) child_frame_id = "child";
  } transform;
  out->header.frame_id = transform.child_frame_id;
  EXPECT_EQ(out->header.frame_id, "child");
}

TEST(Compat24, AsksForAnEncoding) {
  const auto msg = std::make_shared<Image>();
  msg->encoding = sensor_msgs::image_encodings::BGR8;
  const int channels = sensor_msgs::image_encodings::numChannels(msg->encoding);
  EXPECT_EQ(channels, 3);
}

TEST(Compat25, ComparesWithAnEncoding) {
  Image msg;
  msg.encoding = sensor_msgs::image_encodings::MONO16;
  const bool mono = msg.encoding == sensor_msgs::image_encodings::MONO16;
  EXPECT_TRUE(mono);
}

TEST(Compat26, InsertsAPairIntoAMap) {
  std::map<std::string, double> joint_positions;
  const auto state = std::make_shared<JointState>();
  state->name.emplace_back("elbow");
  state->position.push_back(0.5);
  const std::size_t i = 0;
  joint_positions.insert(std::make_pair(state->name[i], state->position[i]));
  EXPECT_EQ(joint_positions.at("elbow"), 0.5);
}

TEST(Compat27, IndexesAMap) {
  std::map<std::string, int> last_publish_time{{"elbow", 3}};
  JointState state;
  state.name.push_back("elbow");
  const int time = last_publish_time[state.name[0]];
  EXPECT_EQ(time, 3);
}

TEST(Compat28, LooksUpInAnUnorderedMap) {
  std::unordered_map<std::string, int> by_name{{"elbow", 3}};
  JointState state;
  state.name.push_back("elbow");
  const bool known = by_name.find(state.name[0]) != by_name.end() && by_name.count(state.name[0]) == 1;
  EXPECT_TRUE(known);
}

TEST(Compat29, MakesAnIdentifier) {
  using MarkerID = std::pair<std::string, int32_t>;
  const auto marker = std::make_shared<visualization_msgs::msg::Marker>();
  marker->ns = "arrows";
  marker->id = 7;
  const MarkerID id(marker->ns, marker->id);
  EXPECT_EQ(id, MarkerID("arrows", 7));
}

TEST(Compat30, CollectsInASet) {
  std::set<std::string> frames;
  Image msg;
  frames.insert(msg.header.frame_id);
  EXPECT_EQ(frames.size(), 1u);
}

TEST(Compat31, AppendsToAMessage) {
  Wrapper wrapper;
  wrapper.merge("a");
  EXPECT_EQ(wrapper.message, "; a");
}

TEST(Compat32, JoinsNames) {
  std::string result;
  PointCloud2 cloud;
  cloud.fields.resize(1);
  cloud.fields[0].name = "x";
  const std::size_t i = 0;
  result += cloud.fields[i].name + " ";
  EXPECT_EQ(result, "x ");
}

TEST(Compat33, Throws) { EXPECT_THROW(refuse(Image()), std::runtime_error); }

TEST(Compat34, ParsesANumber) {
  std_msgs::msg::String msg;
  msg.data = "42";
  const int number = std::stoi(msg.data);
  EXPECT_EQ(number, 42);
}

TEST(Compat35, ReadsWords) {
  std_msgs::msg::String msg;
  msg.data = "1 2";
  std::istringstream input(msg.data);
  int a = 0;
  int b = 0;
  input >> a >> b;
  EXPECT_EQ(a + b, 3);
}

TEST(Compat36, WritesUpperCase) {
  std_msgs::msg::String msg;
  msg.data = "yuyv";
  std::transform(msg.data.begin(), msg.data.end(), msg.data.begin(), ::toupper);
  EXPECT_EQ(msg.data, "YUYV");
}

TEST(Compat37, CollectsAStream) {
  std::ostringstream stream;
  stream << 1 << "/" << 2;
  std_msgs::msg::String msg;
  msg.data = stream.str();
  EXPECT_EQ(msg.data, "1/2");
}

TEST(Compat38, KeepsAnOptional) {
  Image msg;
  msg.header.frame_id = "map";
  std::optional<std::string> frame = msg.header.frame_id;
  EXPECT_EQ(*frame, "map");
}

TEST(Compat39, KeepsAView) {
  Image msg;
  msg.header.frame_id = "map";
  const std::string_view view = msg.header.frame_id;
  EXPECT_EQ(view, "map");
}

TEST(Compat40, PushesIntoAList) {
  std::vector<std::string> frames;
  Image msg;
  msg.header.frame_id = "map";
  frames.push_back(msg.header.frame_id);
  EXPECT_EQ(frames.at(0), "map");
}

TEST(Compat41, BindsAConstReference) {
  JointState state;
  state.name.push_back("elbow");
  const std::string & joint = state.name[0];
  EXPECT_EQ(joint, "elbow");
}

TEST(Compat42, AssignsByName) {
  std_msgs::msg::String msg;
  const std::string text = "ab";
  msg.data.assign(text);
  msg.data.append(text, 0, 1);
  EXPECT_EQ(msg.data, "aba");
}

TEST(Compat43, BuildsAMessage) {
  const builtin_interfaces::msg::Time stamp;
  const std::string frame = "map";
  const Header header = std_msgs::build<Header>().stamp(stamp).frame_id(frame);
  EXPECT_EQ(header.frame_id, "map");
}

TEST(Compat44, SetsByName) {
  Header header;
  const std::string frame = "map";
  header.set__frame_id(frame);
  EXPECT_EQ(header.frame_id, "map");
}

TEST(Compat45, CallsAFunctionObject) {
  std::string got;
  const std::function<void(const std::string &)> report = [&](const std::string & s) { got = s; };
  DiagnosticStatus status;
  status.message = "ok";
  report(status.message);
  EXPECT_EQ(got, "ok");
}
