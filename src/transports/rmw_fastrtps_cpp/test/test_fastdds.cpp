// What the conformance suite does not look at: profiles, tuning, zero-copy by data-sharing, late joiners over UDP alone.
//
// Fast DDS reads its settings once per process, so each set of them is tested in a process of its own: this program,
// started with the name of a scene.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../../tandem_transport/test/transport_test.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_msgs/msg/u_int64.hpp"
#include "tandem/plugin.hpp"

namespace {

using tandem::test::eventually;
using namespace tandem::transport;  // NOLINT: what is tested
using Number = std_msgs::msg::UInt64;
using Text = std_msgs::msg::String;

constexpr std::uint32_t kDomain = 21;
constexpr std::uint32_t kOtherDomain = 22;

Sample take_one(Subscription & subscription) {
  Sample sample;
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(sample = subscription.take()); })) << "no message came";
  return sample;
}

std::uint64_t number_in(const Sample & sample) { return static_cast<const Number *>(sample.message)->data; }

struct Pair {
  explicit Pair(const tandem::MessageType & type, const Qos & qos = {}) {
    TopicOptions options;
    options.node = {"/", "test"};
    options.topic = "/topic";
    options.qos = qos;
    publisher = context->create_publisher(type, options);
    subscription = other->create_subscription(type, options);
    EXPECT_TRUE(
        eventually([this] { return publisher->subscription_count() == 1 && subscription->publisher_count() == 1; }));
  }
  std::shared_ptr<Context> context = load("rmw_fastrtps_cpp").create_context(kDomain);
  std::shared_ptr<Context> other = load("rmw_fastrtps_cpp").create_context(kDomain);
  std::shared_ptr<Publisher> publisher;
  std::shared_ptr<Subscription> subscription;
};

void texts_arrive() {
  const Pair pair(tandem::message_type<Text>());
  for (int i = 0; i < 20; ++i) {
    Text text;
    text.data = std::string(static_cast<std::size_t>(i) * 1000, 'x');
    ASSERT_EQ(pair.publisher->publish(&text), PublishResult::kOk);
    const Sample sample = take_one(*pair.subscription);
    ASSERT_TRUE(sample);
    EXPECT_EQ(*static_cast<const Text *>(sample.message), text);
  }
}

// Each scene runs in a process of its own, with the variables of its test.
void tuned() {
  texts_arrive();
  const Pair pair(tandem::message_type<Number>());
  EXPECT_FALSE(pair.publisher->can_loan());
}

void profile() {
  texts_arrive();
  const Pair pair(tandem::message_type<Number>());
  EXPECT_FALSE(pair.publisher->can_loan()) << "data-sharing needs RMW_FASTRTPS_USE_QOS_FROM_XML";
}

void lend(bool must_not_copy) {
  texts_arrive();
  const Pair pair(tandem::message_type<Number>());
  ASSERT_TRUE(pair.publisher->can_loan());
  std::vector<Sample> kept;
  for (std::uint64_t value = 0; value < 200; ++value) {
    auto loan = pair.publisher->borrow();
    ASSERT_TRUE(loan);
    static_cast<Number *>(loan.data())->data = value;
    ASSERT_EQ(pair.publisher->publish(std::move(loan)), PublishResult::kOk);
    Sample sample = take_one(*pair.subscription);
    ASSERT_TRUE(sample);
    EXPECT_EQ(number_in(sample), value);
    if (value >= 100) {
      kept.push_back(std::move(sample));
    }
    if (value == 99 && must_not_copy) {
      EXPECT_EQ(pair.publisher->copied() + pair.subscription->copied(), 0u);
    }
  }
  EXPECT_GT(pair.subscription->copied(), 0u) << "more are kept than a writer has to spare";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(number_in(kept[i]), 100 + i) << "a kept message was overwritten";
  }
}

// Within a process, Fast DDS copies what is lent unless it is told otherwise.
void loans() { lend(false); }
void data_sharing() { lend(true); }

void late_joiner() {
  Qos qos;
  qos.durability = Durability::kTransientLocal;
  qos.depth = 5;
  TopicOptions options;
  options.node = {"/", "test"};
  options.topic = "/topic";
  options.qos = qos;
  const auto context = load("rmw_fastrtps_cpp").create_context(kDomain);
  const auto publisher = context->create_publisher(tandem::message_type<Number>(), options);
  for (std::uint64_t value = 0; value < 10; ++value) {
    Number number;
    number.data = value;
    ASSERT_EQ(publisher->publish(&number), PublishResult::kOk);
  }
  const auto other = load("rmw_fastrtps_cpp").create_context(kDomain);
  const auto subscription = other->create_subscription(tandem::message_type<Number>(), options);
  for (std::uint64_t value = 5; value < 10; ++value) {
    const Sample sample = take_one(*subscription);
    ASSERT_TRUE(sample);
    EXPECT_EQ(number_in(sample), value);
  }
}

