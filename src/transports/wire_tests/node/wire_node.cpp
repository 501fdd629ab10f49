// wire_node NODE SPEC...: one of our ordinary nodes, as the tests' peers on other implementations are.
//
// A SPEC is one argument, `talk|listen TOPIC PACKAGE/TYPE [best_effort] [transient_local]`. It reads lines:
//   TOPIC MESSAGE            publishes the message, which is YAML or JSON
//   wait TOPIC COUNT         answered with `matched TOPIC` when the other side of the topic has so many
// and prints `ready`, then `message TOPIC YAML` for each message that it receives. It ends with its input.
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "shape_msgs/msg/solid_primitive.hpp"
#include "std_msgs/msg/string.hpp"
#include "tandem/yaml.hpp"

namespace {

void say(const std::string & line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << line << std::endl;
}

struct Spec {
  std::string role, topic, type;
  rclcpp::QoS qos{10};
};

Spec parse(const std::string & text) {
  std::istringstream words(text);
  Spec spec;
  words >> spec.role >> spec.topic >> spec.type;
  for (std::string word; words >> word;) {
    if (word == "best_effort") {
      spec.qos.best_effort();
    } else if (word == "transient_local") {
      spec.qos.transient_local();
    } else {
      throw std::invalid_argument("'" + word + "' is no quality of service");
    }
  }
  return spec;
}

struct Endpoint {
  std::function<std::size_t()> matched;
  std::function<void(const std::string &)> publish;
};

template <class M>
Endpoint make(rclcpp::Node & node, const Spec & spec) {
  if (spec.role == "talk") {
    auto publisher = node.create_publisher<M>(spec.topic, spec.qos);
    return {[publisher] { return publisher->get_subscription_count(); },
            [publisher](const std::string & text) {
              M message;
              if (const auto read = tandem::from_yaml(tandem::message_type<M>(), text, &message); !read) {
                throw std::invalid_argument(read.error());
              }
              publisher->publish(message);
            }};
  }
  auto subscription = node.create_subscription<M>(spec.topic, spec.qos, [topic = spec.topic](const M & message) {
    std::string text = tandem::to_yaml(tandem::message_type<M>(), &message, {.flow = true});
    text.pop_back();
    say("message " + topic + " " + text);
  });
  return {[subscription] { return subscription->get_publisher_count(); }, {}};
}

Endpoint make(rclcpp::Node & node, const Spec & spec) {
  const std::map<std::string, Endpoint (*)(rclcpp::Node &, const Spec &)> makers{
      {"std_msgs/String", make<std_msgs::msg::String>},
      {"sensor_msgs/Image", make<sensor_msgs::msg::Image>},
      {"sensor_msgs/PointCloud2", make<sensor_msgs::msg::PointCloud2>},
      {"geometry_msgs/PoseStamped", make<geometry_msgs::msg::PoseStamped>},
      {"diagnostic_msgs/DiagnosticArray", make<diagnostic_msgs::msg::DiagnosticArray>},
      {"shape_msgs/SolidPrimitive", make<shape_msgs::msg::SolidPrimitive>},
  };
  return makers.at(spec.type)(node, spec);
}

void wait_for_peers(const std::map<std::string, Endpoint> & endpoints, const std::string & request) {
  std::string topic;
  std::size_t count = 0;
  std::istringstream(request) >> topic >> count;
  while (endpoints.at(topic).matched() < count) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  say("matched " + topic);
}

void obey(const std::map<std::string, Endpoint> & endpoints) {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, space), rest = line.substr(std::min(space + 1, line.size()));
    if (word == "wait") {
      wait_for_peers(endpoints, rest);
    } else {
      endpoints.at(word).publish(rest);
    }
  }
}

}  // namespace

int main(int argc, char ** argv) {
  const std::vector<std::string> words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  auto node = std::make_shared<rclcpp::Node>(words.at(1));
  std::map<std::string, Endpoint> endpoints;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const Spec spec = parse(words[i]);
    endpoints.emplace(spec.topic, make(*node, spec));
  }
  say("ready");
  std::thread input([&endpoints] {
    obey(endpoints);
    rclcpp::shutdown();
  });
  rclcpp::spin(node);
  input.join();
}
