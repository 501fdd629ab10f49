// A transport over a bus that is a list in this process: what the adapters for Connext and OpenSplice share.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "std_msgs/msg/string.hpp"
#include "tandem/cdr_bus/context.hpp"
#include "tandem/cdr_bus/deaf_readers.hpp"
#include "tandem/dds/discovery_info.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/service.hpp"

namespace {

using namespace tandem::cdr_bus;  // NOLINT: what is tested
using tandem::transport::EndpointKind;
using tandem::transport::PublishResult;
using tandem::transport::Sample;

/// What a reader has not taken yet.
struct Inbox {
  Inbox(Request asked, const Gid & its_gid, std::function<void()> callback)
      : request(std::move(asked)), gid(its_gid), on_data(std::move(callback)) {}

  void receive(Message message) {
    {
      const std::lock_guard lock(mutex);
      queue.push_back(std::move(message));
    }
    const std::lock_guard lock(calling);
    if (on_data) {
      on_data();
    }
  }

  const Request request;
  const Gid gid;
  std::mutex calling;  ///< held while on_data runs
  std::function<void()> on_data;
  std::mutex mutex;  ///< of the queue
  std::deque<Message> queue;
};

/// The wire. Its lock is not held while somebody is called.
struct Hub {
  std::mutex mutex;
  std::vector<std::shared_ptr<Inbox>> inboxes;
  std::set<Gid> writers;  ///< of ros_discovery_info
  std::vector<std::pair<std::string, Bytes>> latched;
};

class FakeReader final : public Reader {
 public:
  FakeReader(Hub & hub, const Request & request, const Gid & gid, std::function<void()> on_data)
      : hub_(hub), inbox_(std::make_shared<Inbox>(request, gid, std::move(on_data))) {
    const std::lock_guard lock(hub_.mutex);
    for (const auto & [topic, cdr] : hub_.latched) {
      if (topic == request.topic) {
        inbox_->queue.push_back({cdr, 1, 0, {}});
      }
    }
    hub_.inboxes.push_back(inbox_);
  }
  ~FakeReader() override {
    {
      const std::lock_guard lock(hub_.mutex);
      std::erase(hub_.inboxes, inbox_);
    }
    const std::lock_guard lock(inbox_->calling);
    inbox_->on_data = nullptr;
  }
  bool take(Message & message) override {
    const std::lock_guard lock(inbox_->mutex);
    if (inbox_->queue.empty()) {
      return false;
    }
    message = inbox_->queue.front();
    inbox_->queue.pop_front();
    return true;
  }
  bool has_data() const override {
    const std::lock_guard lock(inbox_->mutex);
    return !inbox_->queue.empty();
  }
  std::size_t matched() const override { return 1; }
  std::uint64_t lost() const override { return 0; }
  Gid gid() const override { return inbox_->gid; }

 private:
  Hub & hub_;
  const std::shared_ptr<Inbox> inbox_;
};

class FakeWriter final : public Writer {
 public:
  FakeWriter(Hub & hub, Request request, const Gid & gid) : hub_(hub), request_(std::move(request)), gid_(gid) {
    const std::lock_guard lock(hub_.mutex);
    if (request_.topic == tandem::dds::kDiscoveryTopic) {
      hub_.writers.insert(gid_);
    }
  }
  ~FakeWriter() override {
    const std::lock_guard lock(hub_.mutex);
    hub_.writers.erase(gid_);
  }
  PublishResult write(const Bytes & cdr) override {
    std::vector<std::shared_ptr<Inbox>> inboxes;
    {
      const std::lock_guard lock(hub_.mutex);
      if (request_.qos.durability == tandem::transport::Durability::kTransientLocal) {
        hub_.latched.emplace_back(request_.topic, cdr);
      }
      inboxes = hub_.inboxes;
    }
    for (const auto & inbox : inboxes) {
      const bool is_local = std::equal(gid_.begin(), gid_.begin() + 12, inbox->gid.begin());
      if (inbox->request.topic == request_.topic && !(is_local && inbox->request.ignore_local)) {
        inbox->receive({cdr, 1, sequence_, gid_});
      }
    }
    ++sequence_;
    return PublishResult::kOk;
  }
  std::size_t matched() const override { return 1; }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }
  Gid gid() const override { return gid_; }

