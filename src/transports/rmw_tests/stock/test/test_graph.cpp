// Nodes, services, waiting and the graph of rmw.h; and native Tandem nodes beside them.
#include <cstdio>
#include <cstring>
#include <set>
#include <thread>

#include "rmw_fixture.hpp"

namespace {

using sensor_msgs::msg::Image;
using std_msgs::msg::UInt64;
using std_srvs::srv::SetBool;

const rosidl_service_type_support_t * set_bool() {
  return rosidl_typesupport_introspection_cpp::get_service_type_support_handle<SetBool>();
}

class Graph : public Rmw {
 protected:
  bool is_available(const rmw_client_t * client) {
    return eventually([&] {
      bool is_there = false;
      EXPECT_OK(rmw_service_server_is_available(node_, client, &is_there));
      return is_there;
    });
  }
  std::set<std::string> nodes() {
    rcutils_string_array_t names = rcutils_get_zero_initialized_string_array();
    rcutils_string_array_t spaces = rcutils_get_zero_initialized_string_array();
    EXPECT_OK(rmw_get_node_names(node_, &names, &spaces));
    std::set<std::string> all;
    for (std::size_t i = 0; i < names.size; ++i) all.insert(std::string(spaces.data[i]) + " " + names.data[i]);
    EXPECT_EQ(rcutils_string_array_fini(&names), RCUTILS_RET_OK);
    EXPECT_EQ(rcutils_string_array_fini(&spaces), RCUTILS_RET_OK);
    return all;
  }
  /// Names with their first type, and ends what it is given.
  std::set<std::string> names_of(rmw_names_and_types_t & found) {
    std::set<std::string> all;
    for (std::size_t i = 0; i < found.names.size; ++i) {
      all.insert(std::string(found.names.data[i]) + " " + found.types[i].data[0]);
    }
    if (found.names.size != 0) {
      EXPECT_OK(rmw_names_and_types_fini(&found));
    }
    return all;
  }
  rmw_names_and_types_t nothing_ = rmw_get_zero_initialized_names_and_types();
};

TEST_F(Graph, ServicesAnswer) {
  const rmw_qos_profile_t qos = profile();
  auto * const service = rmw_create_service(node_, set_bool(), "/switch", &qos);
  ASSERT_NE(service, nullptr) << last_error();
  auto * const client = rmw_create_client(node_, set_bool(), "/switch", &qos);
  ASSERT_NE(client, nullptr) << last_error();
  ASSERT_TRUE(is_available(client));
  const rmw_time_t timeout{30, 0};
  for (int round = 0; round < 3; ++round) {
    SetBool::Request request;
    request.data = round % 2 == 0;
    std::int64_t sequence = 0;
    ASSERT_OK(rmw_send_request(client, &request, &sequence));
    void * service_data[] = {service->data};
    rmw_services_t services{1, service_data};
    ASSERT_OK(rmw_wait(nullptr, nullptr, &services, nullptr, nullptr, wait_set_, &timeout));
    rmw_service_info_t header{};
    SetBool::Request asked;
    bool is_taken = false;
    ASSERT_OK(rmw_take_request(service, &header, &asked, &is_taken));
    ASSERT_TRUE(is_taken);
    EXPECT_EQ(asked, request);
    SetBool::Response response;
    response.success = asked.data;
    response.message = "round " + std::to_string(round);
    ASSERT_OK(rmw_send_response(service, &header.request_id, &response));
    void * client_data[] = {client->data};
    rmw_clients_t clients{1, client_data};
    ASSERT_OK(rmw_wait(nullptr, nullptr, nullptr, &clients, nullptr, wait_set_, &timeout));
    SetBool::Response answered;
    rmw_service_info_t answer{};
    ASSERT_OK(rmw_take_response(client, &answer, &answered, &is_taken));
    ASSERT_TRUE(is_taken);
    EXPECT_EQ(answered, response);
    EXPECT_EQ(answer.request_id.sequence_number, sequence);
  }
  std::size_t count = 0;
  EXPECT_OK(rmw_count_services(node_, "/switch", &count));
  EXPECT_EQ(count, 1u);
  EXPECT_OK(rmw_count_clients(node_, "/switch", &count));
  EXPECT_EQ(count, 1u);
  ASSERT_OK(rmw_get_service_names_and_types(node_, &allocator_, &nothing_));
  EXPECT_EQ(names_of(nothing_), std::set<std::string>{"/switch std_srvs/srv/SetBool"});
  ASSERT_OK(rmw_get_client_names_and_types_by_node(node_, &allocator_, "node", "/space", &nothing_));
  EXPECT_EQ(names_of(nothing_), std::set<std::string>{"/switch std_srvs/srv/SetBool"});
  EXPECT_OK(rmw_destroy_client(node_, client));
  EXPECT_OK(rmw_destroy_service(node_, service));
}

TEST_F(Graph, ServicesAnswerAlsoUnderNamesOfTheirOwn) {
  rmw_qos_profile_t qos = profile();
  qos.avoid_ros_namespace_conventions = true;
  auto * const service = rmw_create_service(node_, set_bool(), "bare", &qos);
  ASSERT_NE(service, nullptr) << last_error();
  auto * const client = rmw_create_client(node_, set_bool(), "bare", &qos);
  ASSERT_NE(client, nullptr) << last_error();
  EXPECT_STREQ(client->service_name, "bare");
  ASSERT_TRUE(is_available(client));
  const SetBool::Request request;
  std::int64_t sequence = 0;
  ASSERT_OK(rmw_send_request(client, &request, &sequence));
  rmw_service_info_t header{};
  SetBool::Request asked;
  bool is_taken = false;
  ASSERT_OK(rmw_take_request(service, &header, &asked, &is_taken));
  ASSERT_TRUE(is_taken);
  SetBool::Response response;
  ASSERT_OK(rmw_send_response(service, &header.request_id, &response));
  rmw_service_info_t answer{};
  ASSERT_OK(rmw_take_response(client, &answer, &response, &is_taken));
  ASSERT_TRUE(is_taken);
  EXPECT_EQ(answer.request_id.sequence_number, sequence);
  EXPECT_EQ(std::memcmp(answer.request_id.writer_guid, header.request_id.writer_guid, 16), 0);
  rmw_gid_t gid{};
  EXPECT_OK(rmw_get_gid_for_client(client, &gid));
  EXPECT_EQ(std::memcmp(header.request_id.writer_guid, gid.data, 16), 0);
  std::size_t count = 0;
  EXPECT_OK(rmw_count_services(node_, "/bare", &count));
  EXPECT_EQ(count, 1u);
  EXPECT_OK(rmw_destroy_client(node_, client));
  EXPECT_OK(rmw_destroy_service(node_, service));
}

TEST_F(Graph, TellsOfNodesTopicsAndEndpoints) {
  auto * const out = publisher<UInt64>("/numbers");
  EXPECT_TRUE(nodes().count("/space node"));
  rcutils_string_array_t names = rcutils_get_zero_initialized_string_array();
  rcutils_string_array_t spaces = rcutils_get_zero_initialized_string_array();
  rcutils_string_array_t enclaves = rcutils_get_zero_initialized_string_array();
  ASSERT_OK(rmw_get_node_names_with_enclaves(node_, &names, &spaces, &enclaves));
  ASSERT_EQ(enclaves.size, 1u);
  EXPECT_STREQ(enclaves.data[0], "/enclave");
  for (auto * const array : {&names, &spaces, &enclaves}) EXPECT_EQ(rcutils_string_array_fini(array), RCUTILS_RET_OK);
  ASSERT_OK(rmw_get_topic_names_and_types(node_, &allocator_, false, &nothing_));
  EXPECT_EQ(names_of(nothing_), std::set<std::string>{"/numbers std_msgs/msg/UInt64"});
  ASSERT_OK(rmw_get_publisher_names_and_types_by_node(node_, &allocator_, "node", "/space", false, &nothing_));
  EXPECT_EQ(names_of(nothing_), std::set<std::string>{"/numbers std_msgs/msg/UInt64"});
  EXPECT_FAILS(RMW_RET_NODE_NAME_NON_EXISTENT,
               rmw_get_publisher_names_and_types_by_node(node_, &allocator_, "nobody", "/space", false, &nothing_));
  std::size_t count = 0;
  EXPECT_OK(rmw_count_publishers(node_, "/numbers", &count));
  EXPECT_EQ(count, 1u);
  EXPECT_OK(rmw_count_subscribers(node_, "/numbers", &count));
  EXPECT_EQ(count, 0u);
  rmw_topic_endpoint_info_array_t infos = rmw_get_zero_initialized_topic_endpoint_info_array();
  ASSERT_OK(rmw_get_publishers_info_by_topic(node_, &allocator_, "/numbers", false, &infos));
  ASSERT_EQ(infos.size, 1u);
  EXPECT_STREQ(infos.info_array[0].node_name, "node");
  EXPECT_STREQ(infos.info_array[0].topic_type, "std_msgs/msg/UInt64");
  EXPECT_EQ(infos.info_array[0].qos_profile.depth, 10u);
  EXPECT_OK(rmw_topic_endpoint_info_array_fini(&infos, &allocator_));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
}

TEST_F(Graph, ChangesTriggerTheNodesGuardCondition) {
  const auto * const guard = rmw_node_get_graph_guard_condition(node_);
  ASSERT_NE(guard, nullptr);
  const auto is_triggered = [&](rmw_time_t timeout) {
    void * data[] = {guard->data};
    rmw_guard_conditions_t guards{1, data};
    return rmw_wait(nullptr, &guards, nullptr, nullptr, nullptr, wait_set_, &timeout) == RMW_RET_OK;
  };
  while (is_triggered({0, 50'000'000})) {
  }
  std::thread other([&] {
    rmw_node_t * const second = rmw_create_node(&context_, "second", "/");
    EXPECT_NE(second, nullptr);
    EXPECT_OK(rmw_destroy_node(second));
  });
  EXPECT_TRUE(is_triggered({30, 0}));
  other.join();
}

TEST_F(Graph, GuardConditionsWakeWhoWaits) {
  rmw_guard_condition_t * const guard = rmw_create_guard_condition(&context_);
  ASSERT_NE(guard, nullptr);
  const auto wait = [&](rmw_time_t timeout) {
    void * data[] = {guard->data};
    rmw_guard_conditions_t guards{1, data};
    const rmw_ret_t code = rmw_wait(nullptr, &guards, nullptr, nullptr, nullptr, wait_set_, &timeout);
    EXPECT_EQ(data[0] != nullptr, code == RMW_RET_OK);
    return code;
  };
  EXPECT_EQ(wait({0, 0}), RMW_RET_TIMEOUT);
  EXPECT_OK(rmw_trigger_guard_condition(guard));
  EXPECT_EQ(wait({0, 0}), RMW_RET_OK);
  EXPECT_EQ(wait({0, 1'000'000}), RMW_RET_TIMEOUT);
  for (int round = 0; round < 100; ++round) {
    std::thread other([&] { EXPECT_OK(rmw_trigger_guard_condition(guard)); });
    EXPECT_EQ(wait({30, 0}), RMW_RET_OK);
    other.join();
  }
  EXPECT_OK(rmw_destroy_guard_condition(guard));
}

TEST_F(Graph, ContextsEndInOrder) {
  rmw_context_t context = rmw_get_zero_initialized_context();
  EXPECT_FAILS(RMW_RET_INVALID_ARGUMENT, rmw_init(&options_, &context_));  // twice
  ASSERT_OK(rmw_init(&options_, &context));
  EXPECT_FAILS(RMW_RET_INVALID_ARGUMENT, rmw_context_fini(&context));  // not shut down
  EXPECT_OK(rmw_shutdown(&context));
  EXPECT_EQ(rmw_create_node(&context, "late", "/"), nullptr);
  EXPECT_NE(last_error(), "");
  EXPECT_OK(rmw_context_fini(&context));

  rmw_init_options_t secure = rmw_get_zero_initialized_init_options();
  ASSERT_OK(rmw_init_options_copy(&options_, &secure));
  secure.security_options.enforce_security = RMW_SECURITY_ENFORCEMENT_ENFORCE;
  context = rmw_get_zero_initialized_context();
  EXPECT_FAILS(RMW_RET_UNSUPPORTED, rmw_init(&secure, &context));
  EXPECT_OK(rmw_init_options_fini(&secure));
}

/// A native node in a process of its own.
class NativePeer {
 public:
  NativePeer() : pipe_(popen("ROS_DOMAIN_ID=7 RMW_IMPLEMENTATION=rmw_tandem_cpp " NATIVE_PEER, "w")) {}
  ~NativePeer() { pclose(pipe_); }

