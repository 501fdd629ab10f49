// A child of fork() has none of Cyclone's threads: it ends what it has from its parent without waiting for them.
#include <sys/wait.h>
#include <unistd.h>

#include "std_msgs/msg/u_int64.hpp"
#include "support.hpp"
#include "tandem/message_type.hpp"

namespace cyclonedds_test {
namespace {

using Number = std_msgs::msg::UInt64;
using transport::PublishResult;

TEST(Fork, ChildIsRefusedAndEnds) {
  Peer peer({"fork"});
  EXPECT_EQ(peer.wait(), 0);
}

}  // namespace

int run_fork() {
  const tandem::MessageType & type = tandem::message_type<Number>();
  auto context = transport_under_test().create_context(kDomain + 2);
  auto node = context->create_node({"/", "parent"});
  auto pub = context->create_publisher(type, on("/forked", keep_last(10)));
  auto sub = context->create_subscription(type, on("/forked", keep_last(10)));
  if (!eventually([&] { return pub->subscription_count() == 1 && sub->publisher_count() == 1; })) {
    return 2;
  }
  Number message;
  const pid_t child = fork();
  if (child == 0) {
    bool is_refused = pub->publish(&message) == PublishResult::kClosed && !sub->take();
    try {
      transport_under_test().create_context(kDomain + 2);
      is_refused = false;
    } catch (const transport::Error &) {
    }
    sub.reset();
    pub.reset();
    node.reset();
    context.reset();
    _exit(is_refused ? 0 : 3);
  }
  int status = -1;
  if (!eventually([&] { return waitpid(child, &status, WNOHANG) == child; }) || status != 0) {
    return 4;
  }
  transport::MessageInfo info;  // the parent goes on
  return pub->publish(&message) == PublishResult::kOk && eventually([&] { return sub->take_into(&message, info); }) ? 0
                                                                                                                    : 5;
}

}  // namespace cyclonedds_test
