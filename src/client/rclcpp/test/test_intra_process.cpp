// Messages that are handed over within the process: which object arrives where,
// what is copied, in which order, and what is dropped.
#include "support.hpp"

#include <atomic>
#include <set>

using rclcpp::MessageInfo;
using test::Block;
using test::eventually;

namespace {

/// An object that messages are made of, and that counts its copies.
struct Frame {
  int index = 0;
  static inline std::atomic<int> copies{0};
  static inline std::atomic<int> conversions{0};
  Frame() = default;
  explicit Frame(int number) : index(number) {}
  Frame(const Frame & other) : index(other.index) { ++copies; }
};

}  // namespace

template <>
struct rclcpp::TypeAdapter<Frame, Block> {
  using is_specialized = std::true_type;
  using custom_type = Frame;
  using ros_message_type = Block;
  static void convert_to_ros_message(const Frame & source, Block & destination) {
    ++Frame::conversions;
    destination.index = source.index;
  }
  static void convert_to_custom(const Block & source, Frame & destination) {
    ++Frame::conversions;
    destination.index = source.index;
  }
};

namespace {

using Adapted = rclcpp::TypeAdapter<Frame, Block>;
using Indices = std::vector<int>;

/// With a node that has the setting, and one that has not, in one executor.
class IntraProcess : public test::WithNode {
 protected:
  void SetUp() override {
    WithNode::SetUp();
    intra_ = std::make_shared<rclcpp::Node>("intra", rclcpp::NodeOptions().use_intra_process_comms(true));
    executor_->add_node(intra_);
    Frame::copies = 0;
    Frame::conversions = 0;
  }
  void TearDown() override {
    intra_.reset();
    WithNode::TearDown();
  }

  rclcpp::Publisher<Block>::SharedPtr publisher(size_t depth = 10) {
    return intra_->create_publisher<Block>("/topic", depth);
  }
  template <class CallbackT>
  rclcpp::Subscription<Block>::SharedPtr subscribe(CallbackT && callback, size_t depth = 10) {
    return intra_->create_subscription<Block>("/topic", depth, std::forward<CallbackT>(callback));
  }
  /// Takes what each of the messages is.
  auto remember(std::vector<std::shared_ptr<const Block>> & messages) {
    return [&messages](std::shared_ptr<const Block> message) { messages.push_back(std::move(message)); };
  }
  auto remember(std::vector<std::unique_ptr<Block>> & messages) {
    return [&messages](std::unique_ptr<Block> message) { messages.push_back(std::move(message)); };
  }

  static std::unique_ptr<Block> block(int index) {
    auto message = std::make_unique<Block>();
    message->index = index;
    return message;
  }

  std::shared_ptr<rclcpp::Node> intra_;
};

TEST_F(IntraProcess, OneReaderGetsTheObjectItself) {
  std::vector<std::unique_ptr<Block>> received;
  const auto to = publisher();
  const auto from = subscribe(remember(received));
  std::vector<const Block *> sent;
  for (int i = 0; i < 5; ++i) {
    auto message = block(i);
    sent.push_back(message.get());
    to->publish(std::move(message));
  }
  ASSERT_TRUE(spin_until([&] { return received.size() == 5; }));
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(received[i].get(), sent[i]);
    EXPECT_EQ(received[i]->index, static_cast<int>(i));
  }
  EXPECT_EQ(to->get_copied_count() + from->get_copied_count(), 0U);
}

TEST_F(IntraProcess, ReadersShareOneObject) {
  std::vector<std::shared_ptr<const Block>> received;
  const Block * viewed = nullptr;
  const auto to = publisher();
  const auto first = subscribe(remember(received));
  const auto second = subscribe(remember(received));
  const auto third = subscribe([&](const Block & message) { viewed = &message; });
  auto message = block(1);
  const Block * const sent = message.get();
  to->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return received.size() == 2 && viewed != nullptr; }));
  EXPECT_EQ(received[0].get(), sent);
  EXPECT_EQ(received[1].get(), sent);
  EXPECT_EQ(viewed, sent);
  EXPECT_EQ(to->get_copied_count(), 0U);
}