 private:
  Hub & hub_;
  const Request request_;
  const Gid gid_;
  std::uint64_t sequence_ = 0;
};

class FakeBus final : public Bus {
 public:
  FakeBus(Hub & hub, std::uint8_t number) : hub_(hub), number_(number) {}
  Gid gid() const override { return gid_of(0xc1); }
  std::unique_ptr<Writer> create_writer(const Request & request) override {
    return std::make_unique<FakeWriter>(hub_, request, tell(EndpointKind::kPublisher, request));
  }
  std::unique_ptr<Reader> create_reader(const Request & request, std::function<void()> on_data) override {
    const Gid gid = tell(EndpointKind::kSubscription, request);
    return std::make_unique<FakeReader>(hub_, request, gid, std::move(on_data));
  }
  void watch(Discovery * discovery) override {
    {
      const std::lock_guard lock(telling_);
      discovery_ = discovery;
    }
    for (const FakeBus * peer : peers_) {
      for (const Found & endpoint : peer->made()) {
        tell(endpoint);
      }
    }
  }
  void introduce(FakeBus & other) { peers_.push_back(&other); }
  Discovery * discovery() const { return discovery_; }
  /// Names of fields, and user data, by topic.
  std::map<std::string, std::vector<std::string>> shapes() const {
    const std::lock_guard lock(mutex_);
    return shapes_;
  }
  std::map<std::string, std::string> user_data() const {
    const std::lock_guard lock(mutex_);
    return user_data_;
  }
  Gid gid_of(std::uint8_t entity) const { return {number_, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, entity}; }

 private:
  std::vector<Found> made() const {
    const std::lock_guard lock(mutex_);
    return made_;
  }
  void tell(const Found & endpoint) const {
    const std::lock_guard lock(telling_);
    if (discovery_ != nullptr) {
      discovery_->found(endpoint);
    }
  }
  /// A new endpoint of this bus. \return its gid
  Gid tell(EndpointKind kind, const Request & request) {
    Found endpoint{kind, request.topic, request.type, request.user_data, request.qos, {}};
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; request.shape != nullptr && i < request.shape->field_count; ++i) {
        shapes_[request.topic].push_back(request.shape->fields[i].name);
      }
      user_data_[request.topic] = request.user_data;
      endpoint.gid = gid_of(++entities_);
      made_.push_back(endpoint);
    }
    for (const FakeBus * peer : peers_) {
      peer->tell(endpoint);
    }
    return endpoint.gid;
  }

  Hub & hub_;
  const std::uint8_t number_;
  std::vector<FakeBus *> peers_;
  mutable std::mutex mutex_;  ///< of what was made; participants make endpoints on threads of their own
  std::uint8_t entities_ = 0;
  std::vector<Found> made_;
  std::map<std::string, std::vector<std::string>> shapes_;
  std::map<std::string, std::string> user_data_;
  mutable std::mutex telling_;  ///< held while the discovery is called
  Discovery * discovery_ = nullptr;
};

class CdrBus : public testing::Test {
 protected:
  CdrBus() {
    unsetenv("TANDEM_ROS_DISTRO");
    a_->introduce(*b_);
    b_->introduce(*a_);
    context_b_ = make_context("rmw_test", b_);
    context_a_ = make_context("rmw_test", a_);
  }

  static bool wait_for(const std::function<bool()> & condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return condition();
  }

  static const tandem::MessageType & type() { return tandem::message_type<std_msgs::msg::String>(); }

  Hub hub_;
  std::shared_ptr<FakeBus> a_ = std::make_shared<FakeBus>(hub_, std::uint8_t{1});
  std::shared_ptr<FakeBus> b_ = std::make_shared<FakeBus>(hub_, std::uint8_t{2});
  std::shared_ptr<tandem::transport::Context> context_b_;
  std::shared_ptr<tandem::transport::Context> context_a_;
};

