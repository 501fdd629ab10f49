// Every link that needs no plug-in: the ends find each other, each message arrives whole and in order, nobody waits for the dead.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>
#include <tuple>
#include <vector>

#include "links/link.hpp"
#include "trial/spec.hpp"

namespace {

using namespace std::chrono_literals;
using lab::Arrival;
using lab::Inlet;
using lab::Link;
using lab::Outlet;
using lab::Sent;
using lab::Spec;
using std::chrono::steady_clock;

constexpr auto kLong = 60s;

/// A folder of its own for each test.
class Links : public testing::TestWithParam<std::pair<const char *, const char *>> {
 protected:
  Links() { setenv("TANDEM_SHM_DIR", mkdtemp(folder_.data()), 1); }
  ~Links() override { std::filesystem::remove_all(folder_); }

  static Spec spec(std::size_t size) {
    Spec spec;
    std::tie(spec.link_kind, spec.link_name) = GetParam();
    spec.size = size;
    return spec;
  }
  static bool is(const std::string & name) { return name == GetParam().second; }

 private:
  std::string folder_ = "/dev/shm/test_links-XXXXXX";
};

template <class Done>
bool eventually(const Done & done) {
  for (const auto end = steady_clock::now() + kLong; steady_clock::now() < end; std::this_thread::sleep_for(1ms)) {
    if (done()) {
      return true;
    }
  }
  return done();
}

Sent send(Outlet & outlet, std::uint64_t number) {
  return outlet.send([number](std::span<std::byte> payload) {
    std::memset(payload.data(), static_cast<int>(number % 251), payload.size());
    std::memcpy(payload.data(), &number, sizeof number);
  });
}

/// The next message's number; 0: none came, -1: it is not whole.
std::uint64_t receive(Inlet & inlet) {
  for (const auto end = steady_clock::now() + kLong; steady_clock::now() < end; inlet.wait(50ms)) {
    const Arrival arrival = inlet.take();
    if (!arrival) {
      continue;
    }
    std::uint64_t number = 0;
    std::memcpy(&number, arrival.payload.data(), sizeof number);
    const std::byte expected{static_cast<unsigned char>(number % 251)};
    for (std::size_t i = sizeof number; i < arrival.payload.size(); ++i) {
      if (arrival.payload[i] != expected) {
        return std::uint64_t(-1);
      }
    }
    return number;
  }
  return 0;
}

TEST_P(Links, ThreeSubscribersGetEachMessageInOrder) {
  // What the kernel has room for in any case: nobody waits for a slow reader of datagrams.
  const std::uint64_t messages = is("udp") ? 20 : 200;
  for (const std::size_t size : {16U, 1000U, is("udp") ? 2000U : 65000U}) {
    const Spec plan = spec(size);
    const auto from = make_link(plan);
    const auto outlet = from->make_outlet("/a");
    std::vector<std::thread> readers;
    std::atomic<int> whole{0};
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&plan, &whole, messages] {
        const auto link = make_link(plan);
        const auto inlet = link->make_inlet("/a");
        EXPECT_TRUE(eventually([&] { return inlet->matched() == 1; }));
        for (std::uint64_t n = 1; n <= messages; ++n) {
          const std::uint64_t got = receive(*inlet);
          EXPECT_EQ(got, n);
          if (got != n) return;
        }
        ++whole;
      });
    }
    EXPECT_TRUE(eventually([&] { return outlet->matched() == 3; }));
    for (std::uint64_t n = 1; n <= messages; ++n) {
      EXPECT_EQ(send(*outlet, n), Sent::kOk);
    }
    for (std::thread & reader : readers) reader.join();
    EXPECT_EQ(whole, 3);
    EXPECT_TRUE(outlet->flush(1s));
    EXPECT_TRUE(eventually([&] { return outlet->matched() == 0; }));
  }
}

TEST_P(Links, PingPong) {
  const Spec plan = spec(1024);
  std::thread pong([&plan] {
    const auto link = make_link(plan);
    const auto inlet = link->make_inlet("/ping");
    const auto outlet = link->make_outlet("/pong");
    EXPECT_TRUE(eventually([&] { return inlet->matched() == 1 && outlet->matched() == 1; }));
    for (int i = 0; i < 300; ++i) send(*outlet, receive(*inlet));
    outlet->flush(10s);
    receive(*inlet);  // the other has all
  });
  const auto link = make_link(plan);
  const auto outlet = link->make_outlet("/ping");
  const auto inlet = link->make_inlet("/pong");
  EXPECT_TRUE(eventually([&] { return inlet->matched() == 1 && outlet->matched() == 1; }));
  for (std::uint64_t n = 1; n <= 300; ++n) {
    send(*outlet, n);
    ASSERT_EQ(receive(*inlet), n);
  }
  send(*outlet, 301);
  pong.join();
}

