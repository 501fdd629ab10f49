// The other end of the tests: publishes or takes a known number of messages, or serves, of any installed type or of one
// that is not installed anywhere.
//
//   peer publish TOPIC TYPE COUNT RATE SUBSCRIPTIONS   waits for so many, says "matched", publishes (rate 0: as fast as
//                                                      it can), says "published N failed M", and stays until its
//                                                      input ends
//   peer take TOPIC TYPE COUNT                         says "ready", takes until nothing is outstanding, says
//                                                      "taken N lost M"
//   peer serve SERVICE TYPE VALUES                     says "ready" and each request, replies these values (YAML) to it,
//                                                      until it is killed
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "tandem/plugin.hpp"
#include "tandem/service.hpp"
#include "tandem/type_library.hpp"
#include "tandem/yaml.hpp"

namespace {

namespace transport = tandem::transport;

constexpr std::size_t kSize = 64;

/// As generated code would have it, but in no library.
tandem::MessageType make_absent(const char * name) {
  tandem::MessageType made{};
  made.name = name;
  made.hash.fill(0x5a);
  made.abi = 1234;
  made.size = kSize;
  made.alignment = 8;
  made.is_fixed_size = true;
  made.operations.construct = [](const tandem::MessageType &, void * memory) { std::memset(memory, 0, kSize); };
  made.operations.destroy = [](const tandem::MessageType &, void *) {};
  made.operations.copy_construct = [](const tandem::MessageType &, void * memory, const void * other) {
    std::memcpy(memory, other, kSize);
  };
  made.operations.assign = made.operations.copy_construct;
  return made;
}

const tandem::MessageType & absent_type() {
  static const tandem::MessageType type = make_absent("absent_msgs/msg/Thing");
  return type;
}

const tandem::ServiceType & absent_service() {
  static const tandem::MessageType request = make_absent("absent_msgs/srv/Thing_Request");
  static const tandem::MessageType response = make_absent("absent_msgs/srv/Thing_Response");
  static const tandem::ServiceType type{"absent_msgs/srv/Thing", request.hash, &request, &response};
  return type;
}

template <class Found>
auto value_or_exit(const Found & found) {
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().c_str());
    std::exit(1);
  }
  return *found;
}

const tandem::MessageType & type_of(const std::string & name) {
  return name == absent_type().name ? absent_type() : *value_or_exit(tandem::find_message_type(name));
}

const tandem::ServiceType & service_type_of(const std::string & name) {
  return name == absent_service().name ? absent_service() : *value_or_exit(tandem::find_service_type(name));
}

transport::TopicOptions options_for(const std::string & topic, transport::History history) {
  transport::TopicOptions options;
  options.node = {"/", "peer"};
  options.topic = topic;
  options.qos.depth = 1000;
  options.qos.history = history;
  options.qos.max_blocking_time = std::chrono::seconds(60);
  return options;
}

int publish(transport::Context & context, char ** arguments) {
  const tandem::MessageType & type = type_of(arguments[1]);
  const long count = std::atol(arguments[2]);
  const double rate = std::atof(arguments[3]);
  const auto wanted = static_cast<std::size_t>(std::atol(arguments[4]));
  const auto node = context.create_node({"/", "peer"});
  const auto publisher = context.create_publisher(type, options_for(arguments[0], transport::History::kKeepAll));
  while (publisher->subscription_count() < wanted) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::printf("matched\n");
  std::fflush(stdout);
  const tandem::OwnedMessage message = tandem::make_message(type);
  long failed = 0;
  auto next = std::chrono::steady_clock::now();
  for (long i = 0; i < count; ++i) {
    failed += publisher->publish(static_cast<const void *>(message.get())) == transport::PublishResult::kOk ? 0 : 1;
    if (rate > 0) {
      next += std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / rate));
      std::this_thread::sleep_until(next);
    }
  }
  std::printf("published %ld failed %ld\n", count - failed, failed);
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}

int take(transport::Context & context, char ** arguments) {
  const auto wanted = static_cast<std::uint64_t>(std::atol(arguments[2]));
  const auto node = context.create_node({"/", "peer"});
  const auto subscription =
      context.create_subscription(type_of(arguments[1]), options_for(arguments[0], transport::History::kKeepLast));
  const auto wait_set = context.create_wait_set();
  wait_set->attach(subscription);
  std::printf("ready\n");
  std::fflush(stdout);
  std::uint64_t taken = 0;
  while (taken + subscription->lost() < wanted) {
    if (subscription->take()) {
      ++taken;
    } else {
      wait_set->wait(std::chrono::seconds(1));
    }
  }
  std::printf("taken %lu lost %lu\n", static_cast<unsigned long>(taken),
              static_cast<unsigned long>(subscription->lost()));
  return 0;
}

int serve(transport::Context & context, char ** arguments) {
  const tandem::ServiceType & type = service_type_of(arguments[1]);
  const auto node = context.create_node({"/", "peer"});
  transport::ServiceServer server(context, type, {{"/", "peer"}, arguments[0], {}});
  const tandem::OwnedMessage reply = tandem::make_message(*type.response);
  if (const auto filled = tandem::from_yaml(*type.response, arguments[2], reply.get()); !filled) {
    std::fprintf(stderr, "%s\n", filled.error().c_str());
    return 1;
  }
  tandem::YamlStyle style;
  style.flow = true;
  const auto wait_set = context.create_wait_set();
  wait_set->attach(server.requests());
  std::printf("ready\n");
  std::fflush(stdout);
  for (;;) {
    const transport::Sample request = server.requests()->take();
    if (!request) {
      wait_set->wait(std::chrono::seconds(1));
      continue;
    }
    std::printf("%s\n", tandem::to_yaml(*type.request, request.message, style).c_str());
    std::fflush(stdout);
    server.reply(static_cast<const void *>(reply.get()), request.info.request);
  }
}

}  // namespace

int main(int argc, char ** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const auto context = transport::load().create_context(0);
  if (verb == "publish" && argc == 7) {
    return publish(*context, argv + 2);
  }
  if (verb == "serve" && argc == 5) {
    return serve(*context, argv + 2);
  }
  return verb == "take" && argc == 5 ? take(*context, argv + 2) : 2;
}