TEST_F(CdrBus, MessagesCrossAndWakeTheReader) {
  const auto publisher = context_a_->create_publisher(type(), {{"/", "talker"}, "/chatter", {}});
  const auto subscription = context_b_->create_subscription(type(), {{"/", "listener"}, "/chatter", {}});
  const auto set = context_b_->create_wait_set();
  set->attach(subscription);
  EXPECT_FALSE(set->wait(std::chrono::nanoseconds(0)));
  std_msgs::msg::String message;
  message.data = "hi";
  ASSERT_EQ(publisher->publish(&message), PublishResult::kOk);
  EXPECT_TRUE(set->wait(std::chrono::seconds(60)));
  const Sample sample = subscription->take();
  ASSERT_TRUE(sample);
  EXPECT_EQ(*static_cast<const std_msgs::msg::String *>(sample.message), message);
  EXPECT_EQ(sample.info.publisher, publisher->gid());
  EXPECT_FALSE(sample.info.from_intra_process);
  EXPECT_FALSE(subscription->take());
}

TEST_F(CdrBus, BadBytesAreDroppedAndSaidOnce) {
  const auto subscription = context_b_->create_subscription(type(), {{"/", "listener"}, "/chatter", {}});
  FakeWriter stranger(hub_, {"rt/chatter", "", nullptr, {}, {}}, a_->gid_of(99));
  testing::internal::CaptureStderr();
  stranger.write({0, 1, 0, 0, 9, 0, 0, 0, 'x'});
  stranger.write({});
  EXPECT_FALSE(subscription->take());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("[WARN] [rmw_test]: topic '/chatter'"), std::string::npos) << said;
  EXPECT_EQ(subscription->lost(), 2u);
}

TEST_F(CdrBus, TheGraphTellsWhoseEndpointsThoseOfOthersAre) {
  auto node = context_a_->create_node({"/ns", "talker"});
  auto publisher = context_a_->create_publisher(type(), {{"/ns", "talker"}, "/chatter", {}});
  tandem::transport::GraphSnapshot graph;
  // The node is told first, and then again with its endpoint.
  ASSERT_TRUE(wait_for([&] {
    graph = context_b_->graph();
    return graph.nodes.size() == 1 && !graph.endpoints.empty();
  }));
  EXPECT_EQ(graph.nodes[0].name, "talker");
  ASSERT_EQ(graph.endpoints.size(), 1u);
  EXPECT_EQ(graph.endpoints[0].topic, "/chatter");
  EXPECT_EQ(graph.endpoints[0].type_name, "std_msgs/msg/String");
  EXPECT_EQ(graph.endpoints[0].node.name, "talker");
  EXPECT_EQ(graph.endpoints[0].gid, publisher->gid());
  b_->discovery()->lost(publisher->gid());
  node.reset();
  EXPECT_TRUE(context_b_->graph().nodes.empty());
  EXPECT_TRUE(context_b_->graph().endpoints.empty());
}

TEST_F(CdrBus, NobodyIsToldOfNodesWhileSomebodyMightNotReadIt) {
  const auto node = context_a_->create_node({"/", "talker"});
  const auto is_listed = [this] { return !context_b_->graph().nodes.empty(); };
  ASSERT_TRUE(wait_for(is_listed));
  FakeBus early(hub_, 3);
  early.introduce(*a_);
  const auto writer = early.create_writer({tandem::dds::kDiscoveryTopic, "", nullptr, {}, {}});
  const auto reader = early.create_reader({tandem::dds::kDiscoveryTopic, "", nullptr, {}, {}}, [] {});
  const auto has_writer = [this] {
    const std::lock_guard lock(hub_.mutex);
    return std::any_of(hub_.writers.begin(), hub_.writers.end(), [](const Gid & gid) { return gid[0] == 1; });
  };
  ASSERT_TRUE(wait_for([&] { return !has_writer(); }));
  context_a_->create_node({"/", "another"});
  Message message;
  while (reader->take(message)) {
    EXPECT_NE(message.writer[0], 1) << "it was told";
  }
  a_->discovery()->lost_participant(early.gid());
  EXPECT_TRUE(wait_for(has_writer)) << "told again when that one has left";
}

