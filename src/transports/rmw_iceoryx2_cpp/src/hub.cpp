#include "hub.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <functional>

namespace rmw_iceoryx2 {

using tandem::transport::EndpointKind;
using tandem::transport::Error;
using tandem::transport::to_hex;

namespace {

constexpr std::size_t kIdSize = 24;
constexpr std::size_t kLongestRoot = 90;  // names of up to 164 characters follow

std::string board_name(const std::string & participant) { return participant + ".board"; }

}  // namespace

std::string service_of(const Gid & publisher) { return "tandem/" + to_hex(publisher); }

Hub::Hub(std::uint32_t domain)
    : roster_(std::make_unique<tandem::transport::Roster>(kName, domain, [this] {
        if (SharedBell * const attention = attention_) {
          attention->ring();
        }
      })) {
  board_ = Board::create(roster_->path_of(board_name(roster_->id())));
  make_node(domain);
  attention_ = &(*board_)->attention;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the user's threads
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Hub::~Hub() {
  stopping_ = true;
  (*board_)->attention.ring();
  thread_.join();
  iox2_node_free(node_, is_alone());
  roster_.reset();  // no callback from here on
}

bool Hub::is_alone() const {
  std::error_code ignored;
  for (const auto & file : std::filesystem::directory_iterator(roster_->path_of("."), ignored)) {
    if (file.path().extension() == ".lock" && file.path().stem() != roster_->id()) {
      return false;
    }
  }
  return true;
}

/// iceoryx2's files lie in the roster's folder, and its names in /dev/shm begin with a number made of that folder's, so
/// that folders and domains are apart.
void Hub::make_node(std::uint32_t domain) {
  std::error_code ignored;
  const auto folder = std::filesystem::canonical(roster_->path_of("."), ignored);
  const std::string root = (folder / "iceoryx2").string();
  if (root.size() > kLongestRoot) {  // iceoryx2 ends the process over names that become too long
    throw Error(std::string(kName) + ": the path " + root + " is too long for iceoryx2, which takes " +
                std::to_string(kLongestRoot) + " characters. Set TANDEM_SHM_DIR to a shorter one");
  }
  std::filesystem::create_directory(root, ignored);
  const std::string prefix =
      "tandem_iceoryx2_" + std::to_string(std::hash<std::string>()(root) % 1'000'000'000'000) + "_";
  char reason[256] = "";
  node_ = iox2_node_new(root.c_str(), prefix.c_str(), reason, sizeof reason);
  if (node_ == nullptr) {
    throw Error(
        std::string(kName) + ": iceoryx2 makes no node for domain " + std::to_string(domain) + " in " + root + ": " +
        reason +
        ". Is there room in /dev/shm, may this user write there, and has TANDEM_SHM_DIR plain characters only?");
  }
}

std::shared_ptr<Board> Hub::board_of(const Gid & endpoint) {
  const std::string participant = to_hex(endpoint).substr(0, kIdSize);
  if (participant == roster_->id()) {
    return board_;
  }
  const std::lock_guard<std::mutex> lock(boards_mutex_);
  std::shared_ptr<Board> & board = boards_[participant];
  if (!board) {
    board = Board::open(roster_->path_of(board_name(participant)));
  }
  return board;
}

void Hub::add(Endpoint & endpoint) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    endpoints_.push_back(&endpoint);
  }
  roster_->add(endpoint.entry());
  attend(&endpoint.entry().endpoint.topic);
}

void Hub::remove(Endpoint & endpoint) {
  roster_->remove(endpoint.entry().endpoint.gid);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase(endpoints_, &endpoint);
    endpoint.connect({});
  }
  attend(&endpoint.entry().endpoint.topic);
}

/// Connects the endpoints of a topic, or of all (null): the subscriptions first, since publishers look for their rows.
void Hub::attend(const std::string * topic) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const EndpointKind kind : {EndpointKind::kSubscription, EndpointKind::kPublisher}) {
    for (Endpoint * endpoint : endpoints_) {
      const auto & info = endpoint->entry().endpoint;
      if (info.kind == kind && (topic == nullptr || info.topic == *topic)) {
        endpoint->connect(roster_->matches(endpoint->entry()));
      }
    }
  }
}

/// When participants have left or were killed: lets go of their boards, and of what killed ones have left in iceoryx2.
void Hub::forget_the_gone() {
  std::set<std::string> present;
  for (const auto & endpoint : roster_->graph().endpoints) {
    present.insert(to_hex(endpoint.gid).substr(0, kIdSize));
  }
  const bool is_smaller = !std::includes(present.begin(), present.end(), present_.begin(), present_.end());
  present_ = std::move(present);
  if (is_smaller) {
    iox2_node_clean_up(node_);
    const std::lock_guard<std::mutex> lock(boards_mutex_);
    std::erase_if(boards_, [this](const auto & item) { return present_.count(item.first) == 0; });
  }
}

void Hub::run() {
  while (!stopping_) {
    const std::uint32_t seen = (*board_)->attention.count();
    attend(nullptr);
    forget_the_gone();
    if (!stopping_) {
      (*board_)->attention.sleep(seen, std::chrono::seconds(1));
    }
  }
}

Row * Hub::take_row() {
  const std::lock_guard<std::mutex> lock(boards_mutex_);
  auto & used = (*board_)->rows_used;
  for (std::size_t i = 0; i < used; ++i) {
    if ((*board_)->rows[i].state.load(std::memory_order_relaxed) == RowState::kFree) {
      return &(*board_)->rows[i];
    }
  }
  return used < kRows ? &(*board_)->rows[used++] : nullptr;
}

void Hub::free_row(Row * row) { row->state.store(RowState::kFree, std::memory_order_release); }

std::uint32_t Hub::take_bell() {
  const std::lock_guard<std::mutex> lock(boards_mutex_);
  std::uint32_t bell = 1;
  while (bell < kBells - 1 && bells_.count(bell) > 0) {
    ++bell;
  }
  bells_.insert(bell);  // the last one is shared by all that find no other: they wake each other
  return bell;
}

void Hub::free_bell(std::uint32_t bell) {
  const std::lock_guard<std::mutex> lock(boards_mutex_);
  bells_.erase(bell);
}

}  // namespace rmw_iceoryx2
