#include "tandem/kit/roster.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "roster/roster_folder.hpp"
#include "roster/roster_text.hpp"
#include "tandem/kit/fork_generation.hpp"
#include "tandem/kit/threads.hpp"

namespace tandem::transport {

using std::chrono::steady_clock;

namespace {

constexpr auto kLookAround = std::chrono::seconds(1);
/// A file's closing is told before its lock is free: so long until the second look.
constexpr auto kSecondLook = std::chrono::milliseconds(5);
constexpr std::size_t kIdBytes = kIdSize / 2;

std::array<std::uint8_t, kIdBytes> random_id() {
  std::array<std::uint8_t, kIdBytes> id{};
  std::random_device source;
  for (std::uint8_t & byte : id) {
    byte = static_cast<std::uint8_t>(source());
  }
  return id;
}

std::string hex_of(const std::array<std::uint8_t, kIdBytes> & id) {
  Gid gid{};
  std::copy(id.begin(), id.end(), gid.begin());
  return to_hex(gid).substr(0, kIdSize);
}

}  // namespace

struct Roster::Body {
  Body(const std::string & name, std::uint32_t domain, std::function<void()> callback)
      : transport(name),
        changed(std::move(callback)),
        folder(name, domain, hex_of(id)),
        nudge(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (!nudge) {
      throw Error(transport + ": no context can be made: " + std::strerror(errno) +
                  ". Are too many files open (ulimit -n)?");
    }
    announce_locked();
    look_at_all();
  }

  /// Not the process that made it, but a child of fork().
  bool is_foreign() const { return generation != fork_generation(); }

  void announce_locked() { folder.announce(to_text(own)); }
  /// Whether it is another than before.
  bool look_at(const std::string & other);
  bool look_at_all();
  void run();

  const std::uint32_t generation = fork_generation();
  const std::string transport;
  const std::function<void()> changed;
  const std::array<std::uint8_t, kIdBytes> id = random_id();
  std::atomic<std::uint32_t> last_number{0};
  std::atomic<bool> stopping{false};
  RosterFolder folder;
  Descriptor nudge;
  std::thread thread;

  std::mutex mutex;
  Presence own;                              ///< guarded by mutex
  std::map<std::string, Presence> others;    ///< guarded by mutex
  std::set<std::pair<Gid, Gid>> warned;      ///< guarded by mutex
  std::map<std::string, std::string> texts;  ///< of the thread: what `others` was parsed from
};

bool Roster::Body::look_at(const std::string & other) {
  if (!folder.is_alive(other)) {
    folder.remove(other);
    texts.erase(other);
    const std::lock_guard<std::mutex> lock(mutex);
    return others.erase(other) > 0;
  }
  const auto text = folder.read(other);
  if (!text || texts[other] == *text) {
    return false;
  }
  Presence presence = parse(*text);
  texts[other] = *text;
  const std::lock_guard<std::mutex> lock(mutex);
  others[other] = std::move(presence);
  return true;
}

bool Roster::Body::look_at_all() {
  std::set<std::string> all = folder.list();
  for (const auto & [other, text] : texts) {
    all.insert(other);
  }
  return std::count_if(all.begin(), all.end(), [this](const std::string & other) { return look_at(other); }) > 0;
}

void Roster::Body::run() {
  auto next = steady_clock::now() + kLookAround;
  std::set<std::string> again;
  while (!stopping) {
    const auto until = again.empty() ? next : std::min(next, steady_clock::now() + kSecondLook);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now()).count();
    pollfd files[2] = {{folder.watch(), POLLIN, 0}, {nudge.get(), POLLIN, 0}};
    poll(files, 2, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000)));
    if (stopping) {
      return;
    }
    auto touched = folder.drain_watch();
    bool is_other = false;
    if (!touched || steady_clock::now() >= next) {
      again.clear();
      is_other = look_at_all();
      next = steady_clock::now() + kLookAround;
    } else {
      for (const auto * group : {&again, &*touched}) {
        is_other = std::count_if(group->begin(), group->end(), [this](const auto & one) { return look_at(one); }) > 0 ||
                   is_other;
      }
      again = std::move(*touched);
    }
    if (is_other && changed && !stopping) {
      changed();
    }
  }
}

bool same_participant(const Gid & a, const Gid & b) { return std::equal(a.begin(), a.begin() + kIdBytes, b.begin()); }

Roster::Roster(const std::string & transport, std::uint32_t domain, std::function<void()> changed)
    : body_(std::make_shared<Body>(transport, domain, std::move(changed))) {
  body_->thread = start_thread(transport, [body = body_] { body->run(); });
}

