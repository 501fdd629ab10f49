#include <sched.h>

#include <array>
#include <chrono>
#include <memory>

#include "agent.hpp"
#include "board.hpp"
#include "payload.hpp"
#include "soak.hpp"
#include "tandem/wait_set.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kSmall = 64;
constexpr std::size_t kLarge = std::size_t{1} << 18;

std::unique_ptr<Publisher> publisher(const Participant & participant, const std::string & topic,
                                     const std::string & options) {
  return std::move(*participant.create_publisher(publisher_options(topic, options)));
}
std::unique_ptr<Subscription> subscription(const Participant & participant, const std::string & topic,
                                           const std::string & options) {
  return std::move(*participant.create_subscription(subscription_options(topic, options)));
}

void send(Publisher & out, std::uint64_t counter, std::size_t size, Seat & seat) {
  auto loan = out.borrow(size);
  if (!loan) {
    add(seat.refused);
    return;
  }
  fill(loan->data(), size, 7, counter);
  add(out.publish(std::move(*loan)) ? seat.sent : seat.refused);
}

/// True when there was a message.
bool receive(Subscription & in, Seat & seat) {
  const Sample sample = in.take();
  if (sample) {
    add(seat.torn, is_whole(sample.data(), sample.size()) ? 0 : 1);
    add(seat.taken);
  }
  return static_cast<bool>(sample);
}

Seat & seat_of(const std::vector<std::string> & arguments) {
  return open_board(arguments[0]).seats[std::stoul(arguments[1])];
}

}  // namespace

int soak_writer(const std::vector<std::string> & arguments) {
  const Board & board = open_board(arguments[0]);
  Seat & seat = seat_of(arguments);
  const auto participant = Participant::join(0);
  const auto out = publisher(*participant, arguments[2], arguments[3]);
  const bool yields = arguments[4] == "yields";
  for (std::uint64_t counter = 0; !board.stop.load(std::memory_order_relaxed); ++counter) {
    send(*out, counter, kSmall, seat);
    if (yields && counter % 16 == 0) {
      sched_yield();
    }
  }
  return 0;
}

int soak_reader(const std::vector<std::string> & arguments) {
  const Board & board = open_board(arguments[0]);
  Seat & seat = seat_of(arguments);
  const auto participant = Participant::join(0);
  const auto all = subscription(*participant, "all", "keep_all");
  const auto last = subscription(*participant, "last", "depth=10");
  const auto large = subscription(*participant, "large", "depth=2");
  const auto set = std::move(*participant->create_wait_set());
  for (const auto * in : {&all, &last, &large}) {
    set->attach(**in);
  }
  while (!board.stop.load(std::memory_order_relaxed)) {
    bool any = false;
    for (int i = 0; i < 64; ++i) {
      const bool one = receive(*all, seat);
      const bool two = receive(*last, seat);
      any = any || one || two;
    }
    any = receive(*large, seat) || any;
    if (!any && arguments[2] == "waits") {
      set->wait(std::chrono::milliseconds(10));
    } else if (!any) {
      sched_yield();
    }
  }
  return all->lost() == 0 ? 0 : 1;
}

int soak_guest(const std::vector<std::string> & arguments) {
  const Board & board = open_board(arguments[0]);
  Seat & seat = seat_of(arguments);
  const std::uint64_t rounds = std::stoull(arguments[2]);
  const auto participant = Participant::join(0);
  std::array<Sample, 8> kept;
  for (std::uint64_t i = 0; (rounds == 0 || i < rounds) && !board.stop.load(std::memory_order_relaxed); ++i) {
    const auto all = subscription(*participant, "all", "keep_all");
    const auto last = subscription(*participant, "last", "depth=1");
    const auto large = publisher(*participant, "large", i % 2 == 0 ? "depth=2" : "depth=2 transient");
    add(seat.opened, 3);
    for (std::uint64_t j = 0; j < 8; ++j) {
      send(*large, j, kLarge, seat);
      send(*large, j, kSmall, seat);
      for (int k = 0; k < 200; ++k) {
        receive(*all, seat);
      }
      kept[(i + j) % kept.size()] = last->take();
      sched_yield();
    }
  }
  return 0;
}

}  // namespace tandem::test