TEST_F(CdrBus, LocalPublicationsMayBeIgnored) {
  const auto publisher = context_a_->create_publisher(type(), {{"/", "both"}, "/chatter", {}});
  tandem::transport::TopicOptions options;
  options.node = {"/", "both"};
  options.topic = "/chatter";
  options.ignore_local_publications = true;
  const auto deaf = context_a_->create_subscription(type(), options);
  const auto other = context_b_->create_subscription(type(), options);
  const std_msgs::msg::String message;
  publisher->publish(&message);
  EXPECT_FALSE(deaf->take());
  EXPECT_TRUE(other->take());
}

const tandem::ServiceType & echo() {
  static const tandem::ServiceType type{"test/srv/Echo",
                                        {7},
                                        &tandem::message_type<std_msgs::msg::String>(),
                                        &tandem::message_type<std_msgs::msg::String>()};
  return type;
}

TEST_F(CdrBus, ClientsGetTheRepliesToTheirRequests) {
  const tandem::transport::ServiceOptions options{{"/", "test"}, "/echo", {}};
  tandem::transport::ServiceServer server(*context_b_, echo(), options);
  tandem::transport::ServiceClient one(*context_a_, echo(), options);
  tandem::transport::ServiceClient other(*context_a_, echo(), options);
  for (auto * client : {&one, &other, &one}) {
    std_msgs::msg::String text;
    text.data = "anybody there?";
    std::int64_t sent = 0;
    ASSERT_EQ(client->send(static_cast<const void *>(&text), sent), PublishResult::kOk);
    const Sample request = server.requests()->take();
    ASSERT_TRUE(request);
    EXPECT_EQ(*static_cast<const std_msgs::msg::String *>(request.message), text);
    EXPECT_EQ(request.info.request.client, client->replies()->gid());
    text.data = "yes";
    ASSERT_EQ(server.reply(static_cast<const void *>(&text), request.info.request), PublishResult::kOk);
    EXPECT_FALSE((client == &one ? other : one).replies()->take());
    const Sample reply = client->replies()->take();
    ASSERT_TRUE(reply);
    EXPECT_EQ(*static_cast<const std_msgs::msg::String *>(reply.message), text);
    EXPECT_EQ(reply.info.request.sequence, sent);
  }
  EXPECT_EQ(other.replies()->lost(), 0u);
}

TEST_F(CdrBus, AServicesMessagesBeginWithTheirNumber) {
  const tandem::transport::ServiceClient client(*context_a_, echo(), {{"/", "test"}, "/echo", {}});
  EXPECT_EQ(a_->shapes().at("rq/echoRequest"), (std::vector<std::string>{"client", "sequence", "data"}));
  EXPECT_EQ(a_->shapes().at("rr/echoReply"), (std::vector<std::string>{"client", "sequence", "data"}));
  EXPECT_EQ(tandem::dds::type_hash_in(a_->user_data().at("rq/echoRequest")).substr(0, 9), "RIHS01_07");
}

TEST_F(CdrBus, SetUpErrorsNameTheTopic) {
  tandem::transport::TopicOptions options{{"/", "n"}, "/chatter", {}};
  options.qos.depth = 0;
  try {
    context_a_->create_publisher(type(), options);
    ADD_FAILURE() << "a depth of 0 was taken";
  } catch (const tandem::transport::Error & error) {
    EXPECT_NE(std::string(error.what()).find("/chatter"), std::string::npos);
  }
}

TEST(DeafReaders, AreThoseThatAreThere) {
  DeafReaders deaf;
  const Gid one{1};
  const Gid other{2};
  EXPECT_FALSE(deaf.contains(one));
  deaf.add(one);
  EXPECT_TRUE(deaf.contains(one));
  EXPECT_FALSE(deaf.contains(other));
  deaf.remove(one);
  deaf.remove(other);
  EXPECT_FALSE(deaf.contains(one));
}

TEST(DiscoveryShape, IsTheMessageOfRmwDdsCommon) {
  const tandem::MessageType & shape = discovery_shape();
  ASSERT_EQ(shape.field_count, 2u);
  EXPECT_STREQ(shape.fields[1].name, "node_entities_info_seq");
  const tandem::MessageType & gid = shape.fields[0].message();
  EXPECT_EQ(gid.fields[0].count, static_cast<std::size_t>(tandem::cdr_bus::discovery_width()));
  EXPECT_EQ(shape.fields[1].message().field_count, 4u);
}

}  // namespace
