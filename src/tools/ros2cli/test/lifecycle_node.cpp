// A node for the tests of `ros2 lifecycle`, "/arm" unless remapped. Says "ready". Its parameter `failing` names a
// transition that does not succeed, `dying` one in which the process ends at once.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace {

class Arm : public rclcpp_lifecycle::LifecycleNode {
 public:
  Arm() : LifecycleNode("arm"), failing_(declare_parameter("failing", "")), dying_(declare_parameter("dying", "")) {}
  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override { return result_of("configure"); }
  CallbackReturn on_activate(const rclcpp_lifecycle::State & previous) override {
    LifecycleNode::on_activate(previous);
    return result_of("activate");
  }

 private:
  CallbackReturn result_of(const std::string & transition) const {
    if (dying_ == transition) std::_Exit(1);
    return failing_ == transition ? CallbackReturn::FAILURE : CallbackReturn::SUCCESS;
  }

  const std::string failing_;
  const std::string dying_;
};

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<Arm>();
  std::printf("ready\n");
  std::fflush(stdout);
  rclcpp::spin(node->get_node_base_interface());
  rclcpp::shutdown();
}
