#include "entities.hpp"

#include <utility>

#include "rclcpp/create_timer.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/subscription_options.hpp"

namespace rclcpp_action::detail {
namespace {

rclcpp::QoS to_qos(const rmw_qos_profile_t & profile) {
  return rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(profile), profile);
}

}  // namespace

EntityMaker::EntityMaker(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base, const std::string & action,
                         rclcpp::CallbackGroup::SharedPtr group)
    : base_(std::move(base)),
      timers_(std::make_shared<rclcpp::node_interfaces::NodeTimersInterface>(base_)),
      services_(base_),
      topics_(base_, timers_),
      action_(base_->resolve_topic_or_service_name(action, true)),
      group_(std::move(group)) {}

rclcpp::GenericService::SharedPtr EntityMaker::service(const tandem::ServiceType & type, const char * part,
                                                       const rmw_qos_profile_t & qos,
                                                       std::function<void(Header, Request)> callback) {
  rclcpp::GenericServiceCallback responds_later;
  responds_later.set(std::move(callback));
  auto service = std::make_shared<rclcpp::GenericService>(
      services_.open_service(type, name_of(part), to_qos(qos), group_), std::move(responds_later));
  services_.add_service(service, group_);
  return service;
}

rclcpp::GenericClient::SharedPtr EntityMaker::client(const tandem::ServiceType & type, const char * part,
                                                     const rmw_qos_profile_t & qos) {
  auto client =
      std::make_shared<rclcpp::GenericClient>(services_.open_client(type, name_of(part), to_qos(qos), group_));
  services_.add_client(client, group_);
  return client;
}

std::shared_ptr<AnyPublisher> EntityMaker::publisher(const tandem::MessageType & type, const char * part,
                                                     const rmw_qos_profile_t & qos) {
  return std::make_shared<AnyPublisher>(
      topics_.open_publisher(type, name_of(part), to_qos(qos), rclcpp::PublisherOptions()));
}

rclcpp::SubscriptionBase::SharedPtr EntityMaker::subscription(const tandem::MessageType & type, const char * part,
                                                              const rmw_qos_profile_t & qos,
                                                              rclcpp::detail::SampleCallback callback) {
  rclcpp::SubscriptionOptions options;
  options.callback_group = group_;
  auto subscription = std::make_shared<rclcpp::SubscriptionBase>(
      topics_.open_subscription(type, name_of(part), to_qos(qos), options), std::move(callback));
  topics_.add_subscription(subscription, group_);
  return subscription;
}

rclcpp::TimerBase::SharedPtr EntityMaker::timer(rclcpp::Clock::SharedPtr clock, std::chrono::nanoseconds period,
                                                std::function<void()> callback) {
  return rclcpp::create_timer(std::move(clock), period, std::move(callback), group_, base_.get(), timers_.get(), false);
}

}  // namespace rclcpp_action::detail
