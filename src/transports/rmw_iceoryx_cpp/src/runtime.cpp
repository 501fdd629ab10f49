#include "runtime.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <future>
#include <random>

#include "iceoryx_hoofs/error_handling/error_handling.hpp"
#include "iceoryx_hoofs/log/logmanager.hpp"
#include "iceoryx_posh/internal/popo/building_blocks/condition_listener.hpp"
#include "iceoryx_posh/internal/popo/building_blocks/condition_notifier.hpp"
#include "iceoryx_posh/internal/popo/ports/publisher_port_data.hpp"
#include "iceoryx_posh/internal/popo/ports/subscriber_port_user.hpp"
#include "iceoryx_posh/internal/runtime/ipc_message.hpp"
#include "iceoryx_posh/internal/runtime/ipc_runtime_interface.hpp"
#include "iceoryx_posh/internal/runtime/shared_memory_user.hpp"
#include "iceoryx_posh/runtime/port_config_info.hpp"
#include "roudi.hpp"
#include "stale_files.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/threads.hpp"
#include "tandem/transport.hpp"

namespace iceoryx {

namespace rt = iox::runtime;
using tandem::transport::Error;

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

std::uint64_t random_id() {
  std::random_device source;
  return (std::uint64_t{source()} << 32) | source();
}

/// The name space of process ids.
std::uint64_t process_space() {
  struct stat space {};
  return stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

template <class T>
std::string words_of(const T & value) {
  return static_cast<iox::cxx::Serialization>(value).toString();
}

}  // namespace

struct Runtime::Connection {
  explicit Connection(const iox::RuntimeName_t & own_name)
      : name(own_name),
        channel(iox::roudi::IPC_CHANNEL_ROUDI_NAME, name,
                iox::units::Duration::fromSeconds(static_cast<std::uint64_t>(kAnswerLimit.count()))) {}