Roster::~Roster() {
  if (body_->is_foreign()) {
    return;  // the thread's reference keeps the body, and nothing of the parent's is touched
  }
  body_->stopping = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(body_->nudge.get(), &one, sizeof one);
  if (body_->thread.get_id() == std::this_thread::get_id()) {
    body_->thread.detach();  // the owner ended in `changed`; the thread ends behind it
  } else {
    body_->thread.join();
  }
}

const std::string & Roster::id() const { return body_->folder.id(); }

std::string Roster::path_of(const std::string & name) const { return body_->folder.path_of(name); }

Gid Roster::new_gid() {
  const std::uint32_t number = ++body_->last_number;
  Gid gid{};
  std::copy(body_->id.begin(), body_->id.end(), gid.begin());
  for (std::size_t i = 0; i < sizeof number; ++i) {
    gid[kIdBytes + i] = static_cast<std::uint8_t>(number >> (8 * (3 - i)));
  }
  return gid;
}

void Roster::add(const NodeName & node) {
  if (!is_plain(node.name_space + node.name)) {
    throw Error(body_->transport + ": the node name '" + node.name + "' has a tab, a line break or the like in it");
  }
  if (body_->is_foreign()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(body_->mutex);
  body_->own.nodes.push_back(node);
  body_->announce_locked();
}

void Roster::remove(const NodeName & node) noexcept {
  if (body_->is_foreign()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(body_->mutex);
  auto & nodes = body_->own.nodes;
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NodeName & other) {
    return other.name_space == node.name_space && other.name == node.name;
  });
  if (found == nodes.end()) {
    return;
  }
  nodes.erase(found);
  try {
    body_->announce_locked();
  } catch (const std::exception &) {  // the folder is full or gone: others see the node until this process ends
  }
}

void Roster::add(RosterEntry entry) {
  if (body_->is_foreign()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(body_->mutex);
  body_->own.entries.push_back(std::move(entry));
  body_->announce_locked();
}

void Roster::remove(const Gid & gid) noexcept {
  if (body_->is_foreign()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(body_->mutex);
  if (std::erase_if(body_->own.entries, [&](const RosterEntry & entry) { return entry.endpoint.gid == gid; }) == 0) {
    return;
  }
  try {
    body_->announce_locked();
  } catch (const std::exception &) {  // as above
  }
}

std::vector<RosterEntry> Roster::matches(const RosterEntry & own, StatusBoard::Counterparts * misfits) {
  std::vector<RosterEntry> found;
  if (body_->is_foreign()) {
    return found;
  }
  const bool is_publisher = own.endpoint.kind == EndpointKind::kPublisher;
  const std::lock_guard<std::mutex> lock(body_->mutex);
  const auto consider = [&](const Presence & presence) {
    for (const RosterEntry & other : presence.entries) {
      if (other.endpoint.kind == own.endpoint.kind || other.endpoint.topic != own.endpoint.topic ||
          ((own.ignore_local || other.ignore_local) && same_participant(own.endpoint.gid, other.endpoint.gid))) {
        continue;
      }
      const EndpointInfo & publisher = is_publisher ? own.endpoint : other.endpoint;
      const EndpointInfo & subscription = is_publisher ? other.endpoint : own.endpoint;
      const std::string reason = mismatch(publisher, subscription);
      if (reason.empty()) {
        found.push_back(other);
        continue;
      }
      if (misfits != nullptr) {
        const bool is_type = reason != describe_misfit(publisher.qos, subscription.qos);
        misfits->push_back(
            counterpart(other.endpoint.gid, is_type ? QosPolicy::kNone : misfit(publisher.qos, subscription.qos)));
      }
      if (body_->warned.emplace(publisher.gid, subscription.gid).second) {
        warn(body_->transport, publisher.topic, "no match: " + reason);
      }
    }
  };
  consider(body_->own);
  for (const auto & [id, presence] : body_->others) {
    consider(presence);
  }
  return found;
}

GraphSnapshot Roster::graph() const {
  GraphSnapshot graph;
  if (body_->is_foreign()) {
    return graph;
  }
  const auto add_all = [&graph](const Presence & presence) {
    graph.nodes.insert(graph.nodes.end(), presence.nodes.begin(), presence.nodes.end());
    for (const RosterEntry & entry : presence.entries) {
      graph.endpoints.push_back(entry.endpoint);
    }
  };
  const std::lock_guard<std::mutex> lock(body_->mutex);
  add_all(body_->own);
  for (const auto & [id, presence] : body_->others) {
    add_all(presence);
  }
  return graph;
}

std::vector<RosterEntry> Roster::others() const {
  std::vector<RosterEntry> entries;
  if (body_->is_foreign()) {
    return entries;
  }
  const std::lock_guard<std::mutex> lock(body_->mutex);
  for (const auto & [id, presence] : body_->others) {
    entries.insert(entries.end(), presence.entries.begin(), presence.entries.end());
  }
  return entries;
}

}  // namespace tandem::transport
