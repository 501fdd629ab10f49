// Requests on their way: who gets the replies to one, and which query a reply answers.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "backlog.hpp"
#include "session.hpp"

namespace rmw_zenoh {

/// Of one context. Thread-safe.
class Calls {
 public:
  void add_client(const Gid & client, std::shared_ptr<Backlog> replies);
  void remove_client(const Gid & client);
  /// Null when it is not of this context.
  std::shared_ptr<Backlog> replies_of(const Gid & client) const;

  /// A request that a server has taken. Of those that one leaves unanswered the oldest is given up in the end.
  void add_query(const void * server, const RequestId & request, Owner query);
  /// Null when it was answered, or given up.
  Owner take_query(const RequestId & request);
  /// Gives up what a server has not answered.
  void remove_server(const void * server);

 private:
  struct Query {
    const void * server;
    RequestId request;
    Owner owner;
  };

  mutable std::mutex mutex_;
  std::map<Gid, std::shared_ptr<Backlog>> clients_;  ///< guarded by mutex_
  std::list<Query> queries_;                         ///< guarded by mutex_; the oldest first
};

}  // namespace rmw_zenoh
