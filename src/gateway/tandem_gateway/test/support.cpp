#include "support.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

#include "program/status_server.hpp"
#include "tandem/plugin.hpp"

namespace tandem::gateway {
namespace {

constexpr auto kLimit = std::chrono::seconds(60);
constexpr auto kMoment = std::chrono::milliseconds(150);

std::string folder() { return std::getenv("TANDEM_SHM_DIR"); }

}  // namespace

Qos reliable(std::uint32_t depth) {
  Qos qos;
  qos.depth = depth;
  return qos;
}
Qos best_effort(std::uint32_t depth) {
  Qos qos = reliable(depth);
  qos.reliability = transport::Reliability::kBestEffort;
  return qos;
}
Qos keep_all(std::chrono::nanoseconds max_blocking_time) {
  Qos qos;
  qos.history = transport::History::kKeepAll;
  qos.max_blocking_time = max_blocking_time;
  return qos;
}
Qos transient_local(Qos qos) {
  qos.durability = transport::Durability::kTransientLocal;
  return qos;
}

Process::Process(std::vector<std::string> words) {
  static int number = 0;
  file_ = folder() + "/log-" + std::to_string(++number);
  std::vector<char *> arguments;
  for (std::string & word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  const int log = open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // none survives a test that was killed
    dup2(log, 1);
    dup2(log, 2);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(log);
}

Process::~Process() {
  kill();
  if (testing::Test::HasFailure()) {
    std::fputs(text().c_str(), stderr);
  }
}

std::string Process::text() const {
  std::ostringstream all;
  all << std::ifstream(file_).rdbuf();
  return all.str();
}

bool Process::says(const std::string & part) {
  return eventually([&] { return text().find(part) != std::string::npos; });
}

void Process::kill() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
}

int Process::end() {
  ::kill(pid_, SIGTERM);
  return wait();
}

int Process::wait() {
  int status = -1;
  if (!eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) {
    return -1;
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

namespace {

std::vector<std::string> gateway_words(std::uint32_t domain, const std::vector<std::string> & options) {
  std::vector<std::string> words = {GATEWAY,
                                    "--domain",
                                    std::to_string(domain),
                                    "--network",
                                    "rmw_unixsocket_cpp",
                                    "--network-domain",
                                    std::to_string(kNetworkDomain)};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

/// The entry with this name in a list of the status; null when there is none.
nlohmann::json entry_of(std::uint32_t domain, const char * list, const char * key, const std::string & name) {
  const nlohmann::json all = status_of(domain);
  for (const auto & one : all.at(list)) {
    if (one.at(key) == name) {
      return one;
    }
  }
  return nullptr;
}

}  // namespace

GatewayProcess::GatewayProcess(std::uint32_t domain, const std::vector<std::string> & options)
    : Process(gateway_words(domain, options)) {}

nlohmann::json status_of(std::uint32_t domain) { return nlohmann::json::parse(ask_status(domain)); }

nlohmann::json status_of(std::uint32_t domain, const std::string & topic) {
  return entry_of(domain, "topics", "topic", topic);
}

nlohmann::json status_of_service(std::uint32_t domain, const std::string & service) {
  return entry_of(domain, "services", "service", service);
}

Place::Place(const std::string & transport, std::uint32_t domain)
    : context(transport::load(transport).create_context(domain)) {}

std::size_t Place::nodes(const std::string & name) const {
  const auto graph = context->graph();
  return static_cast<std::size_t>(
      std::count_if(graph.nodes.begin(), graph.nodes.end(), [&name](const auto & node) { return node.name == name; }));
}

std::size_t Place::endpoints(const std::string & topic, transport::EndpointKind kind) const {
  const auto graph = context->graph();
  return static_cast<std::size_t>(std::count_if(graph.endpoints.begin(), graph.endpoints.end(), [&](const auto & one) {
    return one.topic == topic && one.kind == kind;
  }));
}

Place & Hosts::host(std::uint32_t domain, const std::vector<std::string> & options) {
  auto & place = places_[domain];
  if (!place) {
    place = std::make_unique<Place>("rmw_tandem_cpp", domain);
    gateways_[domain] = std::make_unique<GatewayProcess>(domain, options);
    EXPECT_TRUE(gateways_[domain]->is_up());
  }
  return *place;
}

Place & Hosts::network() {
  auto & place = places_[kNetworkDomain];
  if (!place) {
    place = std::make_unique<Place>("rmw_unixsocket_cpp", kNetworkDomain);
  }
  return *place;
}

std::string Hosts::topic(const std::string & name) {
  return "/" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "/" + name;
}

testing::AssertionResult joined(const std::vector<std::shared_ptr<Publisher>> & publishers,
                                const std::vector<std::shared_ptr<Subscription>> & subscriptions) {
  const bool is_done = eventually([&] {
    return std::all_of(publishers.begin(), publishers.end(),
                       [](const auto & p) { return p->subscription_count() > 0; }) &&
           std::all_of(subscriptions.begin(), subscriptions.end(),
                       [&](const auto & s) { return s->publisher_count() >= publishers.size(); });
  });
  return is_done ? testing::AssertionSuccess() : testing::AssertionFailure() << "they do not find each other";
}

transport::PublishResult publish(Publisher & publisher, std::uint64_t value) {
  Number message;
  message.data = value;
  return publisher.publish(&message);
}

std::vector<std::uint64_t> take_all(Subscription & subscription) {
  std::vector<std::uint64_t> values;
  while (const auto sample = subscription.take()) {
    values.push_back(static_cast<const Number *>(sample.message)->data);
  }
  return values;
}

std::vector<std::uint64_t> take(Subscription & subscription, std::size_t count) {
  std::vector<std::uint64_t> values;
  const auto more = [&] {
    const auto some = take_all(subscription);
    values.insert(values.end(), some.begin(), some.end());
    return values.size() >= count;
  };
  eventually(more);
  std::this_thread::sleep_for(kMoment);
  more();
  return values;
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace tandem::gateway
