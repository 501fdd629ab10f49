// What simulated time is refused for.
#include "support.hpp"

using SimulatedTime = test::Rclcpp;

TEST_F(SimulatedTime, IsABoolAndForClocksOfRosTime) {
  using rclcpp::NodeOptions;
  const auto declared = [] { return NodeOptions().automatically_declare_parameters_from_overrides(true); };
  EXPECT_THROW(rclcpp::Node("node", declared().append_parameter_override("use_sim_time", "yes")),
               std::invalid_argument);
  const auto steady = [] { return NodeOptions().clock_type(RCL_STEADY_TIME); };
  EXPECT_THROW(rclcpp::Node("node", steady().append_parameter_override("use_sim_time", true)), std::invalid_argument);
  rclcpp::Node node("node", steady());
  const auto result = node.set_parameter(rclcpp::Parameter("use_sim_time", true));
  EXPECT_FALSE(result.successful);
  EXPECT_NE(std::string(result.reason).find("not all of RCL_ROS_TIME"), std::string::npos);
  EXPECT_FALSE(node.get_parameter("use_sim_time").as_bool());
  EXPECT_TRUE(node.set_parameter(rclcpp::Parameter("use_sim_time", false)).successful);
}
