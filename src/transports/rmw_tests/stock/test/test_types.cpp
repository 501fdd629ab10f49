// Types made from ROS 2's introspection, beside those that Tandem generates of the same definitions.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#include "message_object.hpp"
#include "random_message.hpp"
#include "rmw/error_handling.h"
#include "rmw/rmw.h"
#include "ros_type.hpp"
#include "ros_types.hpp"
#include "tandem/cdr.hpp"
#include "tandem/equality.hpp"
#include "tandem/type_library.hpp"
#include "type_description.hpp"

namespace {

using tandem::MessageType;
using tandem::oracle::MessageObject;
using tandem_rmw::RosType;

#define C_HANDLE(PACKAGE, NAME) \
  ROSIDL_TYPESUPPORT_INTERFACE__MESSAGE_SYMBOL_NAME(rosidl_typesupport_introspection_c, PACKAGE, msg, NAME)()
#define BOTH(PACKAGE, NAME) \
  {#PACKAGE "/msg/" #NAME, type_support<PACKAGE::msg::NAME>()}, { #PACKAGE "/msg/" #NAME, C_HANDLE(PACKAGE, NAME) }

}  // namespace

#define DECLARE_C_HANDLE(PACKAGE, NAME)                                                    \
  const rosidl_message_type_support_t * ROSIDL_TYPESUPPORT_INTERFACE__MESSAGE_SYMBOL_NAME( \
      rosidl_typesupport_introspection_c, PACKAGE, msg, NAME)();
extern "C" {
DECLARE_C_HANDLE(interface_tests, Arrays)
DECLARE_C_HANDLE(interface_tests, Bounded)
DECLARE_C_HANDLE(interface_tests, Defaults)
DECLARE_C_HANDLE(interface_tests, Empty)
DECLARE_C_HANDLE(interface_tests, Nested)
DECLARE_C_HANDLE(interface_tests, Padded)
DECLARE_C_HANDLE(interface_tests, Primitives)
DECLARE_C_HANDLE(interface_tests, Sequences)
DECLARE_C_HANDLE(interface_tests, Strings)
DECLARE_C_HANDLE(interface_tests, VariableDefaults)
DECLARE_C_HANDLE(sensor_msgs, Image)
DECLARE_C_HANDLE(sensor_msgs, PointCloud2)
DECLARE_C_HANDLE(std_msgs, Header)
}

namespace {

struct Case {
  const char * name;
  const rosidl_message_type_support_t * handle;
};

std::vector<Case> cases() {
  return {BOTH(interface_tests, Arrays),
          BOTH(interface_tests, Bounded),
          BOTH(interface_tests, Defaults),
          BOTH(interface_tests, Empty),
          BOTH(interface_tests, Nested),
          BOTH(interface_tests, Padded),
          BOTH(interface_tests, Primitives),
          BOTH(interface_tests, Sequences),
          BOTH(interface_tests, Strings),
          BOTH(sensor_msgs, Image),
          BOTH(interface_tests, VariableDefaults),
          BOTH(sensor_msgs, PointCloud2),
          BOTH(std_msgs, Header)};
}

/// One of ROS 2's structs, as its type support makes it.
class RosObject {
 public:
  explicit RosObject(const RosType & type) : type_(type), memory_(::operator new(type.size)) {
    type_.initialize(memory_);
  }
  ~RosObject() {
    type_.finalize(memory_);
    ::operator delete(memory_);
  }
  RosObject(const RosObject &) = delete;
  RosObject & operator=(const RosObject &) = delete;
  void * get() { return memory_; }

 private:
  const RosType & type_;
  void * const memory_;
};

class Types : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto found = tandem::find_message_type(GetParam().name);
    ASSERT_TRUE(found) << found.error();
    native_ = *found;
    type_ = tandem_rmw::find_type(GetParam().handle);
    ASSERT_NE(type_, nullptr) << rmw_get_error_string().str;
  }
  const MessageType * native_ = nullptr;
  const RosType * type_ = nullptr;
};

void expect_same(const MessageType & a, const MessageType & b) {
  EXPECT_STREQ(a.name, b.name);
  EXPECT_EQ(a.size, b.size) << a.name;
  EXPECT_EQ(a.alignment, b.alignment) << a.name;
  EXPECT_EQ(a.abi, b.abi) << a.name;
  EXPECT_EQ(a.is_fixed_size, b.is_fixed_size) << a.name;
  ASSERT_EQ(a.field_count, b.field_count) << a.name;
  for (std::size_t i = 0; i < a.field_count; ++i) {
    EXPECT_STREQ(a.fields[i].name, b.fields[i].name);
    EXPECT_EQ(a.fields[i].kind, b.fields[i].kind) << a.fields[i].name;
    EXPECT_EQ(a.fields[i].shape, b.fields[i].shape) << a.fields[i].name;
    EXPECT_EQ(a.fields[i].offset, b.fields[i].offset) << a.fields[i].name;
    EXPECT_EQ(a.fields[i].count, b.fields[i].count) << a.fields[i].name;
    EXPECT_EQ(a.fields[i].string_bound, b.fields[i].string_bound) << a.fields[i].name;
    if (a.fields[i].kind == tandem::FieldKind::kMessage) expect_same(a.fields[i].message(), b.fields[i].message());
  }
}

