// This process's connection to RouDi: requests for ports, the sign of life, and a thread that tells subscriptions of
// data.
//
// iceoryx' own PoshRuntime waits a minute for RouDi, ends the process on errors and prints three lines a second when
// RouDi has gone, so the parts that it is made of are put together here. All of them are installed headers of 2.0.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "iceoryx_posh/iceoryx_posh_types.hpp"
#include "stuck_locks.hpp"

namespace iox::popo {
struct ConditionVariableData;
struct PublisherOptions;
struct PublisherPortData;
struct SubscriberOptions;
struct SubscriberPortData;
}  // namespace iox::popo
namespace iox::capro {
class ServiceDescription;
}
namespace iox::runtime {
class IpcMessage;
}

namespace iceoryx {

/// Somebody who wants to know of data.
class DataListener {
 public:
  virtual ~DataListener() = default;
  /// In the runtime's thread, after a message has come; now and then without one.
  virtual void on_data() = 0;
};

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

  /// Connected to what matches when they return. `topic` is for the error's text.
  /// \throws Error when RouDi has gone or has no more ports.
  iox::popo::PublisherPortData & create_publisher(const iox::capro::ServiceDescription & service,
                                                  const iox::popo::PublisherOptions & options,
                                                  const std::string & topic);
  iox::popo::SubscriberPortData & create_subscriber(const iox::capro::ServiceDescription & service,
                                                    const iox::popo::SubscriberOptions & options,
                                                    const std::string & topic);

  /// Calls the listener when the port gets data, until unlisten() returns.
  void listen(iox::popo::SubscriberPortData & port, DataListener & listener);
  void unlisten(iox::popo::SubscriberPortData & port, DataListener & listener);

  /// A place in the memory of RouDi's management, in words that other processes of the same RouDi understand.
  std::string address_of(const void * place) const;
  /// nullptr for words of another RouDi.
  void * place_of(const std::string & address) const;

  /// Whether the numbers of threads mean the same there as here.
  bool shares_processes(const std::string & address) const;

  StuckLocks & stuck_locks() { return stuck_locks_; }
  std::uint64_t process_id() const { return process_id_; }

 private:
  struct Connection;

  void * request(const std::string & topic, const char * what, const std::vector<std::string> & words);
  std::optional<iox::runtime::IpcMessage> ask(const iox::runtime::IpcMessage & question);
  void deliver();
  void keep_alive();

  const std::uint64_t process_id_;
  std::uint64_t roudi_ = 0;
  std::shared_ptr<Connection> connection_;
  iox::popo::ConditionVariableData * condition_ = nullptr;
  StuckLocks stuck_locks_;

  std::mutex listeners_mutex_;
  /// By number of the notification; several may share one.
  std::array<std::vector<DataListener *>, iox::MAX_NUMBER_OF_NOTIFIERS> listeners_;
  std::size_t next_number_ = 0;

  std::atomic<bool> is_leaving_{false};  ///< RouDi is being told
  std::mutex stop_mutex_;
  std::condition_variable stop_changed_;
  bool stopping_ = false;  ///< guarded by stop_mutex_
  std::thread delivery_;
  std::thread life_sign_;
};

}  // namespace iceoryx