TEST_F(IntraProcess, AllButOneOfThoseWhoOwnGetCopies) {
  std::vector<std::unique_ptr<Block>> unique;
  std::vector<std::shared_ptr<Block>> owned;
  std::vector<std::shared_ptr<const Block>> shared;
  const auto to = publisher();
  const auto a = subscribe(remember(shared));
  const auto b = subscribe(remember(unique));
  const auto c = subscribe(remember(shared));
  const auto d = subscribe([&](std::shared_ptr<Block> message) { owned.push_back(std::move(message)); });
  auto message = block(7);
  const Block * const sent = message.get();
  to->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return shared.size() == 2 && unique.size() == 1 && owned.size() == 1; }));
  EXPECT_EQ(shared[0], shared[1]);
  EXPECT_EQ((std::set<const Block *>{shared[0].get(), unique[0].get(), owned[0].get()}).size(), 3U);
  EXPECT_TRUE(unique[0].get() == sent || owned[0].get() == sent);
  EXPECT_EQ(to->get_copied_count(), 2U);
  unique[0]->index = 8;
  owned[0]->index = 9;
  EXPECT_EQ(shared[0]->index, 7);
}

TEST_F(IntraProcess, AReferenceIsCopiedOnce) {
  std::vector<std::shared_ptr<const Block>> received;
  const auto to = publisher();
  const auto first = subscribe(remember(received));
  const auto second = subscribe(remember(received));
  const auto message = block(3);
  to->publish(*message);
  ASSERT_TRUE(spin_until([&] { return received.size() == 2; }));
  EXPECT_EQ(received[0], received[1]);
  EXPECT_NE(received[0].get(), message.get());
  EXPECT_EQ(to->get_copied_count(), 1U);
}

TEST_F(IntraProcess, TheOldestAreDroppedBeyondTheDepth) {
  Indices received;
  const auto to = publisher(1);
  const auto from = subscribe([&](const Block & message) { received.push_back(message.index); }, 3);
  for (int i = 0; i < 8; ++i) to->publish(block(i));
  ASSERT_TRUE(spin_until([&] { return received.size() == 3; }));
  executor_->spin_all(std::chrono::milliseconds(50));
  EXPECT_EQ(received, (Indices{5, 6, 7}));
  EXPECT_EQ(from->get_lost_count(), 5U);
}

TEST_F(IntraProcess, AQueueGrowsInOrder) {
  Indices received;
  const auto to = publisher();
  const auto from = subscribe([&](const Block & message) { received.push_back(message.index); }, 100);
  Indices sent;
  for (int i = 0; i < 12; ++i) to->publish(block(i));
  ASSERT_TRUE(spin_until([&] { return received.size() == 12; }));
  for (int i = 12; i < 80; ++i) to->publish(block(i));
  for (int i = 0; i < 80; ++i) sent.push_back(i);
  ASSERT_TRUE(spin_until([&] { return received.size() == 80; }));
  EXPECT_EQ(received, sent);
}

TEST_F(IntraProcess, InfoTellsWhereAMessageIsFrom) {
  std::vector<MessageInfo> received;
  const auto to = publisher();
  const auto from = subscribe([&](const Block &, const MessageInfo & info) { received.push_back(info); });
  EXPECT_EQ(to->get_intra_process_subscription_count(), 1U);
  to->publish(block(0));
  to->publish(block(1));
  ASSERT_TRUE(spin_until([&] { return received.size() == 2; }));
  const auto gid = to->get_gid();
  for (const auto & info : received) {
    EXPECT_TRUE(info.get_rmw_message_info().from_intra_process);
    EXPECT_TRUE(std::equal(std::begin(gid.data), std::end(gid.data),
                           std::begin(info.get_rmw_message_info().publisher_gid.data)));
    EXPECT_GT(info.get_rmw_message_info().source_timestamp, 0);
  }
  EXPECT_EQ(received[1].get_rmw_message_info().publication_sequence_number, 1U);
}

TEST_F(IntraProcess, EveryReaderGetsEachMessageOnceBesideOthers) {
  constexpr int kMessages = 300;
  Indices handed;
  Indices plain;
  Indices late;
  const auto to = intra_->create_publisher<Block>("/topic", rclcpp::QoS(kMessages).reliable());
  const auto first = subscribe([&](std::unique_ptr<Block> message) { handed.push_back(message->index); }, kMessages);
  const auto other = node_->create_subscription<Block>("/topic", rclcpp::QoS(kMessages).reliable(),
                                                       [&](const Block & message) { plain.push_back(message.index); });
  ASSERT_TRUE(matched(to, 2));
  rclcpp::Subscription<Block>::SharedPtr second;
  Indices sent;
  for (int i = 0; i < kMessages; ++i) {
    if (i == kMessages / 2) {  // while it has not matched in the middleware yet,
                               // the others miss nothing
      second = subscribe([&](std::unique_ptr<Block> message) { late.push_back(message->index); }, kMessages);
    }
    to->publish(block(i));
    sent.push_back(i);
    if (i % 10 == 0) executor_->spin_some();
  }
  ASSERT_TRUE(spin_until([&] { return handed.size() >= kMessages && plain.size() >= kMessages; }));
  ASSERT_TRUE(spin_until([&] { return late.size() >= kMessages / 2; }));
  executor_->spin_all(std::chrono::milliseconds(200));
  EXPECT_EQ(handed, sent);
  EXPECT_EQ(plain, sent);
  EXPECT_EQ(late, Indices(sent.begin() + kMessages / 2, sent.end()));
}

