// Clients and services by the names of their types, and what all of them tell of their calls.
#include <example_interfaces/srv/add_two_ints.hpp>
#include <set>

#include "support.hpp"

namespace {

using AddTwoInts = example_interfaces::srv::AddTwoInts;
using Event = AddTwoInts::Event;
using Info = service_msgs::msg::ServiceEventInfo;
constexpr const char * kType = "example_interfaces/srv/AddTwoInts";

AddTwoInts::Request::SharedPtr request(std::int64_t a, std::int64_t b) {
  auto request = std::make_shared<AddTwoInts::Request>();
  request->a = a;
  request->b = b;
  return request;
}

void add(const std::shared_ptr<void> & any_request, const std::shared_ptr<void> & any_response) {
  const auto & values = *static_cast<const AddTwoInts::Request *>(any_request.get());
  static_cast<AddTwoInts::Response *>(any_response.get())->sum = values.a + values.b;
}

class GenericServices : public test::WithNode {
 protected:
  /// Calls the service "add" by a client of its type.
  std::int64_t call(std::int64_t a, std::int64_t b) {
    const auto client = node_->create_client<AddTwoInts>("add");
    EXPECT_TRUE(client->wait_for_service(test::kPatience));
    auto future = client->async_send_request(request(a, b));
    EXPECT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    return future.get()->sum;
  }
};

TEST_F(GenericServices, EveryCallbackFormAnswers) {
  using Void = std::shared_ptr<void>;
  using Header = std::shared_ptr<rmw_request_id_t>;
  {
    const auto service = node_->create_generic_service("add", kType, add);
    EXPECT_STREQ(service->get_service_name(), "/ns/add");
    EXPECT_EQ(call(2, 3), 5);
  }
  {
    const auto service =
        node_->create_generic_service("add", kType, [](Header, Void asked, Void answer) { add(asked, answer); });
    EXPECT_EQ(call(3, 3), 6);
  }
  {
    rclcpp::GenericService::SharedPtr service;
    service = node_->create_generic_service("add", kType, [&service](Header header, Void asked) {
      auto answer = service->create_response();
      add(asked, answer);
      service->send_response(*header, answer);
    });
    EXPECT_EQ(call(3, 4), 7);
  }
  {
    const auto service = rclcpp::create_generic_service(
        node_, "add", kType, [](rclcpp::GenericService::SharedPtr self, Header header, Void asked) {
          auto answer = self->create_response();
          add(asked, answer);
          self->send_response(*header, answer);
        });
    EXPECT_EQ(call(4, 4), 8);
  }
}

TEST_F(GenericServices, ClientsGetResponses) {
  const auto service = node_->create_service<AddTwoInts>(
      "add", [](AddTwoInts::Request::SharedPtr asked, AddTwoInts::Response::SharedPtr answer) {
        answer->sum = asked->a + asked->b;
      });
  const auto client = node_->create_generic_client("add", kType);
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  const auto sum_of = [](const std::shared_ptr<void> & response) {
    return static_cast<const AddTwoInts::Response *>(response.get())->sum;
  };
  auto future = client->async_send_request(request(1, 2).get());
  ASSERT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(sum_of(future.get()), 3);

  std::int64_t sum = 0;
  client->async_send_request(request(5, 6).get(),
                             [&](rclcpp::GenericClient::SharedFuture answer) { sum = sum_of(answer.get()); });
  EXPECT_TRUE(spin_until([&] { return sum == 11; }));

  const auto forgotten = client->async_send_request(request(0, 0).get());
  EXPECT_TRUE(client->remove_pending_request(forgotten));
  EXPECT_FALSE(client->remove_pending_request(forgotten.request_id));
  const auto pruned = client->async_send_request(request(0, 0).get());
  EXPECT_EQ(client->prune_pending_requests(), 1u);
  EXPECT_NE(pruned.request_id, forgotten.request_id);
}

TEST_F(GenericServices, OfUnknownTypesAreRefused) {
  EXPECT_THROW(node_->create_generic_client("add", "no_such_srvs/srv/Thing"), std::runtime_error);
  EXPECT_THROW(node_->create_generic_service("add", "Thing", add), std::runtime_error);
  EXPECT_THROW(node_->create_generic_client("bad name", kType), rclcpp::exceptions::InvalidServiceNameError);
}

/// A service, a client of it, and who hears of their calls.
class Introspection : public test::WithNode {
 protected:
  void SetUp() override {
    WithNode::SetUp();
    service_ = node_->create_service<AddTwoInts>(
        "add", [](AddTwoInts::Request::SharedPtr asked, AddTwoInts::Response::SharedPtr answer) {
          answer->sum = asked->a + asked->b;
        });
    client_ = node_->create_client<AddTwoInts>("add");
    subscription_ = node_->create_subscription<Event>("add/_service_event", 100,
                                                      [this](const Event & event) { events_.push_back(event); });
    ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  }
  void TearDown() override {
    service_.reset();
    client_.reset();
    subscription_.reset();
    WithNode::TearDown();
  }
  template <class End>
  void configure(const End & end, rcl_service_introspection_state_t state, std::size_t publishers) {
    end->configure_introspection(node_->get_clock(), rclcpp::SystemDefaultsQoS(), state);
    ASSERT_TRUE(test::eventually([&] { return subscription_->get_publisher_count() == publishers; }));
    // Both ends know each other: otherwise the first event of a volatile publisher may be before the match.
    ASSERT_TRUE(test::eventually([&] { return node_->count_publishers("add/_service_event") == publishers; }));
  }
  /// \return the request's number.
  std::int64_t call() {
    auto future = client_->async_send_request(request(2, 3));
    EXPECT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    EXPECT_EQ(future.get()->sum, 5);
    return future.request_id;
  }
  /// Calls until all kinds of events of one call were heard, and forgets the others: over a network the first may be missed.
  /// \return the call's number.
  std::int64_t call_until_heard(const std::set<int> & kinds) {
    std::int64_t id = 0;
    const auto is_other = [&](const Event & event) { return event.info.sequence_number != id; };
    const auto are_heard = [&] {
      executor_->spin_some();
      events_.erase(std::remove_if(events_.begin(), events_.end(), is_other), events_.end());
      return events_.size() >= kinds.size();
    };
    EXPECT_TRUE(test::eventually([&] {
      id = call();
      for (int look = 0; look < 100 && !are_heard(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return are_heard();
    }));
    std::set<int> heard;
    for (const Event & event : events_) heard.insert(event.info.event_type);
    EXPECT_EQ(heard, kinds);
    EXPECT_EQ(events_.size(), kinds.size());
    return id;
  }

  rclcpp::Service<AddTwoInts>::SharedPtr service_;
  rclcpp::Client<AddTwoInts>::SharedPtr client_;
  rclcpp::Subscription<Event>::SharedPtr subscription_;
  std::vector<Event> events_;
};

TEST_F(Introspection, IsOffUntilItIsConfigured) {
  call();
  EXPECT_EQ(node_->count_publishers("add/_service_event"), 0u);
  EXPECT_TRUE(events_.empty());
}

TEST_F(Introspection, TellsTheFourEventsWithTheirContents) {
  configure(client_, RCL_SERVICE_INTROSPECTION_CONTENTS, 1);
  configure(service_, RCL_SERVICE_INTROSPECTION_CONTENTS, 2);
  call_until_heard({Info::REQUEST_SENT, Info::REQUEST_RECEIVED, Info::RESPONSE_SENT, Info::RESPONSE_RECEIVED});
  std::set<std::vector<std::uint8_t>>
      clients[2];  // as the client and as the service name it: not the same over Cyclone DDS
  for (const Event & event : events_) {
    const int kind = event.info.event_type;
    EXPECT_GT(event.info.stamp.sec, 0);
    clients[kind == Info::REQUEST_RECEIVED || kind == Info::RESPONSE_SENT].emplace(event.info.client_gid.begin(),
                                                                                   event.info.client_gid.end());
    const bool is_request = kind == Info::REQUEST_SENT || kind == Info::REQUEST_RECEIVED;
    ASSERT_EQ(event.request.size(), is_request ? 1u : 0u);
    ASSERT_EQ(event.response.size(), is_request ? 0u : 1u);
    if (is_request) {
      EXPECT_EQ(event.request[0].a, 2);
      EXPECT_EQ(event.request[0].b, 3);
    } else {
      EXPECT_EQ(event.response[0].sum, 5);
    }
  }
  EXPECT_EQ(clients[0].size(), 1u);
  EXPECT_EQ(clients[1].size(), 1u);
}

TEST_F(Introspection, OfMetadataHasNoContents) {
  configure(client_, RCL_SERVICE_INTROSPECTION_METADATA, 1);
  call_until_heard({Info::REQUEST_SENT, Info::RESPONSE_RECEIVED});
  for (const Event & event : events_) {
    EXPECT_TRUE(event.request.empty());
    EXPECT_TRUE(event.response.empty());
  }
}

TEST_F(Introspection, EndsWhenItIsTurnedOff) {
  configure(service_, RCL_SERVICE_INTROSPECTION_CONTENTS, 1);
  call_until_heard({Info::REQUEST_RECEIVED, Info::RESPONSE_SENT});
  configure(service_, RCL_SERVICE_INTROSPECTION_OFF, 0);
  executor_->spin_some();
  events_.clear();
  call();
  executor_->spin_some();
  EXPECT_TRUE(events_.empty());
}

TEST_F(Introspection, IsOfGenericEndsToo) {
  const auto client = node_->create_generic_client("add", kType);
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  configure(client, RCL_SERVICE_INTROSPECTION_CONTENTS, 1);
  EXPECT_TRUE(test::eventually([&] {
    client->async_send_request(request(2, 3).get());
    executor_->spin_some(std::chrono::milliseconds(50));
    const auto is_response = [](const Event & event) {
      return event.info.event_type == Info::RESPONSE_RECEIVED && event.response.size() == 1 &&
             event.response[0].sum == 5;
    };
    return std::any_of(events_.begin(), events_.end(), is_response);
  }));
}

TEST_F(Introspection, NeedsAClock) {
  EXPECT_THROW(
      client_->configure_introspection(nullptr, rclcpp::SystemDefaultsQoS(), RCL_SERVICE_INTROSPECTION_METADATA),
      rclcpp::exceptions::RCLInvalidArgument);
}

}  // namespace
