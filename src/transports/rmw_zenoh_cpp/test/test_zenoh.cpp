// What is particular to Zenoh: topics and folders with characters that mean something to it.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "../../tandem_transport/test/transport_test.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/transport.hpp"

namespace {

namespace fs = std::filesystem;
using tandem::test::eventually;
using namespace tandem::transport;  // NOLINT: a test of what it declares

constexpr std::uint32_t kDomain = 64;

struct Number {
  std::uint64_t value = 0;
};

const tandem::MessageType & number() {
  static const tandem::Field fields[] = {
      {"value", tandem::FieldKind::kUint64, tandem::FieldShape::kSingle, 0, 1, tandem::kUnbounded, nullptr, nullptr}};
  static const auto type = tandem::detail::make_message_type<Number>({"test/msg/Number", {1}, fields, 1});
  return type;
}

Transport & transport() {
  static auto * const instance = tandem::test::load_plugin(PLUGIN);
  return *instance;
}

/// From one session to another.
void expect_delivery(const std::string & topic) {
  const auto here = transport().create_context(kDomain);
  const auto there = transport().create_context(kDomain);
  const auto pub = here->create_publisher(number(), {{}, topic, {}});
  const auto sub = there->create_subscription(number(), {{}, topic, {}});
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1 && sub->publisher_count() == 1; })) << topic;
  const Number message{7};
  ASSERT_EQ(pub->publish(&message), PublishResult::kOk);
  Sample sample;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(sample = sub->take()); })) << topic;
  EXPECT_EQ(static_cast<const Number *>(sample.message)->value, 7u);
}

TEST(Zenoh, TopicsMayHaveAnyCharacters) {
  for (const char * topic : {"/plain", "no_slash", "/twice//twice", "/trailing/", "/star*", "/**", "/$*", "/what?",
                             "/#", "/@admin", "/%2F", "/ü"}) {
    expect_delivery(topic);
  }
}

TEST(Zenoh, FoldersMayHaveAnyCharactersAndLength) {
  const std::string before = getenv("TANDEM_SHM_DIR");
  for (const std::string & name : {std::string("a \"b' ?#;"), std::string(200, 'x')}) {
    const std::string folder = before + "/" + name;
    fs::create_directory(folder);
    setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
    expect_delivery("/a");
  }
  setenv("TANDEM_SHM_DIR", before.c_str(), 1);
}

}  // namespace

int main(int argc, char ** argv) {
  std::string folder = "/dev/shm/tandem_test_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  fs::remove_all(folder);
  return result;
}