TEST_F(IntraProcess, ReadersWithoutTheSettingAndOtherPublishersMeetAsBefore) {
  Indices received;
  const auto to = node_->create_publisher<Block>("/topic", 10);
  const auto from = subscribe([&](const Block & message) { received.push_back(message.index); });
  const auto elsewhere = intra_->create_publisher<test::Other>("/topic", 10);  // another type: nothing is handed over
  ASSERT_TRUE(matched(to, 1));
  to->publish(block(1));
  elsewhere->publish(test::Other{5});
  ASSERT_TRUE(spin_until([&] { return received.size() == 1; }));
  EXPECT_EQ(received, Indices{1});
}

TEST_F(IntraProcess, ReadersThatComeLateGetTheHistory) {
  const auto qos = rclcpp::QoS(3).transient_local();
  const auto to = intra_->create_publisher<Block>("/topic", qos);
  for (int i = 0; i < 6; ++i) to->publish(block(i));
  std::vector<std::shared_ptr<const Block>> received;
  Indices own;
  const auto from = intra_->create_subscription<Block>("/topic", qos, remember(received));
  const auto owning = intra_->create_subscription<Block>(
      "/topic", qos, [&](std::unique_ptr<Block> message) { own.push_back(message->index); });
  ASSERT_TRUE(spin_until([&] { return received.size() == 3 && own.size() == 3; }));
  EXPECT_EQ(own, (Indices{3, 4, 5}));
  EXPECT_EQ(received.back()->index, 5);
  to->publish(block(6));
  ASSERT_TRUE(spin_until([&] { return received.size() == 4 && own.size() == 4; }));
}

TEST_F(IntraProcess, ReadersWithTimedQosGetMessagesToo) {
  Indices received;
  const auto deadline = rclcpp::QoS(10).deadline(std::chrono::hours(1));
  const auto to = intra_->create_publisher<Block>("/topic", deadline);
  const auto from = intra_->create_subscription<Block>(
      "/topic", deadline, [&](const Block & message) { received.push_back(message.index); });
  const auto brief = intra_->create_publisher<Block>("/topic", rclcpp::QoS(10).lifespan(std::chrono::hours(1)));
  const auto plain = subscribe([&](const Block & message) { received.push_back(message.index); });
  ASSERT_TRUE(matched(to, 2) && matched(brief, 1));
  to->publish(block(1));
  brief->publish(block(2));
  ASSERT_TRUE(spin_until([&] { return received.size() == 3; }));
}

TEST_F(IntraProcess, AdaptedReadersGetTheObjectItself) {
  const auto to = intra_->create_publisher<Adapted>("/topic", 10);
  const Frame * unique = nullptr;
  const auto one =
      intra_->create_subscription<Adapted>("/topic", 10, [&](std::unique_ptr<Frame> frame) { unique = frame.get(); });
  auto frame = std::make_unique<Frame>(4);
  const Frame * const sent = frame.get();
  to->publish(std::move(frame));
  ASSERT_TRUE(spin_until([&] { return unique != nullptr; }));
  EXPECT_EQ(unique, sent);
  EXPECT_EQ(Frame::copies, 0);
  EXPECT_EQ(Frame::conversions, 0);
}

