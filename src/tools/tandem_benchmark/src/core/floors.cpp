// Floors: what the machine itself needs, without any of our code.
//
//   cache_line   two processes bounce one cache line, busy polling
//   futex        two processes wake each other through one futex word
//   memcpy.N     one process copies N bytes between two buffers
#include "common/suites.hpp"
#include "tandem/measure/floor.hpp"

namespace bench {
namespace {

/// A word says whose turn it is in its lowest bit, whether it is the last in the next one, then the sequence number. A
/// fresh word (0) is nobody's message.
constexpr std::uint32_t kAnswer = 1;
constexpr std::uint32_t kLast = 2;
constexpr std::uint32_t kStep = 4;
constexpr std::uint64_t kSequenceMask = 0x0fff'ffff;

std::uint32_t encode(const Head & head, std::uint32_t side) {
  return static_cast<std::uint32_t>(head.sequence + 1) * kStep + (head.last != 0 ? kLast : 0) + side;
}

struct Received {
  Head head;
};

Received decode(std::uint32_t word) { return {{(word / kStep - 1) & kSequenceMask, word & kLast}}; }

bool is_message(std::uint32_t word, std::uint32_t side) { return word >= kStep && (word & kAnswer) == side; }

class CacheLine : public Contestant {
 public:
  explicit CacheLine(const std::string & folder) : word_(folder + "/floor_cache_line") {}

  Samples ping(const Burst & burst) override {
    return {{"floor.cache_line",
             play_ping(
                 burst, [this](const Head & head) { send(head, 0); }, [this] { return receive(kAnswer); })}};
  }
  void pong() override {
    play_pong([this](const Head & head) { send(head, kAnswer); }, [this] { return receive(0); });
  }

 private:
  void send(const Head & head, std::uint32_t side) { word_.write(encode(head, side)); }
  Received receive(std::uint32_t side) {
    Patience patience;
    for (;;) {
      const std::uint32_t word = word_.read();
      if (is_message(word, side)) {
        return decode(word);
      }
      patience.check();
    }
  }

  tandem::measure::FloorWord word_;
};

class Futex : public Contestant {
 public:
  explicit Futex(const std::string & folder) : word_(folder + "/floor_futex") {}

  Samples ping(const Burst & burst) override {
    return {
        {"floor.futex", play_ping(
                            burst, [this](const Head & head) { send(head, 0); }, [this] { return receive(kAnswer); })}};
  }
  void pong() override {
    play_pong([this](const Head & head) { send(head, kAnswer); }, [this] { return receive(0); });
  }

 private:
  void send(const Head & head, std::uint32_t side) { word_.write_and_wake(encode(head, side)); }
  Received receive(std::uint32_t side) {
    for (;;) {
      const std::uint32_t word = word_.read();
      if (is_message(word, side)) {
        return decode(word);
      }
      if (!word_.wait(word, kPatience)) {
        Patience::give_up();
      }
    }
  }

  tandem::measure::FloorWord word_;
};

class Memcpy : public Contestant {
 public:
  explicit Memcpy(std::size_t size) : size_(size), repeats_(std::max<std::size_t>(1, 16384 / size)), floor_(size) {}

  Samples ping(const Burst & burst) override {
    std::vector<double> samples;
    const auto limit = Clock::now() + burst.budget;
    for (std::size_t i = 0; i < burst.warm_up + burst.samples; ++i) {
      const auto begin = Clock::now();
      for (std::size_t repeat = 0; repeat < repeats_; ++repeat) {
        floor_.copy();
      }
      const auto end = Clock::now();
      if (i >= burst.warm_up || end > limit) {
        samples.push_back(nanoseconds_between(begin, end) / static_cast<double>(repeats_));
      }
      if (end > limit) {
        break;
      }
    }
    return {{"floor.memcpy." + std::to_string(size_), samples}};
  }

 private:
  const std::size_t size_;
  const std::size_t repeats_;  ///< copies in one sample, so that the clock does not count
  tandem::measure::FloorCopy floor_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  if (name == "floor.cache_line") {
    return std::make_unique<CacheLine>(role.folder);
  }
  if (name == "floor.futex") {
    return std::make_unique<Futex>(role.folder);
  }
  return std::make_unique<Memcpy>(number_after(name, "floor.memcpy."));
}

}  // namespace

Suite floor_suite(const Length & length) {
  Suite suite{"floor", 1, make};
  suite.add("floor.cache_line", length.polled(), "floor: two processes bounce a cache line");
  suite.add("floor.futex", length.samples(1000), "floor: two processes wake each other by a futex");
  for (const std::size_t size : kSizes) {
    const std::size_t samples = size > 100'000 ? (std::size_t{200} << 20) / size : 2000;
    suite.add("floor.memcpy." + std::to_string(size), length.samples(samples), "floor: memcpy of " + size_text(size));
  }
  return suite;
}

}  // namespace bench
