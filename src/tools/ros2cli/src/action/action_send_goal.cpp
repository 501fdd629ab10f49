// `ros2 action send_goal`: sends a goal given as YAML, and prints feedback and result. Ctrl-C cancels the goal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <random>

#include "action_msgs/srv/cancel_goal.hpp"
#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "messages/message_values.hpp"
#include "tandem/introspection.hpp"
#include "tandem/service.hpp"
#include "tandem/yaml.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"
#include "unique_identifier_msgs/msg/uuid.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr int kInterrupted = 130;
using GoalId = std::array<std::uint8_t, 16>;

using CancelGoal = action_msgs::srv::CancelGoal;

/// The fields of an action's messages, by their place in the definition. Requests and feedback begin with the goal's id.
enum Field : std::size_t { kGoalId = 0, kGoal = 1, kAccepted = 0, kStatus = 0, kResult = 1, kFeedback = 1 };

struct GoalOptions {
  SessionOptions session;
  std::string action;
  std::string type;
  ValuesOptions values;
  bool feedback = false;
};

std::vector<std::string> types_of(const std::vector<std::string> & before) {
  const auto actions = actions_of(Session().graph());
  const auto action = actions.find(action_name(before.at(0)));
  return action != actions.end() ? std::vector<std::string>(action->second.types.begin(), action->second.types.end())
                                 : all_interfaces("action");
}

void declare(Commands & commands, CLI::App & app, GoalOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("action_name", options.action, "Name of the action, such as /fibonacci")->required(),
                    action_names);
  commands.complete(
      app.add_option("action_type", options.type, "Its type, such as example_interfaces/action/Fibonacci")->required(),
      types_of);
  declare_values(commands, app, options.values, "goal");
  app.add_flag("-f,--feedback", options.feedback, "Print the goal's feedback");
}

/// A field of a message that is ours.
void * part(Message & message, Field field) {
  return static_cast<char *>(message.get()) + message.type().fields[field].offset;
}

GoalId random_id() {
  std::random_device random;
  GoalId id{};
  std::generate(id.begin(), id.end(), [&] { return static_cast<std::uint8_t>(random()); });
  return id;
}

std::string state_text(std::int64_t status) {
  constexpr std::array<const char *, 7> kStates{"UNKNOWN",   "ACCEPTED", "EXECUTING", "CANCELING",
                                                "SUCCEEDED", "CANCELED", "ABORTED"};
  return kStates.at(status > 0 && status < static_cast<std::int64_t>(kStates.size()) ? static_cast<std::size_t>(status)
                                                                                     : 0);
}

/// A client of one action that sends one goal.
class GoalClient {
 public:
  GoalClient(Session & session, const GoalOptions & options, const tandem::ActionType & type)
      : type_(type),
        action_(action_name(options.action)),
        node_(session.announce()),
        wait_set_(session.context().create_wait_set()),
        feedback_(session.context().create_subscription(*type.feedback_message, feedback_options())),
        results_(session.context(), *type.get_result, service_options("get_result")),
        cancels_(session.context(), tandem::service_type<CancelGoal>(), service_options("cancel_goal")),
        goals_(session.context(), *type.send_goal, service_options("send_goal")),
        id_(random_id()),
        prints_feedback_(options.feedback) {
    watch_for_interrupt(wait_set_);
    for (const auto & end : {feedback_, results_.replies(), cancels_.replies(), goals_.replies()}) {
      wait_set_->attach(end);
    }
  }

  /// False when interrupted.
  bool wait_for_server() const {
    print("Waiting for an action server to become available...\n");
    while (!is_ready()) {
      if (!sleep_for(kLook)) {
        return false;
      }
    }
    return true;
  }

  /// Whether the goal is accepted. Without an answer when interrupted.
  std::optional<bool> send(const void * goal) {
    Message request(*type_.send_goal->request);
    set_id(request);
    type_.goal->assign(part(request, kGoal), goal);
    const auto reply = call(goals_, request.get());
    if (!reply) {
      return std::nullopt;
    }
    return tandem::as_uint64(tandem::member(tandem::value_of(*type_.send_goal->response, reply.message), kAccepted)) !=
           0;
  }

  /// Prints feedback, if that is asked for, and the result. False when interrupted.
  bool print_result() {
    is_accepted_ = true;
    Message request(*type_.get_result->request);
    set_id(request);
    const auto reply = call(results_, request.get());
    if (!reply) {
      return false;
    }
    print_feedback();
    const auto response = tandem::value_of(*type_.get_result->response, reply.message);
    print(fmt::format("Result:\n    {}\n", tandem::to_yaml(tandem::member(response, kResult))));
    print(fmt::format("Goal finished with status: {}\n",
                      state_text(tandem::as_int64(tandem::member(response, kStatus)))));
    return true;
  }

