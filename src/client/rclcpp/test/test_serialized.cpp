// Messages as bytes: serialized publishers and subscriptions meet typed ones, of types that are known by name only.
#include <cstring>
#include <std_msgs/msg/int64.hpp>
#include <std_msgs/msg/string.hpp>

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/serialization.hpp"
#include "rmw/rmw.h"
#include "support.hpp"

namespace {

using rclcpp::SerializedMessage;
using std_msgs::msg::Int64;
using std_msgs::msg::String;
using Bytes = std::vector<std::uint8_t>;

/// CDR of the String "abc", written by hand.
const Bytes kAbc = {0, 1, 0, 0, 4, 0, 0, 0, 'a', 'b', 'c', 0};

Bytes bytes_of(const SerializedMessage & message) {
  const auto & raw = message.get_rcl_serialized_message();
  return Bytes(raw.buffer, raw.buffer + raw.buffer_length);
}

SerializedMessage message_of(const Bytes & bytes) {
  SerializedMessage message(bytes.size());
  auto & raw = message.get_rcl_serialized_message();
  if (!bytes.empty()) std::memcpy(raw.buffer, bytes.data(), bytes.size());
  raw.buffer_length = bytes.size();
  return message;
}

String text(const std::string & data) {
  String message;
  message.data = data;
  return message;
}

template <class Function>
std::string error_of(Function && function) {
  try {
    function();
  } catch (const std::exception & error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(SerializedMessages, OwnTheirBuffer) {
  SerializedMessage message = message_of(kAbc);
  EXPECT_EQ(message.size(), kAbc.size());
  EXPECT_EQ(message.capacity(), kAbc.size());
  SerializedMessage copy(message);
  EXPECT_NE(copy.get_rcl_serialized_message().buffer, message.get_rcl_serialized_message().buffer);
  EXPECT_EQ(bytes_of(copy), kAbc);

  const auto * const buffer = message.get_rcl_serialized_message().buffer;
  SerializedMessage moved(std::move(message));
  EXPECT_EQ(moved.get_rcl_serialized_message().buffer, buffer);
  EXPECT_EQ(message.size(), 0u);  // NOLINT: that it is empty is the point
  EXPECT_EQ(message.capacity(), 0u);
  message.reserve(4);
  EXPECT_EQ(message.capacity(), 4u);
  message = moved;
  EXPECT_EQ(bytes_of(message), kAbc);
  message = std::move(moved);
  EXPECT_EQ(message.get_rcl_serialized_message().buffer, buffer);

  rcl_serialized_message_t raw = message.release_rcl_serialized_message();
  EXPECT_EQ(message.capacity(), 0u);
  const SerializedMessage of_rcl(raw);
  EXPECT_EQ(bytes_of(of_rcl), kAbc);
  message = raw;
  EXPECT_EQ(bytes_of(message), kAbc);
  message = std::move(raw);
  EXPECT_EQ(message.get_rcl_serialized_message().buffer, buffer);
  EXPECT_EQ(raw.buffer, nullptr);  // NOLINT
}

TEST(SerializedMessages, AreCutOffWhereThereIsNoRoom) {
  SerializedMessage message = message_of(kAbc);
  message.reserve(100);
  EXPECT_EQ(message.capacity(), 100u);
  EXPECT_EQ(bytes_of(message), kAbc);
  message.reserve(4);
  EXPECT_EQ(bytes_of(message), Bytes({0, 1, 0, 0}));
  EXPECT_THROW(message.reserve(0), rclcpp::exceptions::RCLInvalidArgument);
  rcl_allocator_t none{};
  EXPECT_THROW(SerializedMessage(8, none), rclcpp::exceptions::RCLInvalidArgument);
}

TEST(Serialization, IsThatOfRos) {
  const rclcpp::Serialization<String> serialization;
  SerializedMessage bytes;
  const String message = text("abc");
  serialization.serialize_message(&message, &bytes);
  EXPECT_EQ(bytes_of(bytes), kAbc);
  String read;
  serialization.deserialize_message(&bytes, &read);
  EXPECT_EQ(read.data, "abc");

  const String shorter = text("");
  serialization.serialize_message(&shorter, &bytes);
  EXPECT_EQ(bytes_of(bytes), Bytes({0, 1, 0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(bytes.capacity(), kAbc.size());
}

TEST(Serialization, RefusesWhatIsNoMessage) {
  const rclcpp::Serialization<String> serialization;
  String message;
  SerializedMessage bytes;
  EXPECT_THROW(serialization.serialize_message(nullptr, &bytes), rcpputils::IllegalStateException);
  EXPECT_THROW(serialization.serialize_message(&message, nullptr), rcpputils::IllegalStateException);
  EXPECT_THROW(serialization.deserialize_message(nullptr, &message), rcpputils::IllegalStateException);
  EXPECT_THROW(serialization.deserialize_message(&bytes, &message), rcpputils::IllegalStateException);
  EXPECT_THROW(rclcpp::SerializationBase(nullptr), rcpputils::IllegalStateException);
  const auto cut = message_of({0, 1, 0, 0, 4, 0, 0, 0, 'a'});
  const std::string error = error_of([&] { serialization.deserialize_message(&cut, &message); });
  EXPECT_NE(error.find("std_msgs/msg/String"), std::string::npos) << error;
  EXPECT_NE(error.find("'data'"), std::string::npos) << error;
}

TEST(Serialization, IsThereInC) {
  const auto * const handle = rosidl_typesupport_cpp::get_message_type_support_handle<String>();
  auto bytes = rmw_get_zero_initialized_serialized_message();
  String message = text("abc");
  ASSERT_EQ(rmw_serialize(&message, handle, &bytes), RMW_RET_OK);
  message.data.clear();
  ASSERT_EQ(rmw_deserialize(&bytes, handle, &message), RMW_RET_OK);
  EXPECT_EQ(message.data, "abc");
  bytes.buffer_length = 9;
  EXPECT_EQ(rmw_deserialize(&bytes, handle, &message), RMW_RET_ERROR);
  EXPECT_NE(std::string(rmw_get_error_string().str).find("'data'"), std::string::npos);
  rmw_reset_error();
  EXPECT_EQ(rmw_serialize(nullptr, handle, &bytes), RMW_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rmw_serialized_message_fini(&bytes), RCUTILS_RET_OK);
  EXPECT_STREQ(rmw_get_serialization_format(), "cdr");
}

TEST(TypesByName, AreThoseOfTheirPackages) {
  const auto library = rclcpp::get_typesupport_library("std_msgs/msg/String", "rosidl_typesupport_cpp");
  for (const char * name : {"std_msgs/msg/String", "std_msgs/String"}) {
    const auto * const handle = rclcpp::get_message_typesupport_handle(name, "rosidl_typesupport_cpp", *library);
    ASSERT_NE(handle, nullptr);
    EXPECT_EQ(handle->func(handle, "rosidl_typesupport_cpp"), handle);
    EXPECT_EQ(handle->func(handle, "another"), nullptr);
    SerializedMessage bytes;
    const String message = text("abc");
    rclcpp::SerializationBase(handle).serialize_message(&message, &bytes);
    EXPECT_EQ(bytes_of(bytes), kAbc);
  }
  const auto services = rclcpp::get_typesupport_library("example_interfaces/srv/AddTwoInts", "rosidl_typesupport_cpp");
  EXPECT_NE(
      rclcpp::get_service_typesupport_handle("example_interfaces/AddTwoInts", "rosidl_typesupport_cpp", *services),
      nullptr);
  EXPECT_NE(rclcpp::get_message_typesupport_handle("example_interfaces/srv/AddTwoInts_Request",
                                                   "rosidl_typesupport_cpp", *services),
            nullptr);
}

TEST(TypesByName, ThatAreNotThereAreNamed) {
  const auto library_error = [](const std::string & type, const std::string & identifier) {
    return error_of([&] { rclcpp::get_typesupport_library(type, identifier); });
  };
  EXPECT_NE(library_error("no_such_msgs/msg/String", "rosidl_typesupport_cpp").find("no_such_msgs"), std::string::npos);
  EXPECT_NE(library_error("String", "rosidl_typesupport_cpp").find("'String' is no name"), std::string::npos);
  EXPECT_NE(library_error("std_msgs/msg/String", "rosidl_typesupport_c").find("rosidl_typesupport_c"),
            std::string::npos);
  const auto library = rclcpp::get_typesupport_library("std_msgs/msg/String", "rosidl_typesupport_cpp");
  const std::string error = error_of(
      [&] { rclcpp::get_message_typesupport_handle("std_msgs/msg/Nothing", "rosidl_typesupport_cpp", *library); });
  EXPECT_NE(error.find("std_msgs/msg/Nothing"), std::string::npos) << error;
}

class Serialized : public test::WithNode {
 protected:
  /// Subscribes by name, publishes "abc" with its type, and waits until `count` is so great.
  template <class CallbackT>
  void expect_called(CallbackT && callback, const int & count) {
    const int before = count;
    const auto subscription =
        node_->create_generic_subscription("topic", "std_msgs/msg/String", 10, std::forward<CallbackT>(callback));
    const auto publisher = node_->create_publisher<String>("topic", 10);
    ASSERT_TRUE(matched(publisher));
    publisher->publish(text("abc"));
    EXPECT_TRUE(spin_until([&] { return count > before; }));
  }
};

TEST_F(Serialized, EveryCallbackFormOfAGenericSubscriptionGetsCdr) {
  int count = 0;
  const auto see = [&](const SerializedMessage & message) {
    EXPECT_EQ(bytes_of(message), kAbc);
    ++count;
  };
  const auto look_at = [&](const rclcpp::MessageInfo & info) {
    EXPECT_GT(info.get_rmw_message_info().source_timestamp, 0);
  };
  using Info = rclcpp::MessageInfo;
  expect_called([&](std::shared_ptr<SerializedMessage> m) { see(*m); }, count);
  expect_called([&](std::shared_ptr<const SerializedMessage> m) { see(*m); }, count);
  expect_called([&](std::unique_ptr<SerializedMessage> m) { see(*m); }, count);
  expect_called([&](const SerializedMessage & m) { see(m); }, count);
  expect_called([&](std::shared_ptr<SerializedMessage> m, const Info & i) { see(*m), look_at(i); }, count);
  expect_called([&](std::shared_ptr<const SerializedMessage> m, const Info & i) { see(*m), look_at(i); }, count);
  expect_called([&](std::unique_ptr<SerializedMessage> m, const Info & i) { see(*m), look_at(i); }, count);
  expect_called([&](const SerializedMessage & m, const Info & i) { see(m), look_at(i); }, count);
  EXPECT_EQ(count, 8);
}

TEST_F(Serialized, ASubscriptionOfATypeMayTakeBytes) {
  std::vector<std::shared_ptr<SerializedMessage>> kept;
  const auto subscription = node_->create_subscription<String>(
      "topic", 10, [&](std::shared_ptr<SerializedMessage> message) { kept.push_back(message); });
  EXPECT_TRUE(subscription->is_serialized());
  EXPECT_EQ(subscription->get_delivered_message_kind(), rclcpp::DeliveredMessageKind::SERIALIZED_MESSAGE);
  const auto typed = node_->create_subscription<String>("topic", 10, [](const String &) {});
  EXPECT_FALSE(typed->is_serialized());
  const auto publisher = node_->create_publisher<String>("topic", 10);
  ASSERT_TRUE(matched(publisher, 2));
  publisher->publish(text("abc"));
  publisher->publish(text(""));
  ASSERT_TRUE(spin_until([&] { return kept.size() == 2; }));
  EXPECT_EQ(bytes_of(*kept[0]), kAbc);
  EXPECT_EQ(bytes_of(*kept[1]), Bytes({0, 1, 0, 0, 1, 0, 0, 0, 0}));
}

TEST_F(Serialized, BytesArePublishedAsMessages) {
  std::vector<std::string> got;
  const auto subscription =
      node_->create_subscription<String>("topic", 10, [&](const String & message) { got.push_back(message.data); });
  const auto generic = node_->create_generic_publisher("topic", "std_msgs/msg/String", 10);
  const auto typed = node_->create_publisher<String>("topic", 10);
  ASSERT_TRUE(matched(generic));
  ASSERT_TRUE(matched(typed));
  const auto abc = message_of(kAbc);
  generic->publish(abc);
  ASSERT_TRUE(spin_until([&] { return got.size() == 1; }));
  generic->publish_as_loaned_msg(abc);
  ASSERT_TRUE(spin_until([&] { return got.size() == 2; }));
  typed->publish(abc);
  ASSERT_TRUE(spin_until([&] { return got.size() == 3; }));
  typed->publish(message_of({0, 0, 0, 0, 0, 0, 0, 3, 'd', 'e', 0}).get_rcl_serialized_message());  // big-endian
  ASSERT_TRUE(spin_until([&] { return got.size() == 4; }));
  EXPECT_EQ(got, std::vector<std::string>({"abc", "abc", "abc", "de"}));
}

TEST_F(Serialized, MessagesOfFixedSizeGoBothWays) {
  std::vector<Bytes> bytes;
  std::vector<std::int64_t> numbers;
  const auto by_name = node_->create_generic_subscription(
      "topic", "std_msgs/msg/Int64", 20, [&](const SerializedMessage & m) { bytes.push_back(bytes_of(m)); });
  const auto by_type =
      node_->create_subscription<Int64>("topic", 20, [&](const Int64 & m) { numbers.push_back(m.data); });
  const auto publisher = node_->create_generic_publisher("topic", "std_msgs/msg/Int64", 20);
  ASSERT_TRUE(matched(publisher, 2));
  const Bytes cdr = {0, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0};
  for (int round = 0; round < 20; ++round) publisher->publish(message_of(cdr)), executor_->spin_some();
  ASSERT_TRUE(spin_until([&] { return bytes.size() == 20 && numbers.size() == 20; }));
  EXPECT_EQ(bytes.back(), cdr);
  EXPECT_EQ(numbers.back(), 258);
}

TEST_F(Serialized, BytesThatAreNoMessageAreRefusedByTopic) {
  int count = 0;
  const auto subscription = node_->create_subscription<String>("topic", 10, [&](const String &) { ++count; });
  const auto publisher = node_->create_generic_publisher("topic", "std_msgs/msg/String", 10);
  ASSERT_TRUE(matched(publisher));
  const Bytes bad[] = {{},
                       {0, 1, 0, 0},
                       {9, 9, 9, 9, 0, 0, 0, 0},
                       {0, 1, 0, 0, 4, 0, 0, 0, 'a'},
                       {0, 1, 0, 0, 255, 255, 255, 255, 'a', 0}};
  for (const Bytes & bytes : bad) {
    const std::string error = error_of([&] { publisher->publish(message_of(bytes)); });
    EXPECT_NE(error.find("'/ns/topic'"), std::string::npos) << error;
    EXPECT_NE(error.find("std_msgs/msg/String"), std::string::npos) << error;
  }
  publisher->publish(message_of(kAbc));
  EXPECT_TRUE(spin_until([&] { return count == 1; }));
}

TEST_F(Serialized, MessagesMayBeTakenByHand) {
  const auto subscription =
      node_->create_generic_subscription("topic", "std_msgs/msg/String", 10, [](const SerializedMessage &) { FAIL(); });
  const auto typed = node_->create_subscription<String>("topic", 10, [](const String &) { FAIL(); });
  const auto publisher = node_->create_publisher<String>("topic", 10);
  ASSERT_TRUE(matched(publisher, 2));
  publisher->publish(text("abc"));
  SerializedMessage message;
  rclcpp::MessageInfo info;
  ASSERT_TRUE(test::eventually([&] { return subscription->take_serialized(message, info); }));
  EXPECT_EQ(bytes_of(message), kAbc);
  EXPECT_GT(info.get_rmw_message_info().source_timestamp, 0);
  EXPECT_FALSE(subscription->take_serialized(message, info));
  ASSERT_TRUE(test::eventually([&] { return typed->take_serialized(message, info); }));
  EXPECT_EQ(bytes_of(message), kAbc);
}

TEST_F(Serialized, CallbacksMayBeCalledByHand) {
  int count = 0;
  const auto by_name = node_->create_generic_subscription("topic", "std_msgs/msg/String", 10,
                                                          [&](std::shared_ptr<SerializedMessage> message) {
                                                            EXPECT_EQ(bytes_of(*message), kAbc);
                                                            ++count;
                                                          });
  const auto bytes = std::make_shared<SerializedMessage>(message_of(kAbc));
  by_name->handle_serialized_message(bytes, rclcpp::MessageInfo());
  EXPECT_EQ(count, 1);
  std::shared_ptr<void> any = by_name->create_message();
  EXPECT_THROW(by_name->handle_message(any, rclcpp::MessageInfo()), rclcpp::exceptions::UnimplementedError);
  by_name->return_message(any);
  EXPECT_EQ(any, nullptr);

  const auto by_type = node_->create_subscription<String>("topic", 10, [&](const String & message) {
    EXPECT_EQ(message.data, "abc");
    ++count;
  });
  any = by_type->create_message();
  rclcpp::SerializationBase(&by_type->get_message_type_support_handle()).deserialize_message(bytes.get(), any.get());
  by_type->handle_message(any, rclcpp::MessageInfo());
  EXPECT_EQ(count, 2);
  EXPECT_THROW(by_type->handle_serialized_message(bytes, rclcpp::MessageInfo()),
               rclcpp::exceptions::UnimplementedError);
}

TEST_F(Serialized, EndpointsOfUnknownTypesAreRefused) {
  const auto callback = [](const SerializedMessage &) {};
  EXPECT_THROW(node_->create_generic_publisher("topic", "no_such_msgs/msg/Thing", 10), std::runtime_error);
  EXPECT_THROW(node_->create_generic_subscription("topic", "Thing", 10, callback), std::runtime_error);
  EXPECT_THROW(node_->create_generic_publisher("bad name", "std_msgs/msg/String", 10),
               rclcpp::exceptions::InvalidTopicNameError);
  const auto publisher =
      rclcpp::create_generic_publisher(node_->get_node_topics_interface(), "topic", "std_msgs/msg/String", 10);
  EXPECT_STREQ(publisher->get_topic_name(), "/ns/topic");
}

/// Counts what it makes.
template <class T>
struct Counting {
  using value_type = T;
  Counting() = default;
  template <class U>
  Counting(const Counting<U> &) {}  // NOLINT: implicit, as allocators are
  T * allocate(std::size_t n) { return ++live(), std::allocator<T>().allocate(n); }
  void deallocate(T * memory, std::size_t n) { --live(), std::allocator<T>().deallocate(memory, n); }
  static int & live() {
    static int count = 0;
    return count;
  }
};

TEST_F(Serialized, MessagesOfAllocatorsAreCopiedAndFreedThere) {
  using Alloc = Counting<void>;
  using MessageAlloc = rclcpp::allocator::AllocRebind<String, Alloc>::allocator_type;
  rclcpp::PublisherOptionsWithAllocator<Alloc> publisher_options;
  publisher_options.allocator = std::make_shared<Alloc>();
  rclcpp::SubscriptionOptionsWithAllocator<Alloc> options;
  std::string got;
  const auto subscription = node_->create_subscription<String>(
      "topic", 10, [&](String::ConstSharedPtr message) { got = message->data; }, options,
      rclcpp::message_memory_strategy::MessageMemoryStrategy<String, Alloc>::create_default());
  const std::shared_ptr<rclcpp::Publisher<String, Alloc>> publisher =
      node_->create_publisher<String>("topic", 10, publisher_options);
  ASSERT_TRUE(matched(publisher));

  MessageAlloc allocator;
  rclcpp::allocator::Deleter<MessageAlloc, String> deleter;
  rclcpp::allocator::set_allocator_for_deleter(&deleter, &allocator);
  auto * const memory = allocator.allocate(1);
  std::allocator_traits<MessageAlloc>::construct(allocator, memory);
  std::unique_ptr<String, decltype(deleter)> message(memory, deleter);
  message->data = "abc";
  publisher->publish(std::move(message));
  EXPECT_EQ(Counting<String>::live(), 0);
  EXPECT_TRUE(spin_until([&] { return got == "abc"; }));
}

}  // namespace
