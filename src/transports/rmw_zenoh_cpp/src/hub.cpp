#include "hub.hpp"

#include <pthread.h>
#include <signal.h>

#include <filesystem>

#include "tandem/transport_support/tuning.hpp"

namespace rmw_zenoh {

using tandem::transport::EndpointKind;
using tandem::transport::Error;
using tandem::transport::to_hex;

namespace {

constexpr const char * kSocket = ".sock";

std::string quoted(const std::string & locator) { return "\"" + locator + "\""; }

}  // namespace

std::string key_of(std::uint32_t domain, const std::string & topic, const Gid & publisher) {
  std::string key = "tandem/" + std::to_string(domain);
  for (const char c : "/" + topic.substr(topic.starts_with('/') ? 1 : 0)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (is_plain || (c == '/' && key.back() != '/')) {
      key += c;
    } else {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
      key += code;
    }
  }
  return key + (key.back() == '/' ? "%/" : "/") + to_hex(publisher);
}

void Mail::post(const Item & item) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  bell.ring();
}

std::vector<Mail::Item> Mail::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::move(items_);
}

Hub::Hub(std::uint32_t domain)
    : domain_(domain), roster_(std::make_unique<tandem::transport::Roster>(kName, domain, [this] {
        is_changed_ = true;
        mail_->bell.ring();
      })) {
  char reason[512] = "";
  session_ = zn_open(configuration().c_str(), reason, sizeof reason);
  if (session_ == nullptr) {
    throw Error(std::string(kName) + ": Zenoh opens no session for domain " + std::to_string(domain) + ": " + reason +
                ". Can UNIX sockets be made in the folder of TANDEM_SHM_DIR?");
  }
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the user's threads
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Hub::~Hub() {
  is_stopping_ = true;
  mail_->bell.ring();
  thread_.join();
  zn_close(session_);
}

/// Every participant listens at a socket in the roster's folder and connects to those that were there before it. So all
/// know each other, and nothing is looked for on any network.
std::string Hub::configuration() const {
  const bool is_tuned = tandem::transport::tuning() == tandem::transport::Tuning::kTuned;
  const auto locator = [this](const std::string & id) {
    return quoted("unixsock-stream/" + roster_->path_of(id + kSocket));
  };
  std::string others;
  std::error_code ignored;
  for (const auto & file : std::filesystem::directory_iterator(roster_->path_of("."), ignored)) {
    const std::filesystem::path name = file.path().filename();
    if (name.extension() == ".lock" && name.stem().string() != roster_->id() && !name.stem().has_extension()) {
      others += (others.empty() ? "" : ",") + locator(name.stem().string());
    }
  }
  return R"({mode: "peer", listen: {endpoints: [)" + locator(roster_->id()) + R"(]}, connect: {endpoints: [)" + others +
         R"(], exit_on_failure: false, timeout_ms: -1,
             retry: {period_init_ms: 10, period_max_ms: 4000, period_increase_factor: 2}},
             open: {return_conditions: {connect_scouted: false, declares: false}},
             scouting: {multicast: {enabled: false}, gossip: {enabled: false}},
             transport: {shared_memory: {enabled: true, transport_optimization: {enabled: )" +
         (is_tuned ? "false" : "true") + "}}}}";
}

void Hub::send(const std::string & control_key, const Note & note) const {
  zn_send(session_, control_key.c_str(), note.bytes(), sizeof note);
}

void Hub::add(Endpoint & endpoint) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    endpoints_.push_back(&endpoint);
  }
  roster_->add(endpoint.entry());
  attend(&endpoint.entry().endpoint.topic);
  is_changed_ = true;  // there may be something to be tried again
  mail_->bell.ring();
}

void Hub::remove(Endpoint & endpoint) {
  roster_->remove(endpoint.entry().endpoint.gid);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase(endpoints_, &endpoint);
  }
  attend(&endpoint.entry().endpoint.topic);
}

/// Connects the endpoints of a topic, or of all (null). \return when to do so again at the latest.
Clock::time_point Hub::attend(const std::string * topic) {
  auto next = Clock::time_point::max();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Endpoint * endpoint : endpoints_) {
    if (topic == nullptr || endpoint->entry().endpoint.topic == *topic) {
      next = std::min(next, endpoint->connect(roster_->matches(endpoint->entry())));
    }
  }
  return next;
}

void Hub::deliver_mail() {
  for (const Mail::Item & item : mail_->take()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (Endpoint * endpoint : endpoints_) {
      if (endpoint->entry().endpoint.gid == item.endpoint) {
        endpoint->handle(item);
      }
    }
  }
}

void Hub::run() {
  auto next = Clock::time_point::max();
  while (!is_stopping_) {
    const std::uint32_t seen = mail_->bell.count();
    deliver_mail();
    if (is_changed_.exchange(false) || Clock::now() >= next) {
      next = attend(nullptr);
    }
    if (!is_stopping_) {
      mail_->bell.sleep(seen, next == Clock::time_point::max() ? std::chrono::nanoseconds(-1)
                                                               : std::max(next - Clock::now(), Clock::duration(0)));
    }
  }
}

}  // namespace rmw_zenoh