  const iox::RuntimeName_t name;
  rt::IpcRuntimeInterface channel;
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
    bool is_alive = false;  ///< until its destructor is through: iceoryx' table of mapped memory is the process's
  };
  static auto & existing = *new Existing;  // outlives static objects that own endpoints
  std::unique_lock<std::mutex> lock(existing.mutex);
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

Runtime::Runtime() : process_id_(random_id()) {
  set_up_error_handling();
  const RoudiStart roudi_is_there;
  roudi_ = roudi_identity();
  const std::string prefix = std::string(kName) + ": RouDi, the daemon of iceoryx, ";
  if (access("/tmp", W_OK) != 0) {
    throw Error(std::string(kName) + ": /tmp cannot be written, where iceoryx has its sockets");
  }
  remove_stale_files();
  iox::rp::BaseRelativePointer::unregisterAll();  // of an attempt that failed
  last_error.reset();
  connection_ = std::make_shared<Connection>(
      iox::RuntimeName_t(iox::cxx::TruncateToCapacity, own_file_name(getpid(), random_id())));
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
  condition_ = static_cast<iox::popo::ConditionVariableData *>(
      request({}, "condition variable", {rt::IpcMessageTypeToString(rt::IpcMessageType::CREATE_CONDITION_VARIABLE)}));
  const tandem::transport::AllSignalsBlocked blocked;
  delivery_ = std::thread([this] { deliver(); });
  life_sign_ = std::thread([this] { keep_alive(); });
}

Runtime::~Runtime() {
  is_leaving_ = true;
  iox::popo::ConditionNotifier(*condition_, 0).notify();
  delivery_.join();
  if (roudi_identity() == roudi_) {
    stuck_locks_.settle();  // there may be nobody after us who does
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
  iox::rp::BaseRelativePointer::unregisterAll();
}

void * Runtime::request(const std::string & topic, const char * what, const std::vector<std::string> & words) {
  const std::string prefix = std::string(kName) + ": " + (topic.empty() ? "" : "topic '" + topic + "': ");
  if (roudi_identity() != roudi_) {
    throw Error(prefix +
                "RouDi, the daemon of iceoryx, has ended or was restarted: nothing new can be made. Restart "
                "it and then this process");
  }
  rt::IpcMessage message;
  message << words.front() << connection_->name;
  for (std::size_t i = 1; i < words.size(); ++i) {
    message << words[i];
  }
  const auto answer = ask(message);
  if (!answer) {
    throw Error(prefix + "RouDi, the daemon of iceoryx, does not answer: restart it and then this process");
  }
  if (answer->getNumberOfElements() != 3) {
    throw Error(prefix + "RouDi gave no " + what +
                ": it has no more (512 publishers, 1024 subscriptions, 300 processes "
                "on a machine), or this user may not write its memory. Use fewer, or another transport");
  }
  const auto offset = std::strtoull(answer->getElementAtIndex(1).c_str(), nullptr, 10);
  const auto segment = std::strtoull(answer->getElementAtIndex(2).c_str(), nullptr, 10);
  return iox::rp::BaseRelativePointer::getPtr(segment, offset);
}

iox::popo::PublisherPortData & Runtime::create_publisher(const iox::capro::ServiceDescription & service,
                                                         const iox::popo::PublisherOptions & options,
                                                         const std::string & topic) {
  return *static_cast<iox::popo::PublisherPortData *>(
      request(topic, "publisher",
              {rt::IpcMessageTypeToString(rt::IpcMessageType::CREATE_PUBLISHER), words_of(service),
               options.serialize().toString(), words_of(rt::PortConfigInfo())}));
}

iox::popo::SubscriberPortData & Runtime::create_subscriber(const iox::capro::ServiceDescription & service,
                                                           const iox::popo::SubscriberOptions & options,
                                                           const std::string & topic) {
  return *static_cast<iox::popo::SubscriberPortData *>(
      request(topic, "subscriber",
              {rt::IpcMessageTypeToString(rt::IpcMessageType::CREATE_SUBSCRIBER), words_of(service),
               options.serialize().toString(), words_of(rt::PortConfigInfo())}));
}

void Runtime::listen(iox::popo::SubscriberPortData & port, DataListener & listener) {
  std::size_t number = 0;
  {
    const std::lock_guard<std::mutex> lock(listeners_mutex_);
    number = next_number_++ % listeners_.size();
    listeners_[number].push_back(&listener);
  }
  iox::popo::SubscriberPortUser(&port).setConditionVariable(*condition_, number);
}

void Runtime::unlisten(iox::popo::SubscriberPortData & port, DataListener & listener) {
  iox::popo::SubscriberPortUser(&port).unsetConditionVariable();
  const std::lock_guard<std::mutex> lock(listeners_mutex_);
  for (auto & sharing : listeners_) {
    std::erase(sharing, &listener);
  }
}

std::string Runtime::address_of(const void * place) const {
  const auto segment = iox::rp::BaseRelativePointer::searchId(const_cast<void *>(place));
  return std::to_string(roudi_) + ":" + std::to_string(segment) + ":" +
         std::to_string(iox::rp::BaseRelativePointer::getOffset(segment, place)) + ":" +
         std::to_string(process_space());
}

bool Runtime::shares_processes(const std::string & address) const {
  return address.ends_with(":" + std::to_string(process_space()));
}

void * Runtime::place_of(const std::string & address) const {
  unsigned long long roudi = 0;
  unsigned long long segment = 0;
  unsigned long long offset = 0;
  if (std::sscanf(address.c_str(), "%llu:%llu:%llu", &roudi, &segment, &offset) != 3 || roudi != roudi_ ||
      segment != connection_->channel.getSegmentId() || offset >= connection_->channel.getShmTopicSize()) {
    return nullptr;
  }
  return iox::rp::BaseRelativePointer::getPtr(segment, offset);
}

void Runtime::deliver() {
  iox::popo::ConditionListener condition(*condition_);
  while (!is_leaving_) {
    const auto numbers = condition.wait();
    const std::lock_guard<std::mutex> lock(listeners_mutex_);
    for (const auto number : numbers) {
      for (DataListener * listener : listeners_[number]) {
        listener->on_data();
      }
    }
  }
}

void Runtime::keep_alive() {
  bool is_connected = true;
  const RoudiLine line;
  const std::string sign =
      rt::IpcMessage({rt::IpcMessageTypeToString(rt::IpcMessageType::KEEPALIVE), connection_->name}).getMessage();
  std::unique_lock<std::mutex> lock(stop_mutex_);
  while (!stop_changed_.wait_for(lock, kLifeSign, [this] { return stopping_; })) {
    lock.unlock();
    stuck_locks_.look();
    if (is_connected && roudi_identity() != roudi_) {
      is_connected = false;
      tandem::transport::warn(kName, {},
                              "RouDi, the daemon of iceoryx, has ended. What is connected goes on; nothing new can be "
                              "made. Restart it and then this process");
    }
    if (!is_leaving_) {
      line.send(sign);
    }
    lock.lock();
  }
}

}  // namespace iceoryx
