// Descriptors and timers.
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "tandem/kit/poller.hpp"

namespace tandem::transport {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    out = Descriptor(ends[0]);
    in = Descriptor(ends[1]);
  }
  void write() const { EXPECT_EQ(::write(in.get(), "x", 1), 1); }
  void read() const {
    char byte = 0;
    EXPECT_EQ(::read(out.get(), &byte, 1), 1);
  }
  Descriptor out;
  Descriptor in;
};

TEST(Poller, ServesWhatIsReady) {
  Poller poller("test");
  const Pipe a;
  const Pipe b;
  int served = 0;
  poller.watch(a.out.get(), EPOLLIN, [&] { a.read(), ++served; });
  poller.watch(b.out.get(), EPOLLIN, [&] { served = -1; });
  a.write();
  poller.serve(-1);
  EXPECT_EQ(served, 1);
  poller.serve(0);
  EXPECT_EQ(served, 1);
  b.write();
  poller.enable(b.out.get(), false);
  poller.serve(0);
  EXPECT_EQ(served, 1);
  poller.forget(b.out.get());
  poller.serve(0);
  EXPECT_EQ(served, 1);
}

TEST(Poller, AHandlerMayForgetItself) {
  Poller poller("test");
  const Pipe a;
  int served = 0;
  poller.watch(a.out.get(), EPOLLIN, [&] { poller.forget(a.out.get()), ++served; });
  a.write();
  poller.serve(-1);
  poller.serve(0);
  EXPECT_EQ(served, 1);
}

TEST(Poller, RingingEndsAServe) {
  Poller poller("test");
  poller.ring();
  poller.serve(-1);
  std::thread other([&poller] { poller.ring(); });
  poller.serve(-1);
  other.join();
}

TEST(Poller, CallsWhenTheTimeHasCome) {
  Poller poller("test");
  std::string order;
  poller.call_in(milliseconds(3), [&] { order += 'b'; });
  poller.call_in(milliseconds(1), [&] {
    order += 'a';
    poller.call_in(milliseconds(5), [&] { order += 'c'; });
  });
  while (order.size() < 3) {
    poller.serve(-1);
  }
  EXPECT_EQ(order, "abc");
}

}  // namespace
}  // namespace tandem::transport