TEST_P(Links, TwoPublishersAndLargeMessages) {
  const Spec plan = spec(is("udp") ? 65507 : 3'000'001);
  const auto link = make_link(plan);
  const auto other = make_link(plan);
  const auto inlet = link->make_inlet("/a");
  std::unique_ptr<Outlet> outlets[] = {other->make_outlet("/a"), other->make_outlet("/a")};
  EXPECT_TRUE(eventually([&] { return inlet->matched() == 2; }));
  for (const auto & outlet : outlets) EXPECT_TRUE(eventually([&] { return outlet->matched() == 1; }));
  std::uint64_t last[2] = {};
  std::atomic<std::uint64_t> received{0};
  std::thread sender([&] {
    for (std::uint64_t n = 1; n <= 20; ++n) {
      while (is("udp") && received < 2 * (n - 1)) std::this_thread::sleep_for(1ms);  // else some might be lost
      EXPECT_EQ(send(*outlets[0], 100 + n), Sent::kOk);
      EXPECT_EQ(send(*outlets[1], 200 + n), Sent::kOk);
    }
  });
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t got = receive(*inlet);
    EXPECT_EQ(got % 100, ++last[got / 200 % 2]) << got;
    ++received;
  }
  sender.join();
  outlets[1].reset();
  EXPECT_TRUE(eventually([&] { return inlet->matched() == 1; }));
}

TEST_P(Links, AKilledSubscriberIsNotWaitedFor) {
  if (is("pubsub")) GTEST_SKIP() << "libzmq's threads do not survive fork()";
  const Spec plan = spec(16384);
  const pid_t child = fork();
  if (child == 0) {
    const auto link = make_link(plan);
    const auto inlet = link->make_inlet("/a");
    for (;;) pause();
  }
  const auto link = make_link(plan);
  const auto outlet = link->make_outlet("/a");
  EXPECT_TRUE(eventually([&] { return outlet->matched() == 1; }));
  std::thread killer([child] {
    std::this_thread::sleep_for(100ms);
    kill(child, SIGKILL);
  });
  EXPECT_TRUE(eventually([&] {
    for (int i = 0; i < 100; ++i) send(*outlet, 1);  // more than fits
    return outlet->matched() == 0;
  }));
  killer.join();
  waitpid(child, nullptr, 0);
  EXPECT_EQ(send(*outlet, 1), Sent::kOk);
}

TEST_P(Links, WakeEndsTheWait) {
  const auto link = make_link(spec(64));
  const auto inlet = link->make_inlet("/a");
  while (inlet->take()) {
  }
  inlet->wake();
  const auto begin = steady_clock::now();
  for (int i = 0; i < 2; ++i) {
    std::thread waker([&] {
      std::this_thread::sleep_for(10ms);
      inlet->wake();
    });
    inlet->wait(kLong);
    waker.join();
  }
  EXPECT_LT(steady_clock::now() - begin, kLong);
}

constexpr std::pair<const char *, const char *> kLinks[] = {
    {"floor", "cache_line"}, {"floor", "futex"}, {"floor", "memcpy"}, {"floor", "unix"},
    {"floor", "tcp"},        {"floor", "udp"},   {"zeromq", "pubsub"}};

INSTANTIATE_TEST_SUITE_P(All, Links, testing::ValuesIn(kLinks), [](const auto & one) { return one.param.second; });

TEST(LinksRefuse, WhatTheyCannotDo) {
  Spec spec;
  spec.link_kind = "floor";
  spec.link_name = "udp";
  spec.size = 65508;
  EXPECT_THROW(make_link(spec)->make_outlet("/a"), lab::Unsupported);
  for (const char * name : {"memcpy", "tcp", "unix"}) {
    spec.link_name = name;
    spec.loan = true;
    EXPECT_THROW(make_link(spec)->make_outlet("/a"), lab::Unsupported);
  }
  spec.link_name = "nonsense";
  EXPECT_THROW(make_link(spec), std::runtime_error);
}

}  // namespace
