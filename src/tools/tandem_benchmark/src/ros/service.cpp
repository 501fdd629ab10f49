// What a service's call costs beside a message there and one back, between two processes. 64 B each way.
//
//   service.topic.poll   two topics of rmw_tandem_cpp, both sides call take() until there is a message
//   service.call.poll    a service of rmw_tandem_cpp, the same way
//   service.topic.block  two topics of rclcpp, each side's executor sleeps
//   service.call.block   a service of rclcpp: async_send_request() with a callback, the same way
#include <optional>

#include "common/suites.hpp"
#include "ros/ros_round_trip.hpp"
#include "tandem/plugin.hpp"
#include "tandem/service.hpp"
#include "tandem_benchmark/msg/message64b.hpp"
#include "tandem_benchmark/srv/call64b.hpp"

namespace bench {
namespace {

namespace transport = tandem::transport;
using tandem_benchmark::msg::Message64b;
using tandem_benchmark::srv::Call64b;

constexpr std::uint32_t kDomain = 97;
constexpr std::uint32_t kDepth = 10;

struct Received {
  Head head;
};

/// Copies a message's first words, which both types have at the same place.
void write_head(void * message, const Head & head) { std::memcpy(message, &head, sizeof head); }
Head read_head(const void * message) {
  Head head;
  std::memcpy(&head, message, sizeof head);
  return head;
}

transport::Sample poll(transport::Subscription & from) {
  Patience patience;
  for (;;) {
    if (transport::Sample sample = from.take()) {
      return sample;
    }
    patience.check();
  }
}

class Polled : public Contestant {
 public:
  explicit Polled(std::string name) : name_(std::move(name)) {}
  Samples ping(const Burst & burst) override {
    return {{name_, play_ping(
                        burst, [this](const Head & head) { send(head); }, [this] { return receive(); })}};
  }
  void pong() override {
    play_pong([this](const Head & head) { send(head); }, [this] { return receive(); });
  }

 protected:
  static transport::Context & context() {
    static const auto joined = transport::load("rmw_tandem_cpp").create_context(kDomain);
    return *joined;
  }
  static transport::Qos qos() {
    transport::Qos result;
    result.depth = kDepth;
    return result;
  }
  virtual void send(const Head & head) = 0;
  virtual transport::Subscription & from() = 0;

  transport::Sample sample_;  ///< the last one that came

 private:
  Received receive() {
    sample_ = {};
    sample_ = poll(from());
    return {read_head(sample_.message)};
  }
  const std::string name_;
};

tandem::Loan filled(transport::Publisher & publisher, const Head & head) {
  auto loan = publisher.borrow();
  if (!loan) {
    throw std::runtime_error("no message can be borrowed");
  }
  write_head(loan.data(), head);
  return loan;
}

void check(transport::PublishResult result) {
  if (result != transport::PublishResult::kOk) {
    throw std::runtime_error(std::string("publish failed: ") + transport::to_string(result));
  }
}

class PolledTopics final : public Polled {
 public:
  PolledTopics(const std::string & name, bool ping) : Polled(name) {
    const transport::TopicOptions there{{"/", "bench"}, "/bench/service_poll/there", qos()};
    const transport::TopicOptions back{{"/", "bench"}, "/bench/service_poll/back", qos()};
    const auto & type = tandem::message_type<Message64b>();
    publisher_ = context().create_publisher(type, ping ? there : back);
    subscription_ = context().create_subscription(type, ping ? back : there);
  }
  bool is_connected() const override {
    return publisher_->subscription_count() == 1 && subscription_->publisher_count() == 1;
  }

 private:
  void send(const Head & head) override { check(publisher_->publish(filled(*publisher_, head))); }
  transport::Subscription & from() override { return *subscription_; }
  std::shared_ptr<transport::Publisher> publisher_;
  std::shared_ptr<transport::Subscription> subscription_;
};

class PolledService final : public Polled {
 public:
  PolledService(const std::string & name, bool ping) : Polled(name) {
    const transport::ServiceOptions options{{"/", "bench"}, "/bench/service_poll", qos()};
    const auto & type = tandem::service_type<Call64b>();
    if (ping) {
      client_.emplace(context(), type, options);
    } else {
      server_.emplace(context(), type, options);
    }
  }
  bool is_connected() const override {
    return client_ ? client_->is_ready() : server_->requests()->publisher_count() == 1;
  }

 private:
  void send(const Head & head) override {
    std::int64_t sequence = 0;
    check(client_ ? client_->send(filled(client_->requests(), head), sequence)
                  : server_->reply(filled(server_->replies(), head), sample_.info.request));
  }
  transport::Subscription & from() override { return client_ ? *client_->replies() : *server_->requests(); }
  std::optional<transport::ServiceClient> client_;
  std::optional<transport::ServiceServer> server_;
};

class Topics final : public RosRoundTrip<Message64b> {
 public:
  using RosRoundTrip::RosRoundTrip;

 private:
  Head head_of(const Message64b & message) const override { return {message.sequence, message.last}; }
  void send(const Head & head) override {
    Message64b message;  // as a service's request is made
    message.sequence = head.sequence;
    message.last = head.last;
    publisher().publish(message);
  }
};

class Calls final : public SpunRoundTrip {
 public:
  Calls(const std::string & name, bool ping) : SpunRoundTrip(name, ping) {
    if (ping) {
      client_ = ros().node->create_client<Call64b>("/bench/service_block");
    } else {
      service_ = ros().node->create_service<Call64b>(
          "/bench/service_block",
          [this](const std::shared_ptr<Call64b::Request> request, std::shared_ptr<Call64b::Response> response) {
            response->sequence = request->sequence;
            response->last = request->last;
            note_answered({request->sequence, request->last});
          });
    }
  }
  bool is_connected() const override { return !client_ || client_->service_is_ready(); }

 private:
  void send(const Head & head) override {
    auto request = std::make_shared<Call64b::Request>();
    request->sequence = head.sequence;
    request->last = head.last;
    client_->async_send_request(request, [this](rclcpp::Client<Call64b>::SharedFuture future) {
      const auto response = future.get();
      receive_answer({response->sequence, response->last});
    });
  }

  rclcpp::Client<Call64b>::SharedPtr client_;
  rclcpp::Service<Call64b>::SharedPtr service_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  if (name == "service.topic.poll") {
    return std::make_unique<PolledTopics>(name, role.ping);
  }
  if (name == "service.call.poll") {
    return std::make_unique<PolledService>(name, role.ping);
  }
  if (name == "service.topic.block") {
    return std::make_unique<Topics>(name, role.ping);
  }
  return std::make_unique<Calls>(name, role.ping);
}

}  // namespace

Suite service_suite(const Length & length) {
  Suite suite{"service", 1, make};
  suite.add("service.topic.poll", length.polled(), "a message there and one back, polling, half of it");
  suite.add("service.call.poll", length.polled(), "a service's call, polling, half of it");
  suite.add("service.topic.block", length.samples(1000), "rclcpp, a message there and one back, blocking, half of it");
  suite.add("service.call.block", length.samples(1000), "rclcpp, a service's call, blocking, half of it");
  for (const std::string how : {"poll", "block"}) {
    suite.targets.push_back({"service's call / messages there and back, " + how + "ing", "service.call." + how,
                             "service.topic." + how, 1.2});
  }
  return suite;
}

}  // namespace bench
