// Services that are called for a long time need no more memory than at first. TANDEM_STRESS_SCALE multiplies the calls.
#include "support.hpp"

#include <cstdlib>
#include <fstream>

#include "rcl_interfaces/srv/list_parameters.hpp"

namespace {

using rcl_interfaces::srv::ListParameters;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char * kResident = "RssShmem:";  // sanitizers keep memory of their own
#else
constexpr const char * kResident = "VmRSS:";
#endif

/// Memory of this process in KiB.
long resident() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != kResident) {
  }
  long kibibytes = -1;
  status >> kibibytes;
  return kibibytes;
}

class ManyCalls : public test::WithNode {
 protected:
  void SetUp() override {
    test::WithNode::SetUp();
    service_ =
        node_->create_service<ListParameters>("list", [](const std::shared_ptr<ListParameters::Request> request,
                                                         const std::shared_ptr<ListParameters::Response> response) {
          for (const auto & prefix : request->prefixes) {
            response->result.names.push_back(std::string(prefix.c_str()) + std::string(request->depth, 'x'));
          }
        });
    client_ = node_->create_client<ListParameters>("list");
    ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  }
  void TearDown() override {
    client_.reset();
    service_.reset();
    test::WithNode::TearDown();
  }
  /// Of changing sizes.
  void call(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      auto request = std::make_shared<ListParameters::Request>();
      request->prefixes.resize(i % 5);
      for (auto & prefix : request->prefixes) prefix = "prefix";
      request->depth = i % 300;
      auto future = client_->async_send_request(request);
      ASSERT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
      ASSERT_EQ(future.get()->result.names.size(), i % 5);
    }
  }

  rclcpp::Service<ListParameters>::SharedPtr service_;
  rclcpp::Client<ListParameters>::SharedPtr client_;
};

TEST_F(ManyCalls, NeedNoMoreMemory) {
  constexpr std::uint64_t kCalls = 20'000;
  constexpr long kMarginKib = 1024;  // 52 bytes a call
  const char * scale = std::getenv("TANDEM_STRESS_SCALE");
  call(kCalls / 10);
  const long before = resident();
  ASSERT_GT(before, 0);
  call(kCalls * (scale ? std::strtoull(scale, nullptr, 10) : 1));
  EXPECT_LE(resident(), before + kMarginKib);
  EXPECT_EQ(client_->prune_pending_requests(), 0u);
}

}  // namespace
