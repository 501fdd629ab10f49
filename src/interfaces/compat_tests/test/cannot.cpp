// What docs/reference/compat.md says cannot work (N1, N2 …), each with what to write instead. Only compiled, and test_compat.py
// expects exactly the lines marked with a bare number to be errors.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "nav_msgs/msg/path.hpp"
#include "rosidl_runtime_cpp/bounded_vector.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "shape_msgs/msg/solid_primitive.hpp"
#include "std_msgs/msg/string.hpp"

using geometry_msgs::msg::PoseStamped;
using nav_msgs::msg::Path;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::JointState;

// Names and types as the packages have them.
struct {
  std::vector<uint8_t> data;
} pcl_image;
void initialize_buffer(std::vector<uint8_t> & buffer);
template <class T>
std::vector<T> remap(const std::vector<T> & values);
template <class T>
bool mapping(const T & a, const T & b);

void containers(Image & msg, Path & path, JointState & joints, std::vector<double> hold, std::vector<uint8_t> buffer) {
  initialize_buffer(msg.data);                   // N1
  initialize_buffer(buffer), msg.data = buffer;  // N1 instead

  std::vector<uint8_t> & bytes = msg.data;  // N2
  auto & bytes_too = msg.data;              // N2 instead

  pcl_image.data.swap(msg.data);  // N4
  msg.data.swap(pcl_image.data);  // N4 instead

  std::swap(msg.data, buffer);  // N5
  msg.data.swap(buffer);        // N5 instead

  remap(joints.position);          // N6
  remap<double>(joints.position);  // N6 instead

  mapping(joints.position, hold);                       // N7
  mapping<std::vector<double>>(joints.position, hold);  // N7 instead

  decltype(joints.position) position = hold;       // N8
  JointState::_position_type position_too = hold;  // N8 instead

  for (const std::string & name : joints.name) std::cout << name;  // N10
  for (const auto & name : joints.name) std::cout << name;         // N10 instead
}

void strings(std_msgs::msg::String & msg, std::string other, const std::regex & re, std::istream & in) {
  std::string & text = msg.data;  // N11
  auto & text_too = msg.data;     // N11 instead

  std::regex_match(msg.data, re);  // N12
  regex_match(msg.data, re);       // N12 instead

  std::regex expression(msg.data);              // N13
  std::regex expression_too(msg.data.c_str());  // N13 instead

  std::getline(in, msg.data);                 // N14
  std::getline(in, other), msg.data = other;  // N14 instead

  std::min(msg.data, other);               // N15
  std::min<std::string>(msg.data, other);  // N15 instead

  std::filesystem::path("/tmp") / msg.data;               // N16
  std::filesystem::path("/tmp") / std::string(msg.data);  // N16 instead

  std::cout << std::quoted(msg.data);          // N17
  std::cout << std::quoted(msg.data.c_str());  // N17 instead

  // clang-format off
  auto name = [&](bool own) { if (own) { return other; } return msg.data; };  // N18
  auto name_too = [&](bool own) -> std::string { if (own) { return other; } return msg.data; };  // N18 instead
  // clang-format on

  std::string std_msgs::msg::String::*member = &std_msgs::msg::String::data;  // N19
  auto member_too = &std_msgs::msg::String::data;                             // N19 instead

  decltype(msg.data) copy = other;     // N20
  decltype(msg.data) copy_too(other);  // N20 instead
}

void bounded(shape_msgs::msg::SolidPrimitive & primitive) {
  rosidl_runtime_cpp::BoundedVector<double, 3> sides = primitive.dimensions;           // N22
  shape_msgs::msg::SolidPrimitive::_dimensions_type sides_too = primitive.dimensions;  // N22 instead
}

struct Kept {
  Image image;
  const std::vector<uint8_t> & bytes() const { return image.data; }  // N21
  const auto & bytes_too() const { return image.data; }              // N21 instead
};