  /// \throws CommandError if the server does not cancel it.
  void cancel() {
    print("Canceling goal...\n");
    CancelGoal::Request request;
    request.goal_info.goal_id.uuid = id_;
    const auto reply = call(cancels_, &request);
    if (!reply) {
      throw CommandError("interrupted before the server has cancelled the goal");
    }
    const auto & cancelled = static_cast<const CancelGoal::Response *>(reply.message)->goals_canceling;
    if (cancelled.empty()) {
      throw CommandError("Failed to cancel goal: the server refuses to, or it has ended");
    }
    if (cancelled.size() > 1 || cancelled[0].goal_id.uuid != id_) {
      throw CommandError("the server has cancelled another goal");
    }
    print("Goal canceled.\n");
  }

  std::string id_text() const { return fmt::format("{:02x}", fmt::join(id_, "")); }

 private:
  transport::ServiceOptions service_options(const std::string & service) const {
    transport::ServiceOptions options;
    options.node = node_;
    options.service = action_ + "/_action/" + service;
    return options;
  }
  transport::TopicOptions feedback_options() const {
    transport::TopicOptions options;
    options.node = node_;
    options.topic = action_ + "/_action/feedback";
    options.qos.reliability = transport::Reliability::kReliable;
    return options;
  }

  bool is_ready() const {
    return goals_.is_ready() && results_.is_ready() && cancels_.is_ready() && feedback_->publisher_count() != 0;
  }

  void set_id(Message & request) const {
    static_cast<unique_identifier_msgs::msg::UUID *>(part(request, kGoalId))->uuid = id_;
  }

  void print_feedback() {
    while (transport::Sample sample = feedback_->take()) {
      const auto message = tandem::value_of(*type_.feedback_message, sample.message);
      const void * id = tandem::member(message, kGoalId).memory;
      if (prints_feedback_ && static_cast<const unique_identifier_msgs::msg::UUID *>(id)->uuid == id_) {
        print(fmt::format("Feedback:\n    {}\n", tandem::to_yaml(tandem::member(message, kFeedback))));
      }
    }
  }

  /// The reply; none when interrupted. Feedback is printed meanwhile. \throws CommandError when the server goes.
  transport::Sample call(transport::ServiceClient & client, const void * request) {
    std::int64_t sequence = 0;
    if (const auto result = client.send(request, sequence); result != transport::PublishResult::kOk) {
      throw CommandError(fmt::format("cannot send a request to {}: {}", action_, transport::to_string(result)));
    }
    for (int looks_without_server = 0; !is_interrupted() && !is_output_closed();) {
      if (is_accepted_) {  // feedback may be there before the answer to the goal
        print_feedback();
      }
      transport::Sample reply = client.replies()->take();
      if (reply && reply.info.request.sequence == sequence) {
        return reply;
      }
      if (reply || wait_set_->wait(std::chrono::seconds(1))) {
        continue;
      }
      looks_without_server = is_ready() ? 0 : looks_without_server + 1;
      if (looks_without_server > 1) {
        throw CommandError("the action server of " + action_ + " is gone: nobody knows what becomes of the goal");
      }
    }
    return {};
  }

  const tandem::ActionType & type_;
  const std::string action_;
  const transport::NodeName node_;
  const std::shared_ptr<transport::WaitSet> wait_set_;
  const std::shared_ptr<transport::Subscription> feedback_;
  transport::ServiceClient results_;
  transport::ServiceClient cancels_;
  transport::ServiceClient goals_;
  const GoalId id_;
  const bool prints_feedback_;
  bool is_accepted_ = false;
};

int send_goal(GoalOptions & options) {
  const tandem::ActionType & type = action_type(options.type);
  FilledMessage goal(*type.goal, text_of(options.values));
  Session session(options.session);
  GoalClient client(session, options, type);
  if (!client.wait_for_server()) {
    return is_interrupted() ? kInterrupted : 0;
  }
  const void * content = goal.renewed();
  print(fmt::format("Sending goal:\n     {}\n", tandem::to_yaml(*type.goal, content)));
  const std::optional<bool> is_accepted = client.send(content);
  if (is_accepted && !*is_accepted) {
    print("Goal was rejected.\n");
    return 0;
  }
  if (is_accepted) {
    print(fmt::format("Goal accepted with ID: {}\n\n", client.id_text()));
    if (client.print_result()) {
      return 0;
    }
    forget_interrupt();  // the next one ends the attempt to cancel
    client.cancel();
  }
  return kInterrupted;
}

}  // namespace

void add_action_send_goal(Commands & commands, CLI::App & action) {
  commands.verb<GoalOptions>(action, "send_goal", "Send a goal, and print its result", declare, send_goal);
}

}  // namespace ros2cli