TEST_F(IntraProcess, AdaptedReadersShareWhileOthersGetMessages) {
  const auto to = intra_->create_publisher<Adapted>("/topic", 10);
  std::vector<std::shared_ptr<const Frame>> shared;
  std::vector<int> viewed;
  const auto keep = [&](std::shared_ptr<const Frame> frame) { shared.push_back(std::move(frame)); };
  const auto a = intra_->create_subscription<Adapted>("/topic", 10, keep);
  const auto b = intra_->create_subscription<Adapted>("/topic", 10, keep);
  const auto c =
      intra_->create_subscription<Adapted>("/topic", 10, [&](const Frame & f) { viewed.push_back(f.index); });
  const auto d = subscribe([&](const Block & message) { viewed.push_back(message.index); });
  to->publish(Frame(6));
  ASSERT_TRUE(spin_until([&] { return shared.size() == 2 && viewed.size() == 2; }));
  EXPECT_EQ(shared[0], shared[1]);
  EXPECT_EQ(viewed, (Indices{6, 6}));
  EXPECT_EQ(Frame::copies, 1);
  EXPECT_EQ(Frame::conversions, 1);
  // What is published as a message is converted for those who take the custom
  // type.
  publisher()->publish(block(8));
  ASSERT_TRUE(spin_until([&] { return shared.size() == 4; }));
  EXPECT_EQ(shared[2]->index, 8);
}

TEST_F(IntraProcess, AnAdaptedObjectIsTakenByHandAsAMessage) {
  const auto to = intra_->create_publisher<Adapted>("/topic", 10);
  const auto from = intra_->create_subscription<Adapted>("/topic", 10, [](std::unique_ptr<Frame>) {});
  to->publish(Frame(3));
  const auto message = std::make_unique<Block>();
  MessageInfo info;
  ASSERT_TRUE(from->take(*message, info));
  EXPECT_EQ(message->index, 3);
  EXPECT_TRUE(info.get_rmw_message_info().from_intra_process);
  from->set_content_filter("index = 5");
  to->publish(Frame(4));
  to->publish(Frame(5));
  ASSERT_TRUE(from->take(*message, info));
  EXPECT_EQ(message->index, 5);
  EXPECT_FALSE(from->take(*message, info));
}

TEST_F(IntraProcess, LoansAreSharedAndManyOfThemCopied) {
  std::vector<std::shared_ptr<const Block>> received;
  const auto to = publisher(40);
  const auto from = subscribe(remember(received), 40);
  std::vector<const Block *> sent;
  for (int i = 0; i < 30; ++i) {
    auto loan = to->borrow_loaned_message();
    loan.get().index = i;
    sent.push_back(&loan.get());
    to->publish(std::move(loan));
  }
  ASSERT_TRUE(spin_until([&] { return received.size() == 30; }));
  for (int i = 0; i < 30; ++i) EXPECT_EQ(received[static_cast<size_t>(i)]->index, i);
  EXPECT_EQ(received[0].get(), sent[0]);
  EXPECT_GT(to->get_copied_count(), 0U);
  received.clear();
  auto loan = to->borrow_loaned_message();
  const Block * const one = &loan.get();
  to->publish(std::move(loan));
  ASSERT_TRUE(spin_until([&] { return received.size() == 1; }));
  EXPECT_EQ(received[0].get(), one);
  EXPECT_THROW(to->publish(std::move(loan)), rclcpp::exceptions::RCLError);
}

TEST_F(IntraProcess, FiltersActOnWhatIsHandedOver) {
  Indices received;
  rclcpp::SubscriptionOptions options;
  options.content_filter_options.filter_expression = "index > 2";
  const auto to = publisher();
  const auto from = intra_->create_subscription<Block>(
      "/topic", 10, [&](std::unique_ptr<Block> message) { received.push_back(message->index); }, options);
  for (int i = 0; i < 5; ++i) to->publish(block(i));
  ASSERT_TRUE(spin_until([&] { return received.size() == 2; }));
  EXPECT_EQ(received, (Indices{3, 4}));
}

TEST_F(IntraProcess, NewMessagesAreToldInTheThreadThatPublishes) {
  size_t told = 0;
  size_t other = 0;
  const auto to = publisher();
  const auto from = subscribe([](const Block &) {});
  to->publish(block(0));
  from->set_on_new_intra_process_message_callback([&](size_t count) { told += count; });
  from->set_on_new_message_callback([&](size_t count) { other += count; });
  EXPECT_EQ(told, 1U);
  to->publish(block(1));
  EXPECT_EQ(told, 2U);
  from->clear_on_new_intra_process_message_callback();
  to->publish(block(2));
  EXPECT_EQ(told, 2U);
  EXPECT_EQ(other, 0U);
  EXPECT_THROW(from->set_on_new_intra_process_message_callback(nullptr), std::invalid_argument);
}

