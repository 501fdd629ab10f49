// Requests and replies over a wire.
#include <algorithm>
#include <memory>
#include <vector>

#include "ether.hpp"
#include "tandem/service.hpp"

namespace tandem::transport {
namespace {

const ServiceType & change() {
  static const ServiceType type{"test/srv/Change", {2}, &number(), &number()};
  return type;
}

std::uint64_t value_of(const Sample & sample) { return static_cast<const Number *>(sample.message)->value; }

class ServicesOverAWire : public OverAWire {
 protected:
  using Client = std::unique_ptr<ServiceClient>;

  static constexpr std::uint64_t kDepth = 255;  ///< of services that ask for less

  static ServiceOptions service(History history = History::kKeepLast) {
    ServiceOptions result{{"/", "test"}, "/change", {}};
    result.qos.history = history;
    result.qos.max_blocking_time = std::chrono::milliseconds(20);
    return result;
  }
  void serve(const ServiceOptions & options = service()) {
    server_ = std::make_unique<ServiceServer>(*there_, change(), options);
  }
  Client client(const ServiceOptions & options = service()) {
    auto made = std::make_unique<ServiceClient>(*here_, change(), options);
    ++clients_;
    EXPECT_TRUE(eventually([&] { return made->is_ready() && server_->replies().subscription_count() >= clients_; }));
    return made;
  }
  static std::int64_t send(ServiceClient & client, std::uint64_t value) {
    const Number message{value};
    std::int64_t sequence = 0;
    EXPECT_EQ(client.send(static_cast<const void *>(&message), sequence), PublishResult::kOk);
    return sequence;
  }
  PublishResult reply(const RequestId & id, std::uint64_t value) {
    const Number message{value};
    return server_->reply(static_cast<const void *>(&message), id);
  }
  Sample take_from(Subscription & subscription) {
    Sample sample;
    EXPECT_TRUE(eventually([&] { return static_cast<bool>(sample = subscription.take()); }));
    return sample;
  }
  RequestId take_request() { return take_from(*server_->requests()).info.request; }
  /// Takes a request and replies its value and one.
  void answer() {
    const Sample request = take_from(*server_->requests());
    ASSERT_TRUE(request);
    EXPECT_EQ(reply(request.info.request, value_of(request) + 1), PublishResult::kOk);
  }
  std::size_t pushed_to(const ServiceClient & client) {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    return ether_.pushed[client.replies()->gid()];
  }
  std::shared_ptr<Inbox> inbox_of(const Publisher & publisher) {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    return ether_.inboxes[publisher.gid()].begin()->second;
  }

