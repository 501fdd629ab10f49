// What generic code asks of callbacks and types, and the strategies that programs name.
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include "rcl_interfaces/msg/log.hpp"
#include "rcl_interfaces/msg/parameter_type.hpp"
#include "rclcpp/executor_options.hpp"
#include "rclcpp/function_traits.hpp"
#include "rclcpp/get_message_type_support_handle.hpp"
#include "rclcpp/is_ros_compatible_type.hpp"
#include "rclcpp/strategies/message_pool_memory_strategy.hpp"
#include "rclcpp/subscription_content_filter_options.hpp"
#include "rclcpp/subscription_traits.hpp"
#include "rclcpp/subscription_wait_set_mask.hpp"
#include "rclcpp/wait_result.hpp"
#include "rclcpp/wait_result_kind.hpp"
#include "support.hpp"

namespace {

using namespace rclcpp::function_traits;  // NOLINT: what is tested
using rcl_interfaces::msg::Log;
using rcl_interfaces::msg::ParameterType;

int add(int, char) { return 0; }

struct Receiver {
  void receive(const Log &, double) {}
  bool look(int) const { return true; }
};

template <class T, class... Args>
constexpr bool kTakes = check_arguments<T, Args...>::value;

TEST(FunctionTraits, KnowWhatFunctionsTakeAndReturn) {
  static_assert(kTakes<decltype(add), int, char> && kTakes<decltype(&add), int, char>);
  static_assert(function_traits<decltype(add)>::arity == 2 && arity_comparator<2, decltype(&add)>::value);
  static_assert(std::is_same_v<function_traits<decltype(add)>::argument_type<1>, char>);
  static_assert(std::is_same_v<function_traits<decltype(add)>::return_type, int>);
  static_assert(kTakes<decltype(&Receiver::look), Receiver &, int>);
}

TEST(FunctionTraits, KnowWhatObjectsTakeAndReturn) {
  int count = 0;
  auto plain = [](const std::string &) { return 1.0; };
  auto changing = [count](int) mutable noexcept { return ++count; };
  static_assert(kTakes<decltype(plain), const std::string &> && kTakes<decltype(plain) &, const std::string &>);
  static_assert(kTakes<const decltype(plain) &, const std::string &>);
  static_assert(std::is_same_v<function_traits<decltype(plain)>::return_type, double>);
  static_assert(kTakes<decltype(changing), int>);
  static_assert(kTakes<std::function<void(int, int)>, int, int>);
  static_assert(same_arguments<decltype(changing), std::function<void(int)>>::value);
  static_assert(!same_arguments<decltype(plain), decltype(changing)>::value);
  static_assert(std::is_same_v<as_std_function<decltype(plain)>::type, std::function<double(const std::string &)>>);
  static_assert(std::is_same_v<tuple_tail<std::tuple<int, char>>::type, std::tuple<char>>);
}

TEST(FunctionTraits, KnowWhatIsBound) {
  Receiver receiver;
  auto member = std::bind(&Receiver::receive, &receiver, std::placeholders::_1, std::placeholders::_2);
  auto constant = std::bind(&Receiver::look, &receiver, std::placeholders::_1);
  auto function = std::bind(add, std::placeholders::_1, std::placeholders::_2);
  static_assert(kTakes<decltype(member), const Log &, double>);
  static_assert(kTakes<decltype(constant), int> && kTakes<decltype(function), int, char>);
}

template <class CallbackT>
using MessageOf = typename rclcpp::subscription_traits::has_message_type<CallbackT>::type;

template <class T, class = void>
struct HasMessage : std::false_type {};
template <class T>
struct HasMessage<T, std::void_t<MessageOf<T>>> : std::true_type {};

TEST(SubscriptionTraits, NameTheMessageOfACallback) {
  static_assert(std::is_same_v<MessageOf<void (*)(const Log &)>, Log>);
  static_assert(std::is_same_v<MessageOf<std::function<void(Log::UniquePtr)>>, Log>);
  // As in ROS 2, which looks into pointers by value only.
  static_assert(std::is_same_v<MessageOf<void (*)(const Log::ConstSharedPtr &)>, Log::ConstSharedPtr>);
  static_assert(std::is_same_v<MessageOf<std::function<void(Log::ConstSharedPtr)>>, Log>);
  static_assert(HasMessage<void (*)(Log)>::value);
  static_assert(!HasMessage<int>::value && !HasMessage<rclcpp::SensorDataQoS>::value);
  static_assert(!HasMessage<rclcpp::SubscriptionOptions>::value && !HasMessage<const rmw_qos_profile_t &>::value);
}

TEST(SubscriptionTraits, TellSerializedCallbacks) {
  using rclcpp::SerializedMessage;
  using namespace rclcpp::subscription_traits;  // NOLINT: what is tested
  static_assert(is_serialized_callback<void (*)(SerializedMessage)>::value);
  static_assert(is_serialized_callback<void (*)(std::shared_ptr<SerializedMessage>)>::value);
  static_assert(!is_serialized_callback<void (*)(Log)>::value);
}

struct Custom {};
}  // namespace

template <>
struct rclcpp::TypeAdapter<Custom, Log> {
  using is_specialized = std::true_type;
  using custom_type = Custom;
  using ros_message_type = Log;
  static void convert_to_ros_message(const Custom &, Log &) {}
  static void convert_to_custom(const Log &, Custom &) {}
};

namespace {

TEST(TypeSupport, IsOfMessagesAndOfAdaptedTypes) {
  using Adapted = rclcpp::TypeAdapter<Custom, Log>;
  static_assert(rclcpp::is_ros_compatible_type<Log>::value && rclcpp::is_ros_compatible_type<Adapted>::value);
  static_assert(!rclcpp::is_ros_compatible_type<int>::value);
  const auto & handle = rclcpp::get_message_type_support_handle<Log>();
  EXPECT_EQ(&handle, &rclcpp::get_message_type_support_handle<Adapted>());
  EXPECT_EQ(&handle, rosidl_typesupport_cpp::get_message_type_support_handle<Log>());
}

TEST(MessagePool, LendsEachMessageOnce) {
  using rclcpp::strategies::message_pool_memory_strategy::MessagePoolMemoryStrategy;
  auto strategy = std::make_shared<MessagePoolMemoryStrategy<ParameterType, 2>>();
  EXPECT_TRUE(strategy->message_allocator_ && strategy->serialized_message_allocator_ && strategy->buffer_allocator_);
  auto first = strategy->borrow_message();
  auto second = strategy->borrow_message();
  ASSERT_TRUE(first && second);
  EXPECT_NE(first, second);
  EXPECT_THROW(strategy->borrow_message(), std::runtime_error);
  strategy->return_message(second);
  EXPECT_THROW(strategy->borrow_message(), std::runtime_error) << "a message is held as long as its pointer";
  second.reset();
  EXPECT_TRUE(strategy->borrow_message());
  strategy.reset();
  first.reset();  // after its pool's owner
}

}  // namespace
