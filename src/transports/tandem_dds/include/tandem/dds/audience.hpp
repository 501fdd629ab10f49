// Who reads ros_discovery_info on the network, and in which form: Gids of 24 bytes (ROS 2 through Humble) or of 16.
//
// What a reader cannot read may end its process, so nobody is told of our nodes before it is known how it reads:
//   1. a type hash in the reader's user data, or in those of any endpoint of its participant: 16 bytes (from Iron on);
//   2. else the form in which its participant speaks itself;
//   3. else, of one that has no writer for it and so will not speak: 24 bytes, for earlier ones tell no hash.
// What is learnt first stays. Our own readers say that they read either form ("gids=any;"), and get 16 bytes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "tandem/dds/names.hpp"
#include "tandem/transport.hpp"

namespace tandem::dds {

/// What others' readers ask for, taken together; ours do with anything.
struct Demand {
  bool narrow = false;   ///< some read Gids of 16 bytes
  bool wide = false;     ///< some read Gids of 24 bytes
  bool unknown = false;  ///< of some it is not known
  bool is_mixed() const { return narrow && wide; }
};

/// Thread-safe. Fed by an adapter from its discovery callbacks; endpoints of the own participant are left out.
class Audience {
 public:
  using Clock = std::chrono::steady_clock;
  /// Each reader with its form, where that is known.
  using Readers = std::map<transport::Gid, std::optional<GidWidth>>;

  /// `changed` is called after readers() has changed, from a thread of its own, so that it may call the middleware.
  /// `silence`: how long a participant without a writer is given to show what it is.
  explicit Audience(std::function<void()> changed, Clock::duration silence = std::chrono::seconds(2));
  ~Audience();
  Audience(const Audience &) = delete;
  Audience & operator=(const Audience &) = delete;

  /// Any endpoint of another participant, new or changed.
  void found(transport::EndpointKind kind, const transport::Gid & endpoint, std::string_view dds_topic,
             std::string_view user_data);
  /// A message of ros_discovery_info came from this writer.
  void heard(const transport::Gid & writer, GidWidth width);
  void lost(const transport::Gid & endpoint);
  void lost_participant(const transport::Gid & participant);

  Readers readers() const;
  Demand demand() const;
  /// Nothing for one that is unknown, too.
  std::optional<GidWidth> form_of(const transport::Gid & reader) const;

  /// No call of `changed` from here on; returns when none is under way.
  void end();

 private:
  struct Peer {
    std::optional<GidWidth> form;
    bool reads_any = false;
    std::set<transport::Gid> readers;
    std::set<transport::Gid> writers;
    Clock::time_point since = Clock::now();
  };
  using Peers = std::map<transport::Gid, Peer>;

  void learn_locked(Peer & peer, GidWidth form);
  void notify_locked();
  std::optional<Clock::time_point> give_up_waiting_locked();
  void run();

  const std::function<void()> changed_;
  const Clock::duration silence_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  Peers peers_;               ///< guarded by mutex_, as all that follows; by participant
  bool has_changed_ = false;  ///< since `changed` was called
  bool is_ended_ = false;
  std::thread thread_;  ///< from the first reader on
};

}  // namespace tandem::dds