  std::unique_ptr<ServiceServer> server_;
  std::size_t clients_ = 0;
};

TEST_F(ServicesOverAWire, RepliesGoToTheirClientAlone) {
  serve();
  const Client one = client();
  const Client other = client();
  for (std::uint64_t value = 0; value < 50; ++value) {
    const std::int64_t sequence = send(*one, value);
    answer();
    const Sample taken = take_from(*one->replies());
    EXPECT_EQ(value_of(taken), value + 1);
    EXPECT_EQ(taken.info.request, (RequestId{one->replies()->gid(), sequence}));
  }
  EXPECT_EQ(pushed_to(*other), 0u);
  EXPECT_FALSE(other->replies()->has_data());
  send(*other, 7);
  answer();
  EXPECT_EQ(value_of(take_from(*other->replies())), 8u);
  EXPECT_EQ(other->replies()->lost(), 0u) << "what was for others is not lost";
}

TEST_F(ServicesOverAWire, AReplyThatGoesToAllIsTakenByItsClientOnly) {
  serve();
  const Client one = client();
  const Client other = client();
  send(*one, 1);
  answer();
  // As over a wire that cannot send to one: the other gets the same bytes.
  auto chunk = make_heap_chunk(36);
  std::fill_n(chunk->data, chunk->size, std::byte{0});
  chunk->data[1] = std::byte{1};
  const Gid client_gid = one->replies()->gid();
  std::memcpy(chunk->data + 4, client_gid.data(), client_gid.size());
  std::shared_ptr<Inbox> inbox;
  {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    inbox = ether_.inboxes[server_->replies().gid()].at(other->replies()->gid());
  }
  inbox->push({5, 0}, std::move(chunk));
  EXPECT_FALSE(other->replies()->take());
  EXPECT_FALSE(other->replies()->has_data());
  EXPECT_EQ(value_of(take_from(*one->replies())), 2u);
}

TEST_F(ServicesOverAWire, TheDepthOfRequestsIsEachClients) {
  serve();
  const Client hasty = client();
  const Client other = client();
  send(*other, 1000);
  for (std::uint64_t value = 0; value < kDepth + 3; ++value) {
    send(*hasty, value);
  }
  EXPECT_EQ(value_of(take_from(*server_->requests())), 1000u);
  for (std::uint64_t value = 3; value < kDepth + 3; ++value) {
    ASSERT_EQ(value_of(take_from(*server_->requests())), value);
  }
  EXPECT_FALSE(server_->requests()->take());
  EXPECT_EQ(server_->requests()->lost(), 3u);
}

TEST_F(ServicesOverAWire, AClientThatTakesNothingLosesItsOwnRepliesOnly) {
  serve();
  const Client idle = client();
  const Client other = client();
  for (std::uint64_t value = 0; value < kDepth + 3; ++value) {
    send(*idle, value);
    answer();
  }
  send(*other, 1000);
  answer();
  EXPECT_EQ(value_of(take_from(*other->replies())), 1001u);
  for (std::uint64_t value = 3; value < kDepth + 3; ++value) {
    ASSERT_EQ(value_of(take_from(*idle->replies())), value + 1);
  }
  EXPECT_FALSE(idle->replies()->take());
}

TEST_F(ServicesOverAWire, NoClientHoldsUpAServerThatKeepsAll) {
  serve(service(History::kKeepAll));
  const Client idle = client(service(History::kKeepAll));
  const Client other = client(service(History::kKeepAll));
  send(*idle, 0);
  const RequestId id = take_request();
  for (std::uint64_t value = 0; value < 2000; ++value) {
    ASSERT_EQ(reply(id, value), PublishResult::kOk);
  }
  send(*other, 1);
  answer();
  EXPECT_EQ(value_of(take_from(*other->replies())), 2u);
}

TEST_F(ServicesOverAWire, AReplyWaitsForAClientThatIsNotAdmittedYet) {
  serve();
  {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ether_.refused = reply_channel("/change");
  }
  ServiceClient early(*here_, change(), service());
  ASSERT_TRUE(eventually([&] { return early.requests().subscription_count() == 1; }));
  for (std::uint64_t value = 0; value < 3; ++value) {
    send(early, value);
    answer();
  }
  EXPECT_FALSE(early.replies()->take());
  {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ether_.refused.clear();
  }
  for (std::uint64_t value = 0; value < 3; ++value) {
    EXPECT_EQ(value_of(take_from(*early.replies())), value + 1);
  }
}

TEST_F(ServicesOverAWire, AReplyToNobodyIsDropped) {
  serve();
  Client leaving = client();
  send(*leaving, 1);
  const RequestId id = take_request();
  leaving.reset();
  ASSERT_TRUE(eventually([&] { return server_->replies().subscription_count() == 0; }));
  EXPECT_EQ(reply(id, 2), PublishResult::kOk);
  EXPECT_EQ(reply(RequestId{}, 3), PublishResult::kOk);
  EXPECT_TRUE(server_->replies().wait_for_all_acked(std::chrono::minutes(1)));
}

TEST_F(ServicesOverAWire, RepliesAreAcknowledgedByTheirClient) {
  serve();
  const Client one = client();
  const Client other = client();
  send(*one, 1);
  answer();
  EXPECT_TRUE(server_->replies().wait_for_all_acked(std::chrono::minutes(1)));
  send(*one, 2);
  ether_.is_losing = true;
  answer();
  EXPECT_FALSE(server_->replies().wait_for_all_acked(std::chrono::milliseconds(5)));
  ether_.is_losing = false;
}

TEST_F(ServicesOverAWire, GarbageIsToldOfOnce) {
  serve();
  const Client one = client();
  const auto inbox = inbox_of(one->requests());
  testing::internal::CaptureStderr();
  std::uint64_t sequence = 0;
  for (const std::size_t size : {0, 3, 4, 27, 28, 35}) {
    auto chunk = make_heap_chunk(size);
    std::fill_n(chunk->data, size, std::byte{0xff});
    inbox->push({sequence++, 0}, std::move(chunk));
    EXPECT_FALSE(server_->requests()->take());
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(server_->requests()->lost(), 6u);
}

TEST_F(ServicesOverAWire, ChannelsTellTheHashOfTheService) {
  serve();
  const Client one = client();
  const auto graph = here_->graph();
  EXPECT_EQ(std::count_if(graph.endpoints.begin(), graph.endpoints.end(),
                          [](const EndpointInfo & info) {
                            return info.type_hash.substr(0, 9) == "RIHS01_02" && service_of(info.topic) == "/change";
                          }),
            4);
}

}  // namespace
}  // namespace tandem::transport
