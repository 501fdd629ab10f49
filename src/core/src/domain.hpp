// One domain as this process sees it: its folder, its peers, and who is matched with whom.
//
// Everything here runs under the process's mutex, in housekeeping or in a call that creates or destroys an endpoint;
// never inside publish or take.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "log_later.hpp"
#include "neighbour.hpp"
#include "publisher_body.hpp"
#include "subscription_body.hpp"
#include "wait_set_body.hpp"

namespace tandem {

class Process;

class Domain {
 public:
  static Result<std::shared_ptr<Domain>, JoinError> open(Process & process, const Home & home, std::uint32_t number);

  ~Domain();
  Domain(const Domain &) = delete;
  Domain & operator=(const Domain &) = delete;

  bool is(std::uint32_t number, const std::string & home) const { return number == number_ && home == home_; }
  Process & process() const { return process_; }

  // Under the process's mutex.
  Result<bool, JoinError> join();
  void leave();
  void keep_house();
  /// As PublisherBody::trim, for all publishers.
  void trim(bool idle);
  /// As PublisherBody::make_room, for all publishers.
  bool make_room(bool at_any_cost);
  /// Nobody uses it and nothing of ours is left in it.
  bool is_finished() const;

  // These lock the process's mutex.
  Result<std::shared_ptr<PublisherBody>, CreateError> create_publisher(const PublisherOptions & options);
  Result<std::shared_ptr<SubscriptionBody>, CreateError> create_subscription(const SubscriptionOptions & options);
  Result<std::shared_ptr<WaitSetBody>, CreateError> create_wait_set();
  Result<std::uint64_t, CreateError> add_node(const NodeName & node);
  void remove_node(std::uint64_t number);
  void close_publisher(const std::shared_ptr<PublisherBody> & publisher);
  void close_subscription(const std::shared_ptr<SubscriptionBody> & subscription);
  void close_wait_set(const std::shared_ptr<WaitSetBody> & wait_set);
  Graph graph();
  std::uint64_t graph_version() const;
  bool is_settled();
  void release_user();

 private:
  struct OwnPublisher {
    std::shared_ptr<PublisherBody> body;
    std::uint32_t index;
  };
  struct OwnSubscription {
    std::shared_ptr<SubscriptionBody> body;
    std::uint32_t index;
  };
  Domain(Process & process, Folder folder, const Home & home, std::uint32_t number)
      : process_(process),
        folder_(std::move(folder)),
        home_(home.path),
        number_(number),
        tag_(tag_of(home.key, number)) {}
  void restore();

  void open_roster();
  Roster * roster() const { return roster_ && !roster_broken_ ? reinterpret_cast<Roster *>(roster_.base()) : nullptr; }
  bool is_intact() const;
  void announce(bool somebody_came_or_went = false);
  void match_and_announce();
  bool give_names();
  void settle_own();
  bool look_for_peers();
  bool is_time_to_look();
  void list_peers();
  void meet(std::uint64_t incarnation);
  void complain(int error, const std::string & what);
  bool match();
  bool match_subscription(OwnSubscription & own);
  bool make_lane(OwnSubscription & own, Neighbour & neighbour, const Neighbour::Endpoint & publisher);
  bool look_for_acks(OwnSubscription & own);
  bool end_lanes(OwnSubscription & own);
  bool match_publisher(OwnPublisher & own);
  bool remove_readers(OwnPublisher & own);
  bool acknowledge(OwnPublisher & own, Neighbour & neighbour, const Neighbour::LaneEntry & lane);
  bool end_matches();
  bool finish_closed();
  bool compatible(const EndpointInfo & publisher, const EndpointInfo & subscription, Neighbour & other,
                  bool other_publishes);
  const Neighbour::Endpoint * find_publisher(EndpointId id) const;
  std::optional<Failure<CreateError>> objection(const std::string & topic, const TypeIdentity & type,
                                                const NodeName & node, const Qos & qos) const;

  Process & process_;
  const Folder folder_;
  const std::string home_;
  const std::uint32_t number_;
  std::uint32_t tag_;  ///< of our entries: a process may be in domains of one number in two directories
  bool joined_ = false;
  std::uint32_t users_ = 0;
  Mapping roster_;
  std::uint64_t roster_inode_ = 0;
  std::uint64_t region_name_ = 0;  ///< inode of what we gave our region's name to
  std::uint64_t bell_name_ = 0;
  std::atomic<bool> roster_broken_ = false;
  std::chrono::steady_clock::time_point next_restore_;
  std::map<std::uint64_t, Neighbour> neighbours_;
  struct Refusal {
    int attempts = 0;
    std::chrono::steady_clock::time_point next;  ///< when it is tried again
  };
  std::map<std::uint64_t, Refusal> refused_;  ///< files that are no regions, or not for us
  std::map<std::uint64_t, OwnPublisher> publishers_;
  std::map<std::uint64_t, OwnSubscription> subscriptions_;
  std::vector<std::shared_ptr<Lane>> remnants_;  ///< closed lanes whose blocks the user still holds
  std::map<std::uint64_t, std::uint32_t> nodes_;
  std::set<std::pair<std::string, std::string>> warned_;
  std::set<std::uint64_t> concerned_;                  ///< processes whose matches we have changed: to be rung
  bool dirty_ = false;                                 ///< our own endpoints have changed since the last match
  std::uint64_t population_ = ~std::uint64_t{0};       ///< of the roster, before the folder was last read
  std::chrono::steady_clock::time_point next_look_{};  ///< at the folder and everybody's lock
  Seldom shortage_line_;
};

}  // namespace tandem
