// bag.write.PROFILE: a recorder of 4 MiB messages, whose publisher in another process keeps some messages ahead of it; and dd
// of as many bytes right after it.
//
//   bag.write, bag.write.synced     for a GB, from the first publish until the bag is complete, and until it is on the disk
//   bag.dd, bag.dd.synced           dd of the same bytes to the same disk
//   bag.processor.PROFILE.user, .system    of the recorder's process, for a GB of messages
//
// A burst without compression is three recordings, each with its dd. Of the times the least counts: a virtual machine that
// gives free memory back to its host waits for it again at random, and twice as long as all else takes.
#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "bag/bag.hpp"
#include "bag/bag_disk.hpp"
#include "bag/bag_link.hpp"
#include "bag/bag_messages.hpp"
#include "bag/bag_recording.hpp"
#include "common/ros.hpp"
#include "tandem/measure/processor_time.hpp"
#include "tandem_benchmark/msg/message4m.hpp"

namespace bench {
namespace {

using Message = tandem_benchmark::msg::Message4m;

/// Messages that are published and not in the bag yet, at most: so many that the recorder never waits for one, and far fewer than
/// its cache of 100 MiB and its subscription (32) hold, so that none is lost.
constexpr std::size_t kAhead = 8;

/// Recordings in a burst.
std::size_t runs_of(const std::string & profile) { return profile == kUncompressed ? 3 : 1; }

std::string topic_of(const std::string & profile) { return "/bench/bag_write/" + profile; }

/// Processor time in ns.
struct Spent {
  std::int64_t user = 0;
  std::int64_t system = 0;
  Spent operator-(const Spent & other) const { return {user - other.user, system - other.system}; }
};

/// By this process, which does little beside recording: it looks for progress once in a millisecond.
Spent spent() {
  rusage now{};
  getrusage(RUSAGE_SELF, &now);
  return {tandem::measure::to_ns(now.ru_utime), tandem::measure::to_ns(now.ru_stime)};
}

class Publishing : public Contestant {
 public:
  Publishing(const std::string & name, const std::string & profile)
      : profile_(profile),
        link_(name, true),
        publisher_(ros().node->create_publisher<Message>(topic_of(profile), 4 * kAhead)) {
    expect_mcap();
  }

  bool is_connected() const override { return link_.is_connected(); }

  Samples ping(const Burst & burst) override {
    Samples samples;
    if (!dd_) {
      dd_.emplace(burst.samples * sizeof(Message));
    }
    dd_->run();  // a warm-up
    for (std::size_t run = 0; run < runs_of(profile_); ++run) {
      for (const auto & [series, value] : record(burst.samples)) {
        samples[series].push_back(value);
      }
    }
    for (auto & [series, values] : samples) {
      if (series.rfind("bag.processor.", 0) != 0) {
        values = {*std::min_element(values.begin(), values.end())};
      }
    }
    return samples;
  }

 private:
  /// One value of each series.
  std::map<std::string, double> record(std::size_t messages) {
    const std::uint64_t bytes = messages * sizeof(Message);
    const double gigabytes = static_cast<double>(bytes) / 1e9;
    link_.hear();
    BagLink::wait_patiently([&] { return publisher_->get_subscription_count() == 1; });
    const auto begin = Clock::now();
    publish_all(messages);
    if (hear_end() != messages) {
      throw std::runtime_error("messages are missing in the bag");
    }
    const double written = nanoseconds_between(begin, Clock::now());
    const Head used = link_.hear();
    link_.hear();
    const double synced = nanoseconds_between(begin, Clock::now());
    link_.hear();  // the disk is idle again
    std::map<std::string, double> values = {
        {"bag.processor." + profile_ + ".user", static_cast<double>(used.sequence) / gigabytes},
        {"bag.processor." + profile_ + ".system", static_cast<double>(used.last) / gigabytes}};
    if (profile_ == kUncompressed) {
      const WritingTime dd = dd_->run();
      values.insert({{"bag.write", written / gigabytes},
                     {"bag.write.synced", synced / gigabytes},
                     {"bag.dd", dd.written / gigabytes},
                     {"bag.dd.synced", dd.synced / gigabytes}});
    }
    return values;
  }

  void publish_all(std::size_t count) {
    std::size_t written = 0;
    for (std::size_t sent = 0; sent < count; ++sent) {
      BagLink::wait_patiently([&] {
        while (const auto progress = link_.look()) {
          written = progress->sequence;
        }
        return sent - written < kAhead;
      });
      publish(sent);
    }
    link_.tell();
  }

  /// The publisher's memory comes round: each piece is filled once.
  void publish(std::uint64_t sequence) {
    auto loan = publisher_->borrow_loaned_message();
    if (loan.get().payload.back() != picture_.back()) {
      std::copy(picture_.begin(), picture_.end(), loan.get().payload.begin());
    }
    loan.get().sequence = sequence;
    publisher_->publish(std::move(loan));
  }

  /// \return the bag's messages.
  std::uint64_t hear_end() {
    Head head;
    while ((head = link_.hear()).last == 0) {
    }
    return head.sequence;
  }

  const std::string profile_;
  const std::vector<std::uint8_t> picture_ = make_picture(Message().payload.size());
  BagLink link_;
  std::shared_ptr<rclcpp::Publisher<Message>> publisher_;
  std::optional<Dd> dd_;
};

class Writing : public Contestant {
 public:
  Writing(const std::string & name, const std::string & profile) : profile_(profile), link_(name, false) {}

  bool is_connected() const override { return link_.is_connected(); }
  Samples ping(const Burst &) override { return {}; }

  void pong() override {
    for (std::size_t run = 0; run < runs_of(profile_); ++run) {
      record();
    }
  }

 private:
  void record() {
    Recording recording(topic_of(profile_), profile_);
    const Spent before = spent();
    link_.tell();
    tell_progress(recording);
    link_.tell({recording.stop(), 1});
    const Spent used = spent() - before;
    link_.tell({static_cast<std::uint64_t>(used.user), static_cast<std::uint64_t>(used.system)});
    recording.sync();
    link_.tell();
    recording.remove();
    link_.tell();
  }

  /// Until the publisher has sent its last message.
  void tell_progress(const Recording & recording) {
    for (std::uint64_t told = 0; !link_.look();) {
      if (const std::uint64_t count = recording.message_count(); count != told) {
        link_.tell({told = count, 0});
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  const std::string profile_;
  BagLink link_;
};

}  // namespace

std::unique_ptr<Contestant> make_bag_write(const std::string & name, const Role & role) {
  const std::string profile = name.substr(name.rfind('.') + 1);
  if (role.ping) {
    return std::make_unique<Publishing>(name, profile);
  }
  return std::make_unique<Writing>(name, profile);
}

}  // namespace bench
