// A participant: its iceoryx2 node, its place in the roster, its board, and the thread that connects what matches.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "board.hpp"
#include "tandem/transport_support/roster.hpp"
#include "tandem_iceoryx2.h"

namespace rmw_iceoryx2 {

using tandem::transport::Gid;
using tandem::transport::RosterEntry;

inline constexpr const char * kName = "rmw_iceoryx2_cpp";

class Hub;

/// A publisher or subscription as the hub sees it.
class Endpoint {
 public:
  explicit Endpoint(RosterEntry entry) : entry_(std::move(entry)) {}
  virtual ~Endpoint() = default;
  /// Connects and disconnects, so that it is connected to these only. \return whether peers are to look at their rows.
  virtual void connect(const std::vector<RosterEntry> & matches) = 0;
  const RosterEntry & entry() const { return entry_; }

 protected:
  const RosterEntry entry_;
};

/// Thread-safe. All that belongs to a context holds a reference.
class Hub {
 public:
  /// \throws tandem::transport::Error.
  explicit Hub(std::uint32_t domain);
  ~Hub();
  Hub(const Hub &) = delete;
  Hub & operator=(const Hub &) = delete;

  const Iox2Node * node() const { return node_; }
  tandem::transport::Roster & roster() { return *roster_; }
  const std::shared_ptr<Board> & board() const { return board_; }
  /// The board of the participant that an endpoint belongs to, null when it is not there (yet, or any more).
  std::shared_ptr<Board> board_of(const Gid & endpoint);

  /// Makes it known and connects it. It must be removed before its destructor begins.
  void add(Endpoint & endpoint);
  void remove(Endpoint & endpoint);

  /// A free row of the own board, null when all are in use.
  Row * take_row();
  void free_row(Row * row);
  /// The index of a bell of the own board.
  std::uint32_t take_bell();
  void free_bell(std::uint32_t bell);

 private:
  void make_node(std::uint32_t domain);
  /// Whether no other participant is there.
  bool is_alone() const;
  void attend(const std::string * topic);
  void run();
  void forget_the_gone();

  std::atomic<SharedBell *> attention_{nullptr};  ///< null until the board is there
  std::unique_ptr<tandem::transport::Roster> roster_;
  std::shared_ptr<Board> board_;
  Iox2Node * node_ = nullptr;
  std::atomic<bool> stopping_{false};
  std::thread thread_;

  std::mutex mutex_;                                      ///< held while endpoints connect
  std::vector<Endpoint *> endpoints_;                     ///< guarded by mutex_
  std::set<std::string> present_;                         ///< of the thread: participants with endpoints
  std::mutex boards_mutex_;                               ///< guards what follows
  std::map<std::string, std::shared_ptr<Board>> boards_;  ///< of others, by participant
  std::set<std::uint32_t> bells_;                         ///< in use
};

/// The name of a publisher's service.
std::string service_of(const Gid & publisher);

}  // namespace rmw_iceoryx2
