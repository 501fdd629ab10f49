// Strings of messages in yaml-cpp's nodes, for programs that include yaml-cpp: node["frame"] = msg.header.frame_id, and
// node["frame"].as<tandem::String>(). Nothing of yaml-cpp is included here.
#pragma once

#include <cstddef>
#include <string>

namespace YAML {
class Node;
template <class T>
struct convert;
}  // namespace YAML

namespace tandem {
template <class Char, std::size_t Bound>
class BasicString;
template <class String>
class StringField;
}  // namespace tandem

/// Node is a template parameter where yaml-cpp's own class, which need not be known here, is meant.
template <std::size_t Bound>
struct YAML::convert<tandem::BasicString<char, Bound>> {
  template <class NodeT = Node>
  static NodeT encode(const tandem::BasicString<char, Bound> & text) {
    return NodeT(std::string(text));
  }
  /// \throws std::length_error when it is longer than the bound.
  template <class NodeT>
  static bool decode(const NodeT & node, tandem::BasicString<char, Bound> & text) {
    if (!node.IsScalar()) return false;
    text = node.Scalar();
    return true;
  }
};

template <class String>
struct YAML::convert<tandem::StringField<String>> : YAML::convert<String> {};