 private:
  FILE * const pipe_;
};

TEST_F(Graph, NativeNodesShareMemoryWithTheseNodes) {
  NativePeer peer;
  auto * const out = publisher<Image>("/to_native");
  auto * const in = subscription<Image>("/from_native");
  const rmw_qos_profile_t qos = profile();
  auto * const client = rmw_create_client(node_, set_bool(), "/set_bool", &qos);
  ASSERT_NE(client, nullptr) << last_error();
  ASSERT_TRUE(are_matched(out, in));
  ASSERT_TRUE(is_available(client));
  EXPECT_TRUE(nodes().count("/ native_peer"));

  Image image;
  image.header.frame_id = "stock";
  image.data.resize(6'000'000);
  for (std::size_t i = 0; i < image.data.size(); ++i) image.data[i] = static_cast<std::uint8_t>(i * 7);
  EXPECT_OK(rmw_publish(out, &image, nullptr));
  ASSERT_TRUE(wait_for(in));
  Image back;
  ASSERT_TRUE(take(in, back));
  EXPECT_EQ(back, image);

  SetBool::Request request;
  request.data = true;
  std::int64_t sequence = 0;
  ASSERT_OK(rmw_send_request(client, &request, &sequence));
  SetBool::Response response;
  rmw_service_info_t header{};
  bool is_taken = false;
  EXPECT_TRUE(eventually([&] {
    EXPECT_OK(rmw_take_response(client, &header, &response, &is_taken));
    return is_taken;
  }));
  EXPECT_FALSE(response.success);
  EXPECT_EQ(response.message, "native");
  EXPECT_OK(rmw_destroy_client(node_, client));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

}  // namespace
