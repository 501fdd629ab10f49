// What an action is made of: services and topics of a node, in one callback group.
#pragma once

#include <memory>
#include <string>

#include "rclcpp/generic_client.hpp"
#include "rclcpp/generic_service.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rmw/types.h"

namespace rclcpp_action::detail {

/// A publisher of a type that is known at run time only.
class AnyPublisher : public rclcpp::PublisherBase {
 public:
  using PublisherBase::publish_owned;
  using PublisherBase::PublisherBase;
};

/// Makes the entities of one action. It does not keep the node. A null group means the node's default group.
class EntityMaker {
 public:
  using Request = std::shared_ptr<void>;
  using Header = std::shared_ptr<rmw_request_id_t>;

  /// \throws rclcpp::exceptions::InvalidServiceNameError.
  EntityMaker(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base, const std::string & action,
              rclcpp::CallbackGroup::SharedPtr group);

  /// "/ns/action": expanded and remapped.
  const std::string & action() const { return action_; }

  // `part` is "send_goal" and the like. \throws as those of a node.
  rclcpp::GenericService::SharedPtr service(const tandem::ServiceType & type, const char * part,
                                            const rmw_qos_profile_t & qos,
                                            std::function<void(Header, Request)> callback);
  rclcpp::GenericClient::SharedPtr client(const tandem::ServiceType & type, const char * part,
                                          const rmw_qos_profile_t & qos);
  std::shared_ptr<AnyPublisher> publisher(const tandem::MessageType & type, const char * part,
                                          const rmw_qos_profile_t & qos);
  rclcpp::SubscriptionBase::SharedPtr subscription(const tandem::MessageType & type, const char * part,
                                                   const rmw_qos_profile_t & qos,
                                                   rclcpp::detail::SampleCallback callback);
  /// It does not run until it is reset.
  rclcpp::TimerBase::SharedPtr timer(rclcpp::Clock::SharedPtr clock, std::chrono::nanoseconds period,
                                     std::function<void()> callback);

 private:
  std::string name_of(const char * part) const { return action_ + "/_action/" + part; }

  const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base_;
  const rclcpp::node_interfaces::NodeTimersInterface::SharedPtr timers_;
  rclcpp::node_interfaces::NodeServicesInterface services_;
  rclcpp::node_interfaces::NodeTopicsInterface topics_;
  const std::string action_;
  const rclcpp::CallbackGroup::SharedPtr group_;
};

}  // namespace rclcpp_action::detail
