// Components for containers: one that says what it was loaded with, and one that cannot be loaded.
#include <cstdio>
#include <stdexcept>

#include "rclcpp_components/register_node_macro.hpp"
#include "show.hpp"

namespace test {

class Shown : public rclcpp::Node {
 public:
  explicit Shown(const rclcpp::NodeOptions & options)
      : Node("shown", rclcpp::NodeOptions(options).automatically_declare_parameters_from_overrides(true)) {
    std::printf("%s: topic %s\n", get_fully_qualified_name(),
                get_node_topics_interface()->resolve_topic_name("topic").c_str());
    std::printf("%s: intra-process %d\n", get_fully_qualified_name(), options.use_intra_process_comms());
    show(*this);
  }
};

class Broken : public rclcpp::Node {
 public:
  explicit Broken(const rclcpp::NodeOptions & options) : Node("broken", options) {
    throw std::runtime_error("no camera");
  }
};

}  // namespace test

RCLCPP_COMPONENTS_REGISTER_NODE(test::Shown)
RCLCPP_COMPONENTS_REGISTER_NODE(test::Broken)
