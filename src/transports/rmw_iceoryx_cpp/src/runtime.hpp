// This process's connection to RouDi: requests for ports, the sign of life, and a look at what those who were killed hold.
//
// iceoryx' own PoshRuntime waits a minute for RouDi, ends the process on errors and prints three lines a second when
// RouDi has gone, so the parts that it is made of are put together here. All of them are installed headers of 2.0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "iceoryx_hoofs/cxx/serialization.hpp"
#include "iceoryx_posh/internal/runtime/ipc_message.hpp"
#include "iceoryx_posh/internal/runtime/ipc_runtime_interface.hpp"
#include "stuck_locks.hpp"
#include "tandem/kit/roster.hpp"

namespace iceoryx {

/// Thread-safe.
class Runtime {
 public:
  /// The process's one, made when there is none. It ends with the last who holds it; that gives everything back to RouDi.
  /// \throws Error when RouDi is absent and cannot be started, or does not answer.
  static std::shared_ptr<Runtime> get();

  Runtime();
  ~Runtime();
  Runtime(const Runtime &) = delete;
  Runtime & operator=(const Runtime &) = delete;

  /// A port, CREATE_PUBLISHER or CREATE_SUBSCRIBER, of the service that one publisher is. The publisher's and those of its
  /// subscriptions are connected when they are there.
  /// \throws Error when RouDi has gone or has no more ports.
  void * create(iox::runtime::IpcMessageType kind, const tandem::transport::Gid & publisher,
                const iox::cxx::Serialization & options);

  /// A publisher's lock, in words that other processes of the same RouDi understand.
  std::string address_of(const iox::popo::ThreadSafePolicy & lock) const;
  /// From now on the lock is opened when its holder was killed.
  void guard(const std::string & address);
  /// The same for those of all participants of a roster, also when they come later, until unguard().
  void guard(const tandem::transport::Roster & roster);
  void unguard(const tandem::transport::Roster & roster);

 private:
  struct Connection;

  std::optional<iox::runtime::IpcMessage> ask(const iox::runtime::IpcMessage & question);
  void look_for_stuck_locks_before_leaving();
  void keep_alive();

  std::uint64_t roudi_ = 0;
  std::shared_ptr<Connection> connection_;
  StuckLocks stuck_locks_;
  std::mutex rosters_mutex_;
  std::set<const tandem::transport::Roster *> rosters_;  ///< guarded by rosters_mutex_

  std::atomic<bool> is_leaving_{false};  ///< RouDi is being told
  std::mutex stop_mutex_;
  std::condition_variable stop_changed_;
  bool stopping_ = false;  ///< guarded by stop_mutex_
  std::thread life_sign_;
};

}  // namespace iceoryx
