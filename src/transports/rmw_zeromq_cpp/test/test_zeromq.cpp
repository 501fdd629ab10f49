// What the conformance suite does not see: addresses, strangers on the sockets, broken connections, forks, leaks, copies.
#include <arpa/inet.h>
#include <dirent.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include <zmq.hpp>

#include "fake_publisher.hpp"
#include "std_msgs/msg/string.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/plugin.hpp"

namespace rmw_zeromq {
namespace {

using namespace tandem::transport;  // NOLINT: all that is tested here

constexpr std::chrono::nanoseconds kEndless{-1};

struct Large {
  std::array<std::uint64_t, 32 * 1024> words{};
  TANDEM_MESSAGE_MEMORY
};

const tandem::MessageType & large_type() {
  static const auto type = tandem::detail::make_message_type<Large>({"test/msg/Large", {9}, nullptr, 0});
  return type;
}

std::size_t count_in(const char * folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// Sets a variable for as long as it lives.
class Variable {
 public:
  Variable(const char * name, const std::string & value) : name_(name) {
    const char * before = std::getenv(name);
    before_ = before != nullptr ? before : "";
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { setenv(name_, before_.c_str(), 1); }

 private:
  const char * name_;
  std::string before_;
};

class ZeroMq : public testing::Test {
 protected:
  static std::shared_ptr<Context> context() { return load("rmw_zeromq_cpp").create_context(kDomain); }

  static TopicOptions options(History history = History::kKeepLast) {
    TopicOptions result;
    result.node = {"/", "test"};
    result.topic = "/a";
    result.qos.history = history;
    result.qos.max_blocking_time = std::chrono::hours(1);
    return result;
  }

  struct Pair {
    std::shared_ptr<Publisher> publisher;
    std::shared_ptr<Subscription> subscription;
  };
  static Pair pair(Context & context, const tandem::MessageType & type, History history = History::kKeepLast) {
    Pair result{context.create_publisher(type, options(history)), context.create_subscription(type, options(history))};
    EXPECT_TRUE(matched(result));
    return result;
  }
  static bool matched(const Pair & pair) {
    return eventually(
        [&] { return pair.publisher->subscription_count() == 1 && pair.subscription->publisher_count() == 1; });
  }

  static void say(Publisher & publisher, const std::string & words) {
    Text text;
    text.data = words;
    EXPECT_EQ(publisher.publish(&text), PublishResult::kOk);
  }
  static std::string hear(Subscription & subscription) {
    Text text;
    MessageInfo info;
    return eventually([&] { return subscription.take_into(&text, info); }) ? std::string(text.data) : "nothing";
  }

  const SharedMemoryFolder folder_;
  const std::filesystem::path & home_ = folder_.path;
};

// --- addresses -------------------------------------------------------------------------------------------------------

std::string error_of(const std::function<void()> & action) {
  try {
    action();
  } catch (const Error & error) {
    return error.what();
  }
  return "no error";
}

TEST_F(ZeroMq, UnknownSettingsAreErrorsThatNameThem) {
  const struct {
    const char * name;
    const char * value;
  } wrong[] = {{"TANDEM_ZEROMQ_TRANSPORT", "pigeon"}, {"TANDEM_ZEROMQ_PORTS", "7000"},
               {"TANDEM_ZEROMQ_PORTS", "9-7"},        {"TANDEM_ZEROMQ_PORTS", "0-7"},
               {"TANDEM_ZEROMQ_PORTS", "7-70000"},    {"TANDEM_ZEROMQ_PORTS", "7-9x"}};
  for (const auto & [name, value] : wrong) {
    const Variable variable(name, value);
    EXPECT_NE(error_of([] { context(); }).find(std::string(name) + "=" + value), std::string::npos) << value;
  }
}

TEST_F(ZeroMq, PortsInUseAreAnError) {
  const int taken = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  ASSERT_EQ(bind(taken, reinterpret_cast<sockaddr *>(&where), size), 0);
  ASSERT_EQ(listen(taken, 1), 0);
  ASSERT_EQ(getsockname(taken, reinterpret_cast<sockaddr *>(&where), &size), 0);
  const std::string port = std::to_string(ntohs(where.sin_port));
  const Variable transport("TANDEM_ZEROMQ_TRANSPORT", "tcp");
  const Variable ports("TANDEM_ZEROMQ_PORTS", port + "-" + port);
  const auto ours = context();
  const std::string error = error_of([&] { ours->create_publisher(text_type(), options()); });
  EXPECT_NE(error.find("'/a'"), std::string::npos) << error;
  EXPECT_NE(error.find("TANDEM_ZEROMQ_PORTS (" + port), std::string::npos) << error;
  close(taken);
}

TEST_F(ZeroMq, AddressOfAnotherHostIsAnError) {
  const Variable transport("TANDEM_ZEROMQ_TRANSPORT", "tcp");
  const Variable address("TANDEM_ZEROMQ_ADDRESS", "192.0.2.1");
  const auto ours = context();
  const std::string error = error_of([&] { ours->create_publisher(text_type(), options()); });
  EXPECT_NE(error.find("TANDEM_ZEROMQ_ADDRESS"), std::string::npos) << error;
}

TEST_F(ZeroMq, AnInterfaceMayBeNamed) {
  const Variable transport("TANDEM_ZEROMQ_TRANSPORT", "tcp");
  const Variable address("TANDEM_ZEROMQ_ADDRESS", "lo");
  const auto ours = context();
  const Pair both = pair(*ours, text_type());
  say(*both.publisher, "by name");
  EXPECT_EQ(hear(*both.subscription), "by name");
}

TEST_F(ZeroMq, PublishersOfTcpAndIpcMeet) {
  const auto ours = context();
  const auto subscription = ours->create_subscription(text_type(), options());
  const Variable transport("TANDEM_ZEROMQ_TRANSPORT", "tcp");
  const auto theirs = context();
  const auto publisher = theirs->create_publisher(text_type(), options());
  ASSERT_TRUE(matched({publisher, subscription}));
  say(*publisher, "over tcp");
  EXPECT_EQ(hear(*subscription), "over tcp");
}

TEST_F(ZeroMq, BrokenConnectionsAreMadeAnew) {
  const Variable transport("TANDEM_ZEROMQ_TRANSPORT", "tcp");
  const auto ours = context();
  const Pair both = pair(*ours, text_type());
  say(*both.publisher, "before");
  EXPECT_EQ(hear(*both.subscription), "before");
  std::size_t broken = 0;
  for (int fd = 3; fd < 1000; ++fd) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr *>(&peer), &size) == 0 && peer.ss_family == AF_INET) {
      shutdown(fd, SHUT_RDWR);
      ++broken;
    }
  }
  EXPECT_GE(broken, 1u);
  EXPECT_TRUE(eventually([&] {
    say(*both.publisher, "after");
    Text text;
    MessageInfo info;
    return both.subscription->take_into(&text, info) && text.data == "after";
  }));
}

// --- strangers -------------------------------------------------------------------------------------------------------

zmq::message_t noise(std::mt19937 & random) {
  Frame frame;
  frame.header.sequence = random() % 3 == 0 ? ~std::uint64_t{0} : random() % 10;
  const std::size_t size = random() % 4 == 0 ? random() % 40 : 40 + random() % 60;
  zmq::message_t message(size);
  for (std::size_t i = 0; i < size; ++i) {
    message.data<unsigned char>()[i] = static_cast<unsigned char>(random());
  }
  std::memcpy(message.data(), &frame, std::min(size, sizeof frame));
  return message;
}

TEST_F(ZeroMq, APublisherBearsStrangers) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto ours = context();
  const Pair both = pair(*ours, text_type());
  std::string address;
  for (const auto & file : std::filesystem::recursive_directory_iterator(home_)) {
    if (file.path().extension() == ".ipc") {
      address = "ipc://" + file.path().string();
    }
  }
  ASSERT_NE(address, "");
  testing::internal::CaptureStderr();
  zmq::context_t strange;
  const std::string names[] = {"stranger", std::string(RoutingId().text()), std::string(200, 'S')};
  for (const std::string & name : names) {
    zmq::socket_t stranger(strange, zmq::socket_type::dealer);
    stranger.set(zmq::sockopt::linger, 100);
    stranger.set(zmq::sockopt::routing_id, name);
    stranger.set(zmq::sockopt::probe_router, true);
    stranger.connect(address);
    for (int i = 0; i < 300; ++i) {
      auto frame = noise(random);
      const bool has_more = random() % 5 == 0;
      stranger.send(frame, has_more ? zmq::send_flags::sndmore : zmq::send_flags::none);
    }
    stranger.send(zmq::message_t(1 << 20), zmq::send_flags::none);
  }
  for (int i = 0; i < 20; ++i) {
    say(*both.publisher, std::to_string(i));
    EXPECT_EQ(hear(*both.subscription), std::to_string(i));
  }
  EXPECT_EQ(both.publisher->subscription_count(), 1u);
  strange.close();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_LE(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST_F(ZeroMq, ASubscriptionBearsAPublisherThatTalksNonsense) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  testing::internal::CaptureStderr();
  {
    const auto ours = context();
    const auto subscription = ours->create_subscription(text_type(), options());
    FakePublisher fake;
    fake.welcome();
    for (int i = 0; i < 1000; ++i) {
      auto frame = noise(random);
      if (frame.size() >= sizeof(Frame) && random() % 2 == 0) {
        std::memcpy(frame.data<unsigned char>() + offsetof(Frame, publisher), fake.gid().data(), sizeof(Gid));
      }
      fake.tell(std::move(frame));
      subscription->take();
    }
    const auto publisher = ours->create_publisher(text_type(), options());
    EXPECT_TRUE(eventually([&] { return publisher->subscription_count() == 1; }));
    EXPECT_TRUE(eventually([&] {
      say(*publisher, "sense");  // again and again: what is still coming of the nonsense pushes it out of the queue
      Text text;
      MessageInfo info;
      return subscription->take_into(&text, info) && text.data == "sense" && info.publisher == publisher->gid();
    }));
  }
  // One line for frames that are none, one for those that hold no message.
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
  EXPECT_NE(said.find("is none of its publisher's"), std::string::npos) << said;
  EXPECT_NE(said.find("messages are dropped that are no std_msgs/msg/String"), std::string::npos) << said;
}

TEST_F(ZeroMq, WhatIsMissingIsCountedAndBrokenMessagesToo) {
  const auto ours = context();
  const auto subscription = ours->create_subscription(text_type(), options());
  FakePublisher fake;
  fake.welcome();
  const std::string hello("\0\1\0\0\6\0\0\0hello\0", 14);
  testing::internal::CaptureStderr();
  fake.tell(2, hello);  // 0 and 1 are lost
  fake.tell(1, hello);  // comes too late
  fake.tell(3, "junk");
  fake.tell(4, "");
  fake.tell(5, hello);
  Text text;
  MessageInfo info;
  for (const std::uint64_t sequence : {2, 5}) {
    ASSERT_TRUE(eventually([&] { return subscription->take_into(&text, info); }));
    EXPECT_EQ(text.data, "hello");
    EXPECT_EQ(info.sequence, sequence);
    EXPECT_EQ(info.source_timestamp, 7);
    EXPECT_FALSE(info.from_intra_process);
  }
  EXPECT_EQ(subscription->lost(), 4u);
  fake.leave(8);
  EXPECT_TRUE(eventually([&] { return subscription->lost() == 6 && subscription->publisher_count() == 0; }));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("[WARN] [rmw_zeromq_cpp]: topic '/a': "), std::string::npos);
}

