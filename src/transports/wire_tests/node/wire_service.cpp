// wire_service serve|call|crowd SERVICE [PATIENCE]: one of our servers or clients of example_interfaces/AddTwoInts.
//
// Prints `ready` when it is there, a client when it has a server too. A client reads lines `A B`, and prints
// `sum NUMBER` for each. Both end with their input. A crowd is 20 clients at once that call 500 times each; it prints
// `right NUMBER`, of the sums, and ends. PATIENCE: so many seconds later a client asks again, because some servers
// drop the reply to a client that they have not met yet.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "tandem/plugin.hpp"
#include "tandem/service.hpp"

namespace {

using namespace tandem::transport;  // NOLINT: all that this program uses
using Add = example_interfaces::srv::AddTwoInts;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{20};
constexpr std::int64_t kClients = 20;
constexpr std::int64_t kCalls = 500;

void serve(Context & context, const ServiceOptions & options, const std::atomic<bool> & is_over) {
  ServiceServer server(context, tandem::service_type<Add>(), options);
  const auto waiting = context.create_wait_set();
  waiting->attach(server.requests());
  std::cout << "ready" << std::endl;
  while (!is_over) {
    waiting->wait(kLook);
    while (const Sample sample = server.requests()->take()) {
      const auto & request = *static_cast<const Add::Request *>(sample.message);
      Add::Response response;
      response.sum = request.a + request.b;
      server.reply(static_cast<const void *>(&response), sample.info.request);
    }
  }
}

std::int64_t call(ServiceClient & client, WaitSet & waiting, const Add::Request & request, Clock::duration patience) {
  std::int64_t sequence = 0;
  client.send(static_cast<const void *>(&request), sequence);
  for (auto sent = Clock::now();;) {
    if (Clock::now() - sent > patience) {
      client.send(static_cast<const void *>(&request), sequence);
      sent = Clock::now();
    }
    waiting.wait(kLook);
    while (const Sample sample = client.replies()->take()) {
      if (sample.info.request.sequence == sequence) {
        return static_cast<const Add::Response *>(sample.message)->sum;
      }
    }
  }
}

/// A client that has found a server, and what it waits with.
struct Caller {
  Caller(Context & context, const ServiceOptions & options)
      : client(context, tandem::service_type<Add>(), options), waiting(context.create_wait_set()) {
    waiting->attach(client.replies());
    while (!client.is_ready()) {
      std::this_thread::sleep_for(kLook);
    }
  }

  ServiceClient client;
  const std::shared_ptr<WaitSet> waiting;
};

void call_what_is_read(Context & context, const ServiceOptions & options, Clock::duration patience) {
  Caller caller(context, options);
  std::cout << "ready" << std::endl;
  Add::Request request;
  while (std::cin >> request.a >> request.b) {
    std::cout << "sum " << call(caller.client, *caller.waiting, request, patience) << std::endl;
  }
}

void call_all_at_once(Context & context, const ServiceOptions & options, Clock::duration patience) {
  std::atomic<int> right{0};
  std::vector<std::thread> crowd;
  for (std::int64_t number = 0; number < kClients; ++number) {
    crowd.emplace_back([&, number] {
      Caller caller(context, options);
      Add::Request request;
      request.a = number * kCalls;
      for (request.b = 0; request.b < kCalls; ++request.b) {
        right += call(caller.client, *caller.waiting, request, patience) == request.a + request.b ? 1 : 0;
      }
    });
  }
  for (std::thread & one : crowd) {
    one.join();
  }
  std::cout << "right " << right << std::endl;
}

}  // namespace

int main(int argc, char ** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: wire_service serve|call|crowd SERVICE [PATIENCE]\n";
    return 2;
  }
  const char * const domain = std::getenv("ROS_DOMAIN_ID");
  const char * const transport = std::getenv("RMW_IMPLEMENTATION");
  const auto context =
      load(transport != nullptr ? transport : "").create_context(domain != nullptr ? std::stoul(domain) : 0);
  ServiceOptions options;
  options.node = {"/", "wire_service"};
  options.service = argv[2];
  const auto node = context->create_node(options.node);
  const std::string role = argv[1];
  if (role != "serve") {
    const auto patience = argc == 4 ? std::chrono::seconds(std::stoi(argv[3])) : Clock::duration::max();
    (role == "call" ? call_what_is_read : call_all_at_once)(*context, options, patience);
    return 0;
  }
  std::atomic<bool> is_over{false};
  std::thread input([&is_over] {
    std::cin.ignore(std::numeric_limits<std::streamsize>::max());
    is_over = true;
  });
  serve(*context, options, is_over);
  input.join();
}
