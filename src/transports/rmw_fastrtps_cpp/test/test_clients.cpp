// For whom a reply waits.
#include <gtest/gtest.h>

#include <thread>

#include "clients.hpp"

namespace rmw_fastrtps {
namespace {

using Gid = Clients::Gid;

constexpr std::chrono::nanoseconds kPatience = std::chrono::hours(1);  // is cut to what discovery takes

Gid reader(std::uint8_t number) {
  Gid gid{number};
  gid.back() = 0x04;
  return gid;
}

TEST(Clients, OneThatIsThereIsNotWaitedFor) {
  Clients clients(kPatience);
  clients.came(reader(1));
  clients.wait_for(reader(1));
}

TEST(Clients, OneThatComesEndsTheWait) {
  Clients clients(kPatience);
  std::thread coming([&] { clients.came(reader(1)); });
  clients.wait_for(reader(1));
  coming.join();
}

TEST(Clients, EachThatDoesNotComeIsWaitedForOnce) {
  Clients clients(kPatience);
  // Longer than a test may take, if each call waited.
  for (int i = 0; i < 10'000; ++i) {
    clients.wait_for(reader(1));
    clients.wait_for(reader(2));
  }
}

TEST(Clients, ThoseThatHaveLeftAreNotWaitedFor) {
  Clients clients(kPatience);
  for (int round = 0; round < 50; ++round) {
    for (std::uint8_t number = 0; number < 200; ++number) {
      clients.came(reader(number));
      clients.left(reader(number));
      clients.wait_for(reader(number));
    }
  }
}

TEST(Clients, WritersOfEarlierNodesAreNotWaitedFor) {
  Clients clients(kPatience);
  for (int number = 0; number < 10'000; ++number) {
    Gid writer{static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8)};
    writer.back() = 0x03;
    clients.wait_for(writer);
  }
}

}  // namespace
}  // namespace rmw_fastrtps
