#include "talk/talk.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "graph/watch.hpp"
#include "messages/json_values.hpp"
#include "messages/message_values.hpp"
#include "tandem/service.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::milliseconds kLookForServers{10};  // that are awaited
constexpr std::chrono::seconds kLookAtServers{1};
constexpr std::uint32_t kDepth = 100;  // messages that wait to be printed

/// Lines of standard input, read by a thread that may outlast main(): not through std::cin, for which exit() would wait.
class Lines {
 public:
  /// Wakes the wait-set for what comes and for the end.
  static std::shared_ptr<Lines> read(const std::shared_ptr<transport::WaitSet> & wait_set) {
    auto lines = std::make_shared<Lines>();
    std::thread([lines, wait_set] {
      char bytes[4096];
      for (ssize_t count = 1; count > 0 || (count < 0 && errno == EINTR); wait_set->wake()) {
        count = ::read(STDIN_FILENO, bytes, sizeof(bytes));
        lines->add({bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0))});
      }
      lines->close();
      wait_set->wake();
    }).detach();
    return lines;
  }

  /// \return those that came since the last call. Sets `is_closed` when no more can come.
  std::vector<std::string> take(bool & is_closed) {
    const std::lock_guard lock(mutex_);
    is_closed = is_closed_;
    std::vector<std::string> lines;
    for (std::size_t end = 0; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1)) {
      lines.push_back(text_.substr(0, end));
    }
    if (is_closed_ && !text_.empty()) {
      lines.push_back(std::exchange(text_, {}));
    }
    return lines;
  }

 private:
  void add(std::string_view text) {
    const std::lock_guard lock(mutex_);
    text_ += text;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }

  std::mutex mutex_;
  std::string text_;  ///< that was not taken yet
  bool is_closed_ = false;
};

struct Watched {
  const tandem::MessageType & type;
  std::shared_ptr<transport::Subscription> subscription;
};

struct Call {
  std::string service;
  std::string after;  ///< a watched topic, or empty
  const tandem::ServiceType & type;
  std::unique_ptr<transport::ServiceClient> client;
  std::unique_ptr<FilledMessage> request;
  std::int64_t sequence = 0;
  bool is_sent = false;
};

class Talk {
 public:
  explicit Talk(const std::string & node_name) : self_(session_.announce(node_name)) {}

  void run() {
    watch_for_interrupt(wait_set_);
    const auto lines = Lines::read(wait_set_);
    for (bool is_closed = false; !is_closed && !is_interrupted();) {
      for (const std::string & line : lines->take(is_closed)) {
        understand(line);
      }
      print_messages();
      const bool is_waiting_for_servers = proceed();
      wait_set_->wait(is_waiting_for_servers ? std::chrono::nanoseconds(kLookForServers) : kLookAtServers);
    }
  }

 private:
  void understand(const std::string & line) {
    Json answer = Json::object();
    try {
      const Json order = Json::parse(line);
      if (order.contains("id")) {
        answer["id"] = order["id"];
      }
      if (order.contains("watch")) {
        watch_topic(order.at("watch"), order.at("type"));
      } else if (order.contains("cancel")) {
        calls_.erase(order.at("cancel").get<std::int64_t>());
      } else {
        begin_call(order);
      }
    } catch (const std::exception & error) {  // Json's own too: a bad line is told of and ends nothing
      answer["error"] = error.what();
      print_json(answer);
    }
  }

  void watch_topic(const std::string & name, const std::string & type_name) {
    const std::string topic = topic_name(name);
    if (topics_.count(topic) != 0) {
      return;
    }
    const tandem::MessageType & type = sent_type(type_name);
    transport::Qos qos;
    qos.depth = kDepth;
    const auto subscription = watch(session_, type, {self_, topic, qos});
    wait_set_->attach(subscription);
    topics_.emplace(topic, Watched{type, subscription});
  }

  void begin_call(const Json & order) {
    const tandem::ServiceType & type = service_type(order.at("type"));
    const auto id = order.at("id").get<std::int64_t>();
    const std::string after = order.value("after", "");
    if (calls_.count(id) != 0) {
      throw CommandError("there is a call of this id already");
    }
    if (!after.empty() && topics_.count(after) == 0) {
      throw CommandError("the topic '" + after + "' is not watched");
    }
    transport::ServiceOptions options;
    options.node = self_;
    options.service = service_name(order.at("call"));
    Call call{options.service, after, type, nullptr, nullptr};
    const Json request = order.value("request", Json::object());
    call.request = std::make_unique<FilledMessage>(*type.request,
                                                   request.is_string() ? request.get<std::string>() : request.dump());
    call.client = std::make_unique<transport::ServiceClient>(session_.context(), type, options);
    wait_set_->attach(call.client->replies());
    calls_.emplace(id, std::move(call));
  }

  void print_messages() {
    for (const auto & [name, watched] : topics_) {
      take_all(*watched.subscription, [&, &topic = name, &type = watched.type](const transport::Sample & sample) {
        print_json({{"topic", topic}, {"message", to_json(tandem::value_of(type, sample.message))}});
      });
    }
  }

  /// \return whether a call waits for its server.
  bool proceed() {
    bool is_waiting = false;
    for (auto entry = calls_.begin(); entry != calls_.end();) {
      auto & [id, call] = *entry;
      const Json answer = call.is_sent ? answer_to(call) : send(call);
      is_waiting = is_waiting || !call.is_sent;
      if (answer.is_null()) {
        ++entry;
        continue;
      }
      print_messages();  // what was published before the response is told before it
      Json line = {{"id", id}};
      line.update(answer);
      print_json(line);
      entry = calls_.erase(entry);
    }
    return is_waiting;
  }

  /// Null, or what to tell.
  Json send(Call & call) {
    const bool may_begin = call.after.empty() || topics_.at(call.after).subscription->publisher_count() != 0;
    if (!may_begin || !call.client->is_ready()) {
      return nullptr;
    }
    const void * const request = call.request->renewed();
    if (const auto result = call.client->send(request, call.sequence); result != transport::PublishResult::kOk) {
      return {{"error", fmt::format("cannot call {}: {}", call.service, transport::to_string(result))}};
    }
    call.is_sent = true;
    return nullptr;
  }

  /// Null while there is none.
  Json answer_to(Call & call) {
    const bool was_ready = call.client->is_ready();  // before looking: what it sent last is seen
    while (const transport::Sample reply = call.client->replies()->take()) {
      if (reply.info.request.sequence == call.sequence) {
        return {{"response", to_json(tandem::value_of(*call.type.response, reply.message))}};
      }
    }
    if (was_ready) {
      return nullptr;
    }
    return {{"error", fmt::format("the node of {} went away before it replied", call.service)}};
  }

  Session session_;
  const transport::NodeName self_;
  const std::shared_ptr<transport::WaitSet> wait_set_ = session_.context().create_wait_set();
  std::map<std::string, Watched> topics_;
  std::map<std::int64_t, Call> calls_;
};

}  // namespace

int talk(const std::vector<std::string> & arguments) {
  Talk(arguments.empty() ? "" : arguments[0]).run();
  return 0;
}

}  // namespace ros2cli
