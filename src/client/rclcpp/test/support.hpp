// What every test here needs: a message type, a shared-memory folder of its own, and waiting without measuring time.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "tandem/message_memory.hpp"

namespace test {

/// A fixed-size message of 64 KiB, written by hand.
struct Block {
  TANDEM_MESSAGE_MEMORY
  static constexpr std::size_t kBytes = 65536;
  std::int32_t index = 0;
  std::uint64_t stamp = 0;
  std::array<std::uint8_t, kBytes> data{};
};

/// Another type, for topics where types disagree.
struct Other {
  std::int64_t value = 0;
};

// Their fields, for middlewares that serialize.
constexpr tandem::Field number(const char * name, tandem::FieldKind kind, std::size_t offset) {
  return {name, kind, tandem::FieldShape::kSingle, offset, 1, tandem::kUnbounded, nullptr, nullptr};
}
inline constexpr tandem::Field kBlockFields[] = {
    number("index", tandem::FieldKind::kInt32, offsetof(Block, index)),
    number("stamp", tandem::FieldKind::kUint64, offsetof(Block, stamp)),
    {"data", tandem::FieldKind::kUint8, tandem::FieldShape::kArray, offsetof(Block, data), Block::kBytes,
     tandem::kUnbounded, nullptr, nullptr},
};
inline constexpr tandem::Field kOtherFields[] = {
    number("value", tandem::FieldKind::kInt64, offsetof(Other, value)),
};

template <class T, std::size_t kFields>
tandem::MessageType describe(const char * name, std::uint8_t hash, const tandem::Field (&fields)[kFields]) {
  tandem::MessageType type{};
  type.name = name;
  type.hash.fill(hash);
  type.abi = 1;
  type.size = sizeof(T);
  type.alignment = alignof(T);
  type.is_fixed_size = true;
  type.operations.construct = [](const tandem::MessageType &, void * memory) { new (memory) T(); };
  type.operations.destroy = [](const tandem::MessageType &, void * message) { static_cast<T *>(message)->~T(); };
  type.operations.copy_construct = [](const tandem::MessageType &, void * memory, const void * message) {
    new (memory) T(*static_cast<const T *>(message));
  };
  type.operations.assign = [](const tandem::MessageType &, void * message, const void * other) {
    *static_cast<T *>(message) = *static_cast<const T *>(other);
  };
  type.fields = fields;
  type.field_count = kFields;
  return type;
}

/// Generous: only a broken program waits so long.
constexpr std::chrono::seconds kPatience{60};

template <class Predicate>
bool eventually(Predicate && predicate) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!predicate()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// eventually(), running the callbacks of an executor meanwhile.
template <class Predicate>
bool spin_until(rclcpp::Executor & executor, Predicate && predicate) {
  return eventually([&] {
    executor.spin_some();
    return predicate();
  });
}

/// rclcpp, initialised for the duration of a test.
class Rclcpp : public testing::Test {
 protected:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override {
    if (rclcpp::ok()) rclcpp::shutdown();
  }
};

/// The same with the node "/ns/node" and an executor for it.
template <class ExecutorT>
class WithNodeIn : public Rclcpp {
 protected:
  void SetUp() override {
    Rclcpp::SetUp();
    node_ = std::make_shared<rclcpp::Node>("node", "/ns");
    executor_.emplace();
    executor_->add_node(node_);
  }
  void TearDown() override {
    executor_.reset();
    node_.reset();
    Rclcpp::TearDown();
  }
  template <class Predicate>
  bool spin_until(Predicate && predicate) {
    return test::spin_until(*executor_, predicate);
  }
  /// Waits until the publisher has so many subscriptions.
  template <class PublisherT>
  bool matched(const PublisherT & publisher, size_t count = 1) {
    return test::eventually([&] { return publisher->get_subscription_count() == count; });
  }

  std::shared_ptr<rclcpp::Node> node_;
  std::optional<ExecutorT> executor_;
};
class WithNode : public WithNodeIn<rclcpp::executors::SingleThreadedExecutor> {};

}  // namespace test

namespace tandem {

template <>
inline const MessageType & message_type<test::Block>() {
  static const MessageType type = test::describe<test::Block>("test_msgs/msg/Block", 1, test::kBlockFields);
  return type;
}

template <>
inline const MessageType & message_type<test::Other>() {
  static const MessageType type = test::describe<test::Other>("test_msgs/msg/Other", 2, test::kOtherFields);
  return type;
}

}  // namespace tandem

/// What a function writes to stderr.
template <class Function>
std::string written(Function && function) {
  testing::internal::CaptureStderr();
  function();
  return testing::internal::GetCapturedStderr();
}
