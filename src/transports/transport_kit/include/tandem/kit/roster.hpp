// How processes of one host find each other when their middleware has no discovery of its own: a folder with a locked
// file for each participant, which tells its nodes and endpoints.
//
// The folder is <shared-memory folder>/<transport>-<domain>, the shared-memory folder TANDEM_SHM_DIR, by default
// /dev/shm/tandem-<uid>. A participant that was killed loses its lock and is removed by whoever looks next, which is at
// once: its file is closed, and others watch the folder (inotify).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/kit/endpoint.hpp"
#include "tandem/transport.hpp"

namespace tandem::transport {

/// An endpoint and how to reach it.
struct RosterEntry {
  EndpointInfo endpoint;
  std::string address;        ///< the transport's own words, without control characters
  bool ignore_local = false;  ///< TopicOptions::ignore_local_publications: it does not match its own participant's
};

/// Whether two endpoints are of the same participant (Context).
bool same_participant(const Gid & a, const Gid & b);

/// One participant. Thread-safe. In a child of fork() it does nothing: the child makes a participant of its own.
class Roster {
 public:
  /// `changed` is called from the roster's thread, without a lock held, after others have changed. An object that owns
  /// this one may end in it.
  /// \throws Error when the folder or the file cannot be made.
  Roster(const std::string & transport, std::uint32_t domain, std::function<void()> changed);
  /// Afterwards `changed` is not called any more.
  ~Roster();
  Roster(const Roster &) = delete;
  Roster & operator=(const Roster &) = delete;

  /// The participant's id, 24 hex digits: unique on this host, and the beginning of the names of its files.
  const std::string & id() const;
  /// A path to a file in the folder, short enough for a socket's address (it leads through /proc/self/fd), valid in this
  /// process while this object lives. Files whose names begin with id() and a dot are removed with the participant, by
  /// others when it was killed.
  std::string path_of(const std::string & name) const;

  /// \throws Error when a name has control characters or the file cannot be written.
  void add(const NodeName & node);
  void remove(const NodeName & node) noexcept;
  /// A gid that is unique on this host and tells the participant: the first 12 bytes are the same for all of its endpoints.
  Gid new_gid();
  /// \throws Error when the file cannot be written.
  void add(RosterEntry entry);
  void remove(const Gid & gid) noexcept;

  /// Endpoints of the other kind on the same topic that match, of this participant and others. Those that do not match
  /// are warned of, once a pair. `own` need not have been added.
  /// \param misfits gets those, unless null.
  std::vector<RosterEntry> matches(const RosterEntry & own, StatusBoard::Counterparts * misfits = nullptr);
  GraphSnapshot graph() const;
  /// The endpoints of all other participants, whether they match or not.
  std::vector<RosterEntry> others() const;

 private:
  struct Body;
  const std::shared_ptr<Body> body_;
};

}  // namespace tandem::transport