TEST_F(IntraProcess, WaitSetsAreWoken) {
  const auto to = publisher();
  const auto group = intra_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  const auto from = intra_->create_subscription<Block>(
      "/topic", 10, [](const Block &) {}, options);
  rclcpp::WaitSet wait_set(std::vector<rclcpp::WaitSet::SubscriptionEntry>{{from}});
  EXPECT_EQ(wait_set.wait(std::chrono::milliseconds(0)).kind(), rclcpp::WaitResultKind::Timeout);
  std::thread publishing([&] { to->publish(block(9)); });
  ASSERT_EQ(wait_set.wait(test::kPatience).kind(), rclcpp::WaitResultKind::Ready);
  publishing.join();
  const auto message = std::make_unique<Block>();
  MessageInfo info;
  ASSERT_TRUE(from->take(*message, info));
  EXPECT_EQ(message->index, 9);
}

/// Two threads publish to subscriptions in several groups.
template <class ExecutorT>
void serve(ExecutorT & executor) {
  constexpr int kMessages = 500;
  const auto node = std::make_shared<rclcpp::Node>("pair", rclcpp::NodeOptions().use_intra_process_comms(true));
  std::array<std::atomic<int>, 3> counts{};
  std::array<int, 3> last{-1, -1, -1};
  std::atomic<int> out_of_order{0};
  std::vector<std::shared_ptr<void>> members;
  for (size_t i = 0; i < counts.size(); ++i) {
    rclcpp::SubscriptionOptions options;
    options.callback_group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
    members.push_back(options.callback_group);
    const auto see = [&, i](int index) {
      if (index <= last[i]) ++out_of_order;
      last[i] = index;
      ++counts[i];
    };
    const auto topic = "/topic" + std::to_string(i % 2);
    if (i == 0) {
      members.push_back(node->create_subscription<Block>(
          topic, kMessages, [see](std::unique_ptr<Block> message) { see(message->index); }, options));
    } else {
      members.push_back(node->create_subscription<Block>(
          topic, kMessages, [see](std::shared_ptr<const Block> message) { see(message->index); }, options));
    }
  }
  executor.add_node(node);
  std::thread spinning([&] { executor.spin(); });
  std::vector<std::thread> publishing;
  for (int topic = 0; topic < 2; ++topic) {
    publishing.emplace_back([&, topic] {
      const auto to = node->create_publisher<Block>("/topic" + std::to_string(topic), kMessages);
      for (int i = 0; i < kMessages; ++i) {
        auto message = std::make_unique<Block>();
        message->index = i;
        to->publish(std::move(message));
        if (i % 16 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // it falls asleep meanwhile
      }
    });
  }
  for (auto & thread : publishing) thread.join();
  EXPECT_TRUE(eventually(
      [&] { return std::all_of(counts.begin(), counts.end(), [](const auto & one) { return one == kMessages; }); }));
  executor.cancel();
  spinning.join();
  executor.remove_node(node);
  EXPECT_EQ(out_of_order, 0);
}

TEST_F(IntraProcess, OneThreadServes) {
  rclcpp::executors::SingleThreadedExecutor executor;
  serve(executor);
}
TEST_F(IntraProcess, FourThreadsServe) {
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  serve(executor);
}
TEST_F(IntraProcess, EventsExecutorsServe) {
  rclcpp::experimental::executors::EventsExecutor executor;
  serve(executor);
}

TEST_F(IntraProcess, EndsMayComeAndGoWhileOthersPublish) {
  std::atomic<bool> is_over{false};
  std::atomic<int> received{0};
  const auto to = publisher(2);
  std::thread publishing([&] {
    for (int i = 0; !is_over; ++i) to->publish(block(i));
  });
  std::thread spinning([&] {
    while (!is_over) executor_->spin_once(std::chrono::milliseconds(1));
  });
  for (int i = 0; i < 200; ++i) {
    auto unique = subscribe([&](std::unique_ptr<Block>) { ++received; }, 2);
    auto shared = subscribe([&](std::shared_ptr<const Block>) { ++received; }, 2);
    unique->set_on_new_intra_process_message_callback([&](size_t) {});
    const auto brief = publisher(2);
    brief->publish(block(i));
    if (i % 2 == 0) unique.reset();
  }
  const auto last = subscribe([&](std::shared_ptr<const Block>) { ++received; });
  EXPECT_TRUE(eventually([&] { return received > 200; }));
  is_over = true;
  publishing.join();
  spinning.join();
}

}  // namespace