TEST_P(Types, AreTheSameAsThoseThatTandemGenerates) {
  expect_same(type_->native, *native_);
  EXPECT_EQ(type_->native.hash, native_->hash);
  EXPECT_EQ(tandem_rmw::find_type(GetParam().handle), type_);
}

TEST_P(Types, ContentsSurviveBothWays) {
  const auto seed = std::random_device()();
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  RosObject ros(*type_);
  MessageObject back(type_->native);
  for (int round = 0; round < 30; ++round) {  // into the same two, whatever is in them
    MessageObject first(*native_);
    tandem::oracle::randomize(*native_, first.get(), random, {static_cast<std::size_t>(round % 5), 12});
    tandem_rmw::to_ros(*type_, first.get(), ros.get());
    tandem_rmw::to_native(*type_, ros.get(), back.get());
    EXPECT_EQ(tandem::serialize(*native_, back.get()), tandem::serialize(*native_, first.get()));
  }
}

TEST_P(Types, MessagesAreCopiedAndAssigned) {
  const auto seed = std::random_device()();
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  MessageObject target(type_->native);
  for (int round = 0; round < 30; ++round) {
    MessageObject first(type_->native);
    tandem::oracle::randomize(type_->native, first.get(), random, {static_cast<std::size_t>(round % 5), 12});
    const auto expected = tandem::serialize(*native_, first.get());
    type_->native.assign(target.get(), first.get());
    EXPECT_EQ(tandem::serialize(*native_, target.get()), expected);
    MessageObject copy(type_->native);
    type_->native.destroy(copy.get());
    type_->native.copy_construct(copy.get(), first.get());
    EXPECT_EQ(tandem::serialize(*native_, copy.get()), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Types, testing::ValuesIn(cases()), [](const auto & one) {
  std::string name = one.param.name;
  for (char & c : name) c = c == '/' ? '_' : c;
  return name + (one.index % 2 == 0 ? "_cpp" : "_c");
});

TEST(ServiceTypes, HaveTheHashThatTandemGenerates) {
  const auto * const type = tandem_rmw::find_type(
      rosidl_typesupport_introspection_cpp::get_service_type_support_handle<std_srvs::srv::SetBool>());
  ASSERT_NE(type, nullptr);
  const auto native = tandem::find_service_type("std_srvs/srv/SetBool");
  ASSERT_TRUE(native) << native.error();
  EXPECT_EQ(type->native.hash, (*native)->hash);
  expect_same(*type->native.request, *(*native)->request);
  expect_same(*type->native.response, *(*native)->response);
}

TEST(ServiceTypes, LeaveTheirMessagesTheirHash) {
  const auto * const service = tandem_rmw::find_type(
      rosidl_typesupport_introspection_cpp::get_service_type_support_handle<std_srvs::srv::SetBool>());
  ASSERT_NE(service, nullptr);
  const auto * const request = tandem_rmw::find_type(type_support<std_srvs::srv::SetBool::Request>());
  EXPECT_EQ(request, service->request);
  EXPECT_EQ(request->native.hash, tandem_rmw::computed_hash(*request));
}

// What a program keeps until it ends is destroyed after what it has loaded.
struct Last {
  const RosType * type = nullptr;
  ~Last() {
    if (type != nullptr && type->name != "interface_tests/msg/VariableDefaults") std::_Exit(1);
  }
};
__attribute__((init_priority(101))) Last last;

TEST(TypesDeathTest, LiveUntilTheProcessHasEnded) {
  EXPECT_EXIT(
      {
        last.type = tandem_rmw::find_type(type_support<interface_tests::msg::VariableDefaults>());
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Bounds, StringsAndSequencesThatAreTooLongAreRefused) {
  interface_tests::msg::Bounded message;
  const auto * const type = tandem_rmw::find_type(type_support<interface_tests::msg::Bounded>());
  ASSERT_NE(type, nullptr);
  MessageObject native(type->native);
  message.text = "123456";
  EXPECT_THROW(tandem_rmw::to_native(*type, &message, native.get()), std::length_error);
  message.text = "12345";
  tandem_rmw::to_native(*type, &message, native.get());
  EXPECT_EQ(tandem::serialize(type->native, native.get()).size(), tandem::serialized_size(type->native, native.get()));
}

/// As rclpy does, which copies what it takes twice. Memory that is new from the kernel costs 4,500 faults a message.
TEST(Memory, OfLargeMessagesIsUsedAgain) {
  const auto * const type = tandem_rmw::find_type(type_support<sensor_msgs::msg::Image>());
  ASSERT_NE(type, nullptr);
  MessageObject native(type->native);
  sensor_msgs::msg::Image sent;
  sent.data.resize(6'220'800, 7);
  tandem_rmw::to_native(*type, &sent, native.get());
  const auto take = [&] {
    sensor_msgs::msg::Image taken;
    tandem_rmw::to_ros(*type, native.get(), &taken);
    const std::vector<std::uint8_t> second = taken.data;
    const std::vector<std::uint8_t> third = second;
    EXPECT_EQ(third, sent.data);
  };
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
  };
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds; ++i) take();
  const auto before = faults();
  for (int i = 0; i < kRounds; ++i) take();
  EXPECT_LT(faults() - before, kRounds * 500);
}

}  // namespace