void fork_it() {
  auto pair = std::make_unique<Pair>(tandem::message_type<Number>());
  Number number;
  number.data = 7;
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const bool is_refused =
        pair->publisher->publish(&number) == PublishResult::kClosed && !pair->subscription->take().message;
    pair.reset();
    _exit(is_refused ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  ASSERT_EQ(pair->publisher->publish(&number), PublishResult::kOk);
  EXPECT_EQ(number_in(take_one(*pair->subscription)), 7u);
}

struct Scene {
  const char * name;
  void (*play)();
};
constexpr Scene kScenes[] = {{"tuned", tuned},
                             {"profile", profile},
                             {"loans", loans},
                             {"data_sharing", data_sharing},
                             {"late_joiner", late_joiner},
                             {"fork", fork_it}};

int play(const std::string & name) {
  for (const Scene & scene : kScenes) {
    if (scene.name == name) {
      scene.play();
    }
  }
  return testing::Test::HasFailure() ? 1 : 0;
}

class FastDds : public testing::Test {
 protected:
  FastDds() { set("TANDEM_SHM_DIR", folder_.c_str()); }
  ~FastDds() override { std::filesystem::remove_all(folder_); }

  void set(const char * name, const std::string & value) { variables_.push_back(std::string(name) + "=" + value); }

  int run(const std::string & scene) {
    const pid_t child = fork();
    if (child == 0) {
      for (std::string & variable : variables_) {
        putenv(variable.data());
      }
      execl("/proc/self/exe", "test_fastdds", "--scene", scene.c_str(), nullptr);
      _exit(127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static std::string make_folder() {
    std::string pattern = "/dev/shm/tandem_fastdds_XXXXXX";
    return mkdtemp(pattern.data());
  }
  const std::string folder_ = make_folder();

 private:
  std::vector<std::string> variables_;
};

TEST_F(FastDds, MessagesArriveAsTuned) { EXPECT_EQ(run("tuned"), 0); }

TEST_F(FastDds, AMissingSharedMemoryFolderDoesNoHarm) {
  set("TANDEM_SHM_DIR", folder_ + "/new");
  EXPECT_EQ(run("tuned"), 0);
}

TEST_F(FastDds, MessagesArriveWithTheVendorsDefaults) {
  set("TANDEM_TRANSPORT_TUNING", "vendor");
  EXPECT_EQ(run("late_joiner"), 0);
}

TEST_F(FastDds, ProfileOfTheSeedsIsHonoured) {
  set("FASTRTPS_DEFAULT_PROFILES_FILE", TEST_FOLDER "/shared_memory.xml");
  EXPECT_EQ(run("profile"), 0);
  set("RMW_FASTRTPS_USE_QOS_FROM_XML", "1");
  EXPECT_EQ(run("loans"), 0);
}

TEST_F(FastDds, ShippedProfileSharesDataUnderTheNewerNameToo) {
  set("FASTDDS_DEFAULT_PROFILES_FILE", TEST_FOLDER "/../profiles/data_sharing.xml");
  set("RMW_FASTRTPS_USE_QOS_FROM_XML", "1");
  EXPECT_EQ(run("data_sharing"), 0);
}

TEST_F(FastDds, ProfileThatCannotBeReadIsLeftOut) {
  set("FASTRTPS_DEFAULT_PROFILES_FILE", "/nowhere.xml");
  EXPECT_EQ(run("tuned"), 0);
}

TEST_F(FastDds, LateJoinerOverUdpAlone) {
  set("FASTRTPS_DEFAULT_PROFILES_FILE", TEST_FOLDER "/udp.xml");
  EXPECT_EQ(run("late_joiner"), 0);
}

TEST_F(FastDds, LocalhostOnly) {
  set("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
  EXPECT_EQ(run("late_joiner"), 0);
}

TEST_F(FastDds, ForkedChildTouchesNothingOfItsParents) { EXPECT_EQ(run("fork"), 0); }

TEST_F(FastDds, DomainWithoutPortsIsRefused) { EXPECT_THROW(load("rmw_fastrtps_cpp").create_context(233), Error); }

TEST_F(FastDds, PortOfAnotherProgramIsAClearError) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(7400 + 250 * kOtherDomain);
  if (bind(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
    close(descriptor);
    GTEST_SKIP() << "the port is in use already";
  }
  try {
    load("rmw_fastrtps_cpp").create_context(kOtherDomain);
    ADD_FAILURE() << "no error";
  } catch (const Error & error) {
    EXPECT_NE(std::string(error.what()).find("UDP port 12900"), std::string::npos) << error.what();
  }
  close(descriptor);
}

}  // namespace

int main(int argc, char ** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 3 && std::string(argv[1]) == "--scene") {
    return play(argv[2]);
  }
  return RUN_ALL_TESTS();
}