// --- processes and resources -----------------------------------------------------------------------------------------

int in_child(const std::function<bool()> & action) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(action() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

TEST_F(ZeroMq, AChildOfForkBeginsAnew) {
  auto ours = context();
  Pair both = pair(*ours, text_type());
  auto set = ours->create_wait_set();
  set->attach(both.subscription);
  say(*both.publisher, "for the parent");
  EXPECT_EQ(in_child([&] {
              Text text;
              bool is_fine = both.publisher->publish(&text) == PublishResult::kClosed && !both.subscription->take() &&
                             !set->wait(std::chrono::milliseconds(1)) && both.publisher->wait_for_all_acked(kEndless);
              is_fine = is_fine && error_of([&] { ours->create_publisher(text_type(), options()); }) != "no error";
              set.reset();
              both = {};
              ours.reset();
              auto own = load("rmw_zeromq_cpp").create_context(kDomain + 1);
              const Pair again = pair(*own, text_type());
              say(*again.publisher, "for the child");
              return is_fine && hear(*again.subscription) == "for the child";
            }),
            0);
  EXPECT_TRUE(set->wait(kEndless));
  EXPECT_EQ(hear(*both.subscription), "for the parent");
  say(*both.publisher, "afterwards");
  EXPECT_TRUE(set->wait(kEndless));
  EXPECT_EQ(hear(*both.subscription), "afterwards");
}

TEST_F(ZeroMq, NothingIsLeftOpen) {
  const auto round = [] {
    const auto ours = context();
    const Pair both = pair(*ours, text_type(), History::kKeepAll);
    const auto set = ours->create_wait_set();
    set->attach(both.subscription);
    say(*both.publisher, "something");
    EXPECT_TRUE(both.publisher->wait_for_all_acked(kEndless));
    EXPECT_TRUE(set->wait(kEndless));
  };
  round();
  const std::size_t files = count_in("/proc/self/fd");
  const std::size_t threads = count_in("/proc/self/task");
  for (int i = 0; i < 5; ++i) {
    round();
  }
  EXPECT_TRUE(eventually([&] { return count_in("/proc/self/fd") <= files && count_in("/proc/self/task") <= threads; }));
  EXPECT_TRUE(std::filesystem::is_empty(home_ / ("rmw_zeromq_cpp-" + std::to_string(kDomain))));
}

TEST_F(ZeroMq, LargeLoansAreNeitherCopiedOnTheirWayOutNorIn) {
  const auto ours = context();
  const Pair both = pair(*ours, large_type());
  std::vector<Sample> kept;
  for (std::uint64_t i = 0; i < 40; ++i) {
    auto loan = both.publisher->borrow();
    ASSERT_TRUE(loan);
    static_cast<Large *>(loan.data())->words.fill(i);
    ASSERT_EQ(both.publisher->publish(std::move(loan)), PublishResult::kOk);
    Sample sample;
    ASSERT_TRUE(eventually([&] { return static_cast<bool>(sample = both.subscription->take()); }));
    kept.push_back(std::move(sample));
  }
  for (std::uint64_t i = 0; i < kept.size(); ++i) {
    const auto & words = static_cast<const Large *>(kept[i].message)->words;
    EXPECT_TRUE(words.front() == i && words.back() == i);
  }
  EXPECT_EQ(both.publisher->copied(), 0u);
  EXPECT_EQ(both.subscription->copied(), 0u);
}

TEST_F(ZeroMq, SilentPublishersAreToldOf) {
  const int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);  // bound, but nobody listens
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  ASSERT_EQ(bind(silent, reinterpret_cast<sockaddr *>(&where), size), 0);
  ASSERT_EQ(getsockname(silent, reinterpret_cast<sockaddr *>(&where), &size), 0);
  FakeParticipant fake;
  fake.add_publisher("tcp://127.0.0.1:" + std::to_string(ntohs(where.sin_port)));
  fake.add_publisher("tcp://nonsense");
  testing::internal::CaptureStderr();
  const auto ours = context();
  const auto subscription = ours->create_subscription(text_type(), options());
  std::this_thread::sleep_for(std::chrono::milliseconds(6500));
  EXPECT_EQ(subscription->publisher_count(), 0u);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("does not answer at tcp://127.0.0.1:"), std::string::npos) << said;
  EXPECT_NE(said.find("tcp://nonsense cannot be reached"), std::string::npos) << said;
  close(silent);
}

}  // namespace
}  // namespace rmw_zeromq
