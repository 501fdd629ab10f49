// How contexts end: shutdown and its callbacks, and signals.
#include "support.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <future>

using namespace std::chrono_literals;

namespace {

class Ending : public test::Rclcpp {
 protected:
  /// A context beside the default one.
  static rclcpp::Context::SharedPtr make_context(bool shutdown_on_signal) {
    auto context = std::make_shared<rclcpp::Context>();
    rclcpp::InitOptions options;
    options.shutdown_on_signal = shutdown_on_signal;
    context->init(0, nullptr, options);
    return context;
  }
};

/// Whether another thread comes to the end of the function while this one waits.
template <class Function>
bool other_thread_can(Function && function) {
  // A promise of its own: the future of std::async would wait at its end.
  auto done = std::make_shared<std::promise<void>>();
  auto future = done->get_future();
  std::thread([function, done] {
    function();
    done->set_value();
  }).detach();
  return future.wait_for(test::kPatience) == std::future_status::ready;
}

volatile std::sig_atomic_t plain_calls = 0;
volatile std::sig_atomic_t info_calls = 0;

extern "C" void count_plain(int) { plain_calls = plain_calls + 1; }
extern "C" void count_info(int, siginfo_t * info, void *) { info_calls = info_calls + (info ? 1 : 100); }

/// A handler in place before rclcpp's, until the end of the scope.
class Handler {
 public:
  Handler(int number, struct sigaction action) : number_(number) { sigaction(number, &action, &former_); }
  ~Handler() { sigaction(number_, &former_, nullptr); }

 private:
  const int number_;
  struct sigaction former_ {};
};

bool ended() {
  return test::eventually([] { return !rclcpp::ok(); });
}

}  // namespace

TEST_F(Ending, CallbacksOfShutdownHoldNoLockThatNodesAndWaitsNeed) {
  const auto context = make_context(true);
  const auto make_node = [context](const char * name) {
    return std::make_shared<rclcpp::Node>(name, rclcpp::NodeOptions().context(context));
  };
  bool made = false, refused = false, asked = false;
  context->add_pre_shutdown_callback([&] {
    made = other_thread_can([context, make_node] {
      rclcpp::executors::SingleThreadedExecutor executor(rclcpp::ExecutorOptions{context, 0});
      executor.add_node(make_node("node"));
      executor.spin_once(1ms);  // the first wait
    });
  });
  context->add_on_shutdown_callback([&] {
    refused = other_thread_can([make_node] { EXPECT_THROW(make_node("late"), rclcpp::exceptions::RCLError); });
    asked = other_thread_can([context] { EXPECT_EQ(context->shutdown_reason(), "enough"); });
  });
  EXPECT_TRUE(context->shutdown("enough"));
  EXPECT_TRUE(made);
  EXPECT_TRUE(refused);
  EXPECT_TRUE(asked);
}

TEST_F(Ending, ShutdownWaitsForTheOneThatIsUnderWay) {
  const auto context = make_context(true);
  std::atomic<bool> is_over{false};
  std::promise<void> begun;
  context->add_on_shutdown_callback([&] {
    begun.set_value();
    std::this_thread::sleep_for(5ms);
    is_over = true;
  });
  std::thread first([context] { EXPECT_TRUE(context->shutdown("first")); });
  begun.get_future().wait();
  EXPECT_FALSE(context->shutdown("second"));
  EXPECT_TRUE(is_over);
  first.join();
}

TEST_F(Ending, CallbacksMayCallShutdown) {
  const auto context = make_context(true);
  int calls = 0;
  const auto call = [&] {
    ++calls;
    EXPECT_FALSE(context->shutdown("again"));
  };
  const auto before = context->add_pre_shutdown_callback(call);
  context->add_on_shutdown_callback(call);
  EXPECT_EQ(context->get_pre_shutdown_callbacks().size(), 1u);
  EXPECT_EQ(context->get_on_shutdown_callbacks().size(), 1u);
  EXPECT_TRUE(context->shutdown("first"));
  EXPECT_EQ(calls, 2);
}

TEST_F(Ending, ASignalEndsEveryContextThatWantsIt) {
  const auto willing = make_context(true);
  const auto unwilling = make_context(false);
  kill(getpid(), SIGINT);
  EXPECT_TRUE(test::eventually([&] { return !rclcpp::ok() && !willing->is_valid(); }));
  EXPECT_EQ(willing->shutdown_reason(), "signal handler: SIGINT");
  EXPECT_TRUE(unwilling->is_valid());
  unwilling->shutdown("the end of the test");
}

TEST_F(Ending, AHandlerThatWasThereBeforeIsCalledToo) {
  rclcpp::shutdown();
  plain_calls = info_calls = 0;  // the test may be repeated
  struct sigaction plain {};
  plain.sa_handler = count_plain;
  struct sigaction with_info {};
  with_info.sa_sigaction = count_info;
  with_info.sa_flags = SA_SIGINFO;
  const Handler on_int(SIGINT, plain);
  const Handler on_term(SIGTERM, with_info);
  for (const int number : {SIGINT, SIGTERM}) {
    rclcpp::init(0, nullptr);
    kill(getpid(), number);
    EXPECT_TRUE(ended());
    rclcpp::shutdown();  // puts the former handler back
  }
  EXPECT_EQ(plain_calls, 1);
  EXPECT_EQ(info_calls, 1);
  kill(getpid(), SIGINT);
  EXPECT_TRUE(test::eventually([] { return plain_calls == 2; }));
}

TEST_F(Ending, ASignalInterruptsASystemCall) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::atomic<bool> returned{false};
  std::thread sender([&, reader = pthread_self()] {
    const auto end = std::chrono::steady_clock::now() + test::kPatience;
    while (!returned && std::chrono::steady_clock::now() < end) {
      pthread_kill(reader, SIGINT);
      std::this_thread::sleep_for(1ms);
    }
    if (!returned) EXPECT_EQ(write(ends[1], "x", 1), 1);
  });
  char byte = 0;
  const auto result = read(ends[0], &byte, 1);
  const int error = errno;
  returned = true;
  sender.join();
  EXPECT_EQ(result, -1);
  EXPECT_EQ(error, EINTR);
  EXPECT_TRUE(ended());
  close(ends[0]);
  close(ends[1]);
}
