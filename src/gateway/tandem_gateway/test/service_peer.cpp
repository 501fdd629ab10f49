// service_peer serve|mute|call TRANSPORT DOMAIN SERVICE: a server or a client of AddTwoInts, to be killed.
//
// `serve` replies, `mute` does not; both print `taken` at each request. `call` calls without end, and prints `right`
// after the first sum.
#include <cstdio>
#include <cstring>
#include <string>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "tandem/plugin.hpp"
#include "tandem/service.hpp"

namespace {

using namespace tandem::transport;  // NOLINT: all that this program uses
using Add = example_interfaces::srv::AddTwoInts;

constexpr std::chrono::milliseconds kLook{10};

void say(const char * word) {
  std::puts(word);
  std::fflush(stdout);
}

[[noreturn]] void serve(Context & context, const ServiceOptions & options, bool is_mute) {
  ServiceServer server(context, tandem::service_type<Add>(), options);
  const auto waiting = context.create_wait_set();
  waiting->attach(server.requests());
  for (;;) {
    waiting->wait(kLook);
    while (const Sample sample = server.requests()->take()) {
      say("taken");
      const auto & request = *static_cast<const Add::Request *>(sample.message);
      Add::Response response;
      response.sum = request.a + request.b;
      if (!is_mute) {
        server.reply(static_cast<const void *>(&response), sample.info.request);
      }
    }
  }
}

[[noreturn]] void call(Context & context, const ServiceOptions & options) {
  ServiceClient client(context, tandem::service_type<Add>(), options);
  const auto waiting = context.create_wait_set();
  waiting->attach(client.replies());
  bool has_been_right = false;
  for (std::int64_t number = 1;; ++number) {
    while (!client.is_ready()) {
      waiting->wait(kLook);
    }
    Add::Request request;
    request.a = number;
    request.b = 1;
    std::int64_t sequence = 0;
    client.send(static_cast<const void *>(&request), sequence);
    waiting->wait(kLook);
    while (const Sample sample = client.replies()->take()) {
      const bool is_right = static_cast<const Add::Response *>(sample.message)->sum == number + 1;
      if (is_right && !has_been_right) {
        say("right");
        has_been_right = true;
      }
    }
  }
}

}  // namespace

int main(int argc, char ** argv) {
  if (argc != 5) {
    std::fputs("usage: service_peer serve|mute|call TRANSPORT DOMAIN SERVICE\n", stderr);
    return 2;
  }
  const auto context = load(argv[2]).create_context(static_cast<std::uint32_t>(std::stoul(argv[3])));
  const ServiceOptions options{{"/", "peer"}, argv[4], {}};
  const auto node = context->create_node(options.node);
  std::strcmp(argv[1], "call") == 0 ? call(*context, options)
                                    : serve(*context, options, std::strcmp(argv[1], "mute") == 0);
}
