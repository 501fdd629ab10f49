#include "runtime.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <random>

#include "iceoryx_hoofs/error_handling/error_handling.hpp"
#include "iceoryx_hoofs/log/logmanager.hpp"
#include "iceoryx_posh/capro/service_description.hpp"
#include "iceoryx_posh/internal/runtime/shared_memory_user.hpp"
#include "iceoryx_posh/runtime/port_config_info.hpp"
#include "roudi.hpp"
#include "tandem/kit/threads.hpp"
#include "tmp_files.hpp"

namespace iceoryx {

namespace rt = iox::runtime;
using iox::rp::BaseRelativePointer;
using tandem::transport::EndpointKind;
using tandem::transport::Error;
using tandem::transport::Gid;
using tandem::transport::Roster;

namespace {

/// RouDi answers in milliseconds; a loaded machine may take a thousand times as long.
constexpr auto kAnswerLimit = std::chrono::seconds(10);
/// RouDi takes a process for dead that was silent for 1.5 s.
constexpr auto kLifeSign = std::chrono::milliseconds(300);

thread_local std::optional<iox::Error> last_error;  // what iceoryx last complained of in this thread

/// Replaces iceoryx' handler, which ends the process. It throws nothing and returns: who called looks at last_error.
void set_up_error_handling() {
  static const iox::HandlerFunction handler = [](const iox::Error error, const std::function<void()> &,
                                                 const iox::ErrorLevel) { last_error = error; };
  static auto * const until_the_end =
      new auto(iox::ErrorHandler::setTemporaryErrorHandler(handler));  // never given back
  static_cast<void>(until_the_end);
  iox::log::LogManager::GetLogManager().SetDefaultLogLevel(iox::log::LogLevel::kOff,
                                                           iox::log::LogLevelOutput::kHideLogLevel);
}

constexpr const char * kPrefix = "tandem_iceoryx_";

/// Of our socket in /tmp and its lock.
iox::RuntimeName_t new_name() {
  char name[128];
  std::snprintf(name, sizeof name, "%s%d_%08x", kPrefix, static_cast<int>(getpid()), std::random_device()());
  return {iox::cxx::TruncateToCapacity, name};
}

/// Those that our processes have left that were killed.
void remove_stale_files() {
  namespace fs = std::filesystem;
  for (const fs::path & lock : lock_files()) {
    std::error_code error;
    const bool is_ours = lock.filename().string().starts_with(kPrefix);
    if (is_ours && fs::file_time_type::clock::now() - fs::last_write_time(lock, error) > std::chrono::seconds(10) &&
        !error && !is_held(lock)) {
      fs::remove(lock.parent_path() / lock.stem(), error);
      fs::remove(lock, error);
    }
  }
}

/// The name space of process ids.
unsigned long long process_space() {
  struct stat space {};
  return stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

template <class T>
std::string words_of(const T & value) {
  return static_cast<iox::cxx::Serialization>(value).toString();
}

}  // namespace

struct Runtime::Connection {
  const iox::RuntimeName_t name = new_name();
  rt::IpcRuntimeInterface channel{iox::roudi::IPC_CHANNEL_ROUDI_NAME, name,
                                  iox::units::Duration::fromSeconds(static_cast<std::uint64_t>(kAnswerLimit.count()))};
  std::optional<rt::SharedMemoryUser> memory;
  std::mutex mutex;      ///< a request and its answer
  bool is_lost = false;  ///< guarded by mutex: an answer is still due
};

/// iceoryx waits for answers without end, so another thread does. \return nothing when none came in time.
std::optional<rt::IpcMessage> Runtime::ask(const rt::IpcMessage & question) {
  const std::lock_guard<std::mutex> lock(connection_->mutex);
  if (connection_->is_lost) {
    return std::nullopt;
  }
  using Answer = std::optional<rt::IpcMessage>;
  auto promise = std::make_shared<std::promise<Answer>>();
  auto answer = promise->get_future();
  std::thread asker([connection = connection_, question, promise] {
    rt::IpcMessage text;
    promise->set_value(connection->channel.sendRequestToRouDi(question, text) ? Answer(text) : Answer());
  });
  if (answer.wait_for(kAnswerLimit) != std::future_status::ready) {
    connection_->is_lost = true;
    asker.detach();
    return std::nullopt;
  }
  asker.join();
  return answer.get();
}

std::shared_ptr<Runtime> Runtime::get() {
  struct Existing {
    std::mutex mutex;
    std::condition_variable ended;
    std::weak_ptr<Runtime> runtime;
    pid_t process = getpid();
    bool is_alive = false;  ///< until its destructor is through: iceoryx' table of mapped memory is the process's
  };
  static auto & existing = *new Existing;  // outlives static objects that own endpoints
  std::unique_lock<std::mutex> lock(existing.mutex);
  if (existing.process != getpid()) {  // a child of fork() makes its own, and leaves its parent's as it is
    existing.runtime.reset();
    existing.is_alive = false;
    existing.process = getpid();
  }
  auto runtime = existing.runtime.lock();
  if (!runtime) {
    existing.ended.wait(lock, [] { return !existing.is_alive; });
    runtime = {new Runtime, [](Runtime * gone) {
                 delete gone;
                 const std::lock_guard<std::mutex> relock(existing.mutex);
                 existing.is_alive = false;
                 existing.ended.notify_all();
               }};
    existing.is_alive = true;
    existing.runtime = runtime;
  }
  return runtime;
}

Runtime::Runtime() {
  set_up_error_handling();
  const Descriptor roudi_stays = provide_roudi();
  roudi_ = roudi_identity();
  const std::string prefix = std::string(kName) + ": RouDi, the daemon of iceoryx, ";
  if (access("/tmp", W_OK) != 0) {
    throw Error(std::string(kName) + ": /tmp cannot be written, where iceoryx has its sockets");
  }
  remove_stale_files();
  BaseRelativePointer::unregisterAll();  // of an attempt that failed
  last_error.reset();
  connection_ = std::make_shared<Connection>();
  if (last_error) {
    throw Error(prefix + "is there and does not answer (" + iox::ErrorHandler::toString(*last_error) +
                "). It may be of another version than 2.0, of another user, or stuck: restart it");
  }
  connection_->memory.emplace(connection_->channel.getShmTopicSize(), connection_->channel.getSegmentId(),
                              connection_->channel.getSegmentManagerAddressOffset());
  if (last_error) {
    throw Error(prefix + "has memory that this process cannot map (" + iox::ErrorHandler::toString(*last_error) +
                "). Both must run as users of the same group and see the same /dev/shm");
  }
  life_sign_ = tandem::transport::start_thread(kName, [this] { keep_alive(); });
}

Runtime::~Runtime() {
  is_leaving_ = true;
  if (roudi_identity() == roudi_) {
    look_for_stuck_locks_before_leaving();
    // RouDi removes our ports now. It may find locks of those who were killed, which the other thread still opens.
    rt::IpcMessage farewell;
    farewell << rt::IpcMessageTypeToString(rt::IpcMessageType::TERMINATION) << connection_->name;
    ask(farewell);
  }
  {
    const std::lock_guard<std::mutex> lock(stop_mutex_);
    stopping_ = true;
  }
  stop_changed_.notify_all();
  life_sign_.join();
  connection_.reset();
  BaseRelativePointer::unregisterAll();
}

void * Runtime::create(rt::IpcMessageType kind, const Gid & publisher, const iox::cxx::Serialization & options) {
  if (roudi_identity() != roudi_) {
    throw Error(
        "RouDi, the daemon of iceoryx, has ended or was restarted: nothing new can be made. Restart "
        "it and then this process");
  }
  const iox::capro::ServiceDescription service(
      "tandem", iox::capro::IdString_t(iox::cxx::TruncateToCapacity, tandem::transport::to_hex(publisher)), "1");
  rt::IpcMessage question;
  question << rt::IpcMessageTypeToString(kind) << connection_->name << words_of(service) << options.toString()
           << words_of(rt::PortConfigInfo());
  const auto answer = ask(question);
  if (!answer) {
    throw Error("RouDi, the daemon of iceoryx, does not answer: restart it and then this process");
  }
  if (answer->getNumberOfElements() != 3) {
    throw Error(
        "RouDi gave no port: it has no more (512 publishers, 1024 connections with them, 300 processes on a "
        "machine), or this user may not write its memory. Use fewer, or another transport");
  }
  const auto offset = std::strtoull(answer->getElementAtIndex(1).c_str(), nullptr, 10);
  const auto segment = std::strtoull(answer->getElementAtIndex(2).c_str(), nullptr, 10);
  return BaseRelativePointer::getPtr(segment, offset);
}

std::string Runtime::address_of(const iox::popo::ThreadSafePolicy & lock) const {
  void * const place = const_cast<iox::popo::ThreadSafePolicy *>(&lock);
  const auto segment = BaseRelativePointer::searchId(place);
  return std::to_string(roudi_) + ":" + std::to_string(segment) + ":" +
         std::to_string(BaseRelativePointer::getOffset(segment, place)) + ":" + std::to_string(process_space());
}

void Runtime::guard(const std::string & address) {
  unsigned long long roudi = 0;
  unsigned long long segment = 0;
  unsigned long long offset = 0;
  unsigned long long processes = 0;
  if (std::sscanf(address.c_str(), "%llu:%llu:%llu:%llu", &roudi, &segment, &offset, &processes) != 4) {
    return;
  }
  if (processes != process_space()) {
    stuck_locks_.disable();
  } else if (roudi == roudi_ && segment == connection_->channel.getSegmentId() &&
             offset < connection_->channel.getShmTopicSize()) {
    stuck_locks_.add(static_cast<iox::popo::ThreadSafePolicy *>(BaseRelativePointer::getPtr(segment, offset)));
  }
}

void Runtime::guard(const Roster & roster) {
  const std::lock_guard<std::mutex> lock(rosters_mutex_);
  rosters_.insert(&roster);
}

void Runtime::unguard(const Roster & roster) {
  const std::lock_guard<std::mutex> lock(rosters_mutex_);
  rosters_.erase(&roster);
}

/// There may be nobody after us who does.
void Runtime::look_for_stuck_locks_before_leaving() {
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks && stuck_locks_.look() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Runtime::keep_alive() {
  bool is_connected = true;
  const Descriptor line = connect_to_roudi();
  const std::string sign =
      rt::IpcMessage({rt::IpcMessageTypeToString(rt::IpcMessageType::KEEPALIVE), connection_->name}).getMessage();
  std::unique_lock<std::mutex> lock(stop_mutex_);
  while (!stop_changed_.wait_for(lock, kLifeSign, [this] { return stopping_; })) {
    lock.unlock();
    {
      const std::lock_guard<std::mutex> keep(rosters_mutex_);
      for (const Roster * roster : rosters_) {
        for (const auto & entry : roster->others()) {
          guard(entry.address);
        }
      }
    }
    stuck_locks_.look();
    if (is_connected && roudi_identity() != roudi_) {
      is_connected = false;
      tandem::transport::warn(kName, {},
                              "RouDi, the daemon of iceoryx, has ended. What is connected goes on; nothing new can be "
                              "made. Restart it and then this process");
    }
    if (!is_leaving_) {
      send(line.get(), sign.c_str(), sign.size() + 1, MSG_NOSIGNAL);  // RouDi wants the character that ends a string
    }
    lock.lock();
  }
}

}  // namespace iceoryx
