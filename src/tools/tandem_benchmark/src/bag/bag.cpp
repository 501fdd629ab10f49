// bag: recording and playing. The first process of the other side hosts the recorder or the player, the second one is a
// subscriber where one is wanted.
#include "bag/bag.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

class Bystander : public Contestant {
 public:
  Samples ping(const Burst &) override { return {}; }
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  if (name.rfind("bag.publish.", 0) == 0) {
    return make_bag_publish(name, role);
  }
  if (!role.ping && role.index != kBagHost) {
    return std::make_unique<Bystander>();
  }
  return name == "bag.pace" ? make_bag_pace(role) : make_bag_write(name, role);
}

}  // namespace

Suite bag_suite(const Length & length) {
  constexpr std::size_t kFilled = 100;  // messages until the publisher has memory for all that its readers keep
  constexpr double kRecording = 1.25;   // 0.8 of dd's MB/s
  constexpr double kRecorded = 1.05;
  constexpr double kPace = 200e3;  // ns
  Suite suite{"bag", 2, make, true, true};
  suite.figures = {{"bag.write", "recording a GB of 4 MiB messages"},
                   {"bag.dd", "dd of a GB"},
                   {"bag.write.synced", "recording a GB of 4 MiB messages, until it is on the disk"},
                   {"bag.dd.synced", "dd of a GB, until it is on the disk"}};
  suite.targets = {{"recording / dd", "bag.write", "bag.dd", kRecording},
                   {"recording / dd, until it is on the disk", "bag.write.synced", "bag.dd.synced", kRecording}};
  for (const std::string profile : {kUncompressed, "lz4", "zstd_fast"}) {
    const bool is_plain = profile == kUncompressed;
    suite.contests.push_back({"bag.write." + profile, length.samples(is_plain ? 128 : 64)});
    for (const std::string how : {"user", "system"}) {
      suite.figures.push_back(
          {"bag.processor." + profile + "." + how,
           "recording a GB, " + (is_plain ? "uncompressed" : profile) + ": " + how + " processor time"});
    }
  }
  for (const std::size_t size : {kSizes[0], std::size_t{1024}, kSizes[2]}) {
    const std::string series = "bag.publish." + std::to_string(size);
    suite.contests.push_back({series, length.samples(size > 100'000 ? 100 : 1000)});
    suite.contests.back().burst.warm_up = kFilled;
    const std::string text = size_text(size);
    for (const auto & [how, words] : {std::pair{".alone", ", not recorded"}, std::pair{".recorded", ", recorded"}}) {
      const std::string what = "publish, " + text + words;
      suite.figures.push_back({series + how, what});
      suite.figures.push_back({series + how + ".cpu", what + ", processor time of a message"});
    }
    suite.targets.push_back(
        {"publish, " + text + ", recorded / not", series + ".recorded", series + ".alone", kRecorded});
    suite.targets.push_back({"processor time of publishing, " + text + ", recorded / not", series + ".recorded.cpu",
                             series + ".alone.cpu", kRecorded});
  }
  suite.contests.push_back({"bag.pace", length.samples(1000)});
  for (const auto & [series, what] : {std::pair{"bag.pace", "playing at 1 kHz, error of a message's time"},
                                      std::pair{"bag.pace.floor", "sleeping at 1 kHz, error of a wake-up's time"}}) {
    suite.figures.push_back({series, what});
    suite.figures.push_back({std::string(series) + ".p99", std::string(what) + ", p99 of each second"});
  }
  suite.targets.push_back({"playing at 1 kHz, p99 of the error", "bag.pace.p99", "", kPace});
  return suite;
}

}  // namespace bench
