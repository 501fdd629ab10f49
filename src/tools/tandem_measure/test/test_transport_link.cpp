// A link does with a transport what it was asked for, and tells what came of it.
#include "tandem/measure/transport_link.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>

namespace {

struct Bytes {
  std::array<std::byte, 24> data;
};

}  // namespace

template <>
const tandem::MessageType & tandem::message_type<Bytes>() {
  static const MessageType type = [] {
    MessageType made{};
    made.name = "test/msg/Bytes";
    made.size = sizeof(Bytes);
    made.alignment = alignof(Bytes);
    made.is_fixed_size = true;
    made.operations.construct = [](const tandem::MessageType &, void * memory) { new (memory) Bytes{}; };
    made.operations.destroy = [](const tandem::MessageType &, void *) {};
    return made;
  }();
  return type;
}

namespace tandem::measure {
namespace {

using transport::PublishResult;

/// What a transport would do, and what it was asked for.
struct World {
  bool lends = true;
  std::size_t left_to_lend = 100;
  PublishResult result = PublishResult::kOk;
  std::deque<Bytes> messages;
  std::size_t copied = 0;
  std::size_t attached = 0;
  std::size_t waits = 0;
  transport::TopicOptions asked;
  std::string node;
};

struct FakeLoan : tandem::Lender {
  void take_back(void *, std::uint32_t) noexcept override { delete this; }
  Bytes bytes{};
};

struct FakePublisher : transport::Publisher {
  explicit FakePublisher(World & w) : world(w) {}
  bool can_loan() const override { return world.lends; }
  tandem::Loan borrow() override {
    if (world.left_to_lend == 0) return {};
    --world.left_to_lend;
    auto * const loan = new FakeLoan;
    return tandem::Loan(*loan, &loan->bytes, sizeof loan->bytes);
  }
  PublishResult do_publish(tandem::Loan && loan, transport::RequestId *) override {
    const tandem::Loan ended = std::move(loan);
    world.messages.push_back(*static_cast<const Bytes *>(ended.data()));
    return world.result;
  }
  PublishResult do_publish(const void * message, transport::RequestId *) override {
    ++world.copied;
    world.messages.push_back(*static_cast<const Bytes *>(message));
    return world.result;
  }
  PublishResult do_publish(tandem::OwnedMessage &, transport::RequestId *) override { return PublishResult::kClosed; }
  std::size_t subscription_count() const override { return 3; }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }
  std::uint64_t failed_borrows() const override { return 0; }
  std::uint64_t copied() const override { return world.copied; }
  transport::Gid gid() const override { return {}; }
  World & world;
};

struct FakeSubscription : transport::Subscription {
  explicit FakeSubscription(World & w) : world(w) {}
  transport::Sample do_take() override {
    if (world.messages.empty()) return {};
    auto message = std::make_shared<Bytes>(world.messages.front());
    world.messages.pop_front();
    transport::Sample sample{message.get(), sizeof(Bytes), message, {}};
    sample.info.publisher[0] = 9;
    return sample;
  }
  bool do_take_into(void *, transport::MessageInfo &) override { return false; }
  bool has_data() const override { return !world.messages.empty(); }
  std::size_t publisher_count() const override { return 2; }
  std::uint64_t lost() const override { return 0; }
  std::uint64_t copied() const override { return 1; }
  transport::Gid gid() const override { return {}; }
  World & world;
};

struct FakeWaitSet : transport::WaitSet {
  explicit FakeWaitSet(World & w) : world(w) {}
  void attach(const std::shared_ptr<transport::Subscription> &) override { ++world.attached; }
  void detach(const std::shared_ptr<transport::Subscription> &) override {}
  bool wait(std::chrono::nanoseconds) override {
    ++world.waits;
    return true;
  }
  void wake() override {}
  World & world;
};

struct FakeContext : transport::Context {
  explicit FakeContext(World & w) : world(w) {}
  std::unique_ptr<transport::Node> create_node(const transport::NodeName & name) override {
    world.node = name.name;
    return std::make_unique<transport::Node>();
  }
  std::shared_ptr<transport::Publisher> create_publisher(const tandem::MessageType &,
                                                         const transport::TopicOptions & options) override {
    world.asked = options;
    return std::make_shared<FakePublisher>(world);
  }
  std::shared_ptr<transport::Subscription> create_subscription(const tandem::MessageType &,
                                                               const transport::TopicOptions & options) override {
    world.asked = options;
    return std::make_shared<FakeSubscription>(world);
  }
  std::shared_ptr<transport::WaitSet> create_wait_set() override { return std::make_shared<FakeWaitSet>(world); }
  transport::GraphSnapshot graph() const override { return {}; }
  World & world;
};

TransportLinkOptions options_with(Loans loans) {
  TransportLinkOptions options;
  options.transport = "rmw_fake_cpp";
  options.kind = whole_message<Bytes>();
  options.size = sizeof(Bytes);
  options.loans = loans;
  options.node = {"/", "tester"};
  return options;
}

TransportLink link_to(World & world, const TransportLinkOptions & options) {
  return TransportLink(std::make_shared<FakeContext>(world), options);
}

const Fill kFill = [](std::span<std::byte> payload) { std::memset(payload.data(), 42, payload.size()); };

TEST(TransportLink, SendsAndTakesWholeMessages) {
  for (const Loans loans : {Loans::kNone, Loans::kWherePossible, Loans::kAll}) {
    World world;
    auto link = link_to(world, options_with(loans));
    const auto outlet = link.make_outlet("/a");
    const auto inlet = link.make_inlet("/a");
    EXPECT_EQ(outlet->send(kFill), Sent::kOk);
    EXPECT_EQ(outlet->copied(), loans == Loans::kNone ? 1U : 0U);
    inlet->wait({});
    EXPECT_EQ(world.waits, 1U);
    const Arrival arrival = inlet->take();
    ASSERT_EQ(arrival.payload.size(), sizeof(Bytes));
    EXPECT_EQ(arrival.payload.back(), std::byte{42});
    EXPECT_EQ(arrival.publisher[0], 9);
    EXPECT_FALSE(inlet->take());
    EXPECT_EQ(world.attached, 1U);
    EXPECT_EQ(outlet->matched(), 3U);
    EXPECT_EQ(inlet->matched(), 2U);
  }
}

TEST(TransportLink, LendsOnlyWherePossible) {
  World world;
  world.lends = false;
  const auto outlet = link_to(world, options_with(Loans::kWherePossible)).make_outlet("/a");
  EXPECT_EQ(outlet->send(kFill), Sent::kOk);
  EXPECT_EQ(outlet->copied(), 1U);
  auto link = link_to(world, options_with(Loans::kAll));
  try {
    link.make_outlet("/a");
    FAIL();
  } catch (const Unsupported & error) {
    EXPECT_STREQ(error.what(), "rmw_fake_cpp does not lend messages of type test/msg/Bytes");
  }
}

TEST(TransportLink, TellsWhatBecameOfAMessage) {
  World world;
  auto link = link_to(world, options_with(Loans::kAll));
  const auto outlet = link.make_transport_outlet("/a");
  world.result = PublishResult::kTimeout;
  EXPECT_EQ(outlet->send(kFill), Sent::kTimeout);
  world.result = PublishResult::kNoMemory;
  EXPECT_EQ(outlet->send(kFill), Sent::kNoLoan);
  EXPECT_EQ(outlet->publish(kFill), PublishResult::kNoMemory);
  world.result = PublishResult::kClosed;
  EXPECT_THROW(outlet->send(kFill), std::runtime_error);
  world.left_to_lend = 0;
  EXPECT_EQ(outlet->send(kFill), Sent::kNoLoan);
  EXPECT_EQ(outlet->publish(kFill), std::nullopt);
}

TEST(TransportLink, AsksForWhatTheOptionsSay) {
  World world;
  TransportLinkOptions options = options_with(Loans::kNone);
  options.qos.depth = 77;
  options.held_quota = 5;
  options.ignore_local_publications = true;
  auto link = link_to(world, options);
  EXPECT_EQ(world.node, "tester");
  link.make_transport_inlet("/b");
  EXPECT_EQ(world.attached, 0U);
  EXPECT_EQ(world.asked.topic, "/b");
  EXPECT_EQ(world.asked.node.name, "tester");
  EXPECT_EQ(world.asked.qos.depth, 77U);
  EXPECT_EQ(world.asked.held_quota, 5U);
  EXPECT_TRUE(world.asked.ignore_local_publications);
}

}  // namespace
}  // namespace tandem::measure
