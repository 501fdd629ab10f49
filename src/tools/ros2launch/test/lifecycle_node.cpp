// A node with a lifecycle, "arm" unless it is named otherwise. It says what is called, "on_configure"; its parameter
// `failing` names a transition that fails, `broken` one that throws, `dying` one in which the process ends at once.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace {

class Arm : public rclcpp_lifecycle::LifecycleNode {
 public:
  Arm() : LifecycleNode("arm") {
    for (const char * name : {"failing", "broken", "dying"}) declare_parameter(name, "");
  }
  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override { return act("configure"); }
  CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override { return act("cleanup"); }
  CallbackReturn on_activate(const rclcpp_lifecycle::State &) override { return act("activate"); }
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) override { return act("deactivate"); }
  CallbackReturn on_shutdown(const rclcpp_lifecycle::State &) override { return act("shutdown"); }

 private:
  CallbackReturn act(const std::string & name) {
    std::printf("%s: on_%s\n", get_name(), name.c_str());
    std::fflush(stdout);
    if (get_parameter("dying").as_string() == name) std::_Exit(3);
    if (get_parameter("broken").as_string() == name) throw std::runtime_error("as its parameter says");
    return get_parameter("failing").as_string() == name ? CallbackReturn::FAILURE : CallbackReturn::SUCCESS;
  }
};

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<Arm>();
  rclcpp::spin(node->get_node_base_interface());
  rclcpp::shutdown();
}
