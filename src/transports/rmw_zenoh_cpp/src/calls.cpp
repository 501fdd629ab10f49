#include "calls.hpp"

#include <algorithm>
#include <utility>

namespace rmw_zenoh {
namespace {

constexpr std::size_t kMostQueries = 10'000;

}  // namespace

void Calls::add_client(const Gid & client, std::shared_ptr<Backlog> replies) {
  const std::lock_guard lock(mutex_);
  clients_.insert_or_assign(client, std::move(replies));
}

void Calls::remove_client(const Gid & client) {
  const std::lock_guard lock(mutex_);
  clients_.erase(client);
}

std::shared_ptr<Backlog> Calls::replies_of(const Gid & client) const {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  return found != clients_.end() ? found->second : nullptr;
}

void Calls::add_query(const void * server, const RequestId & request, Owner query) {
  Owner given_up;
  const std::lock_guard lock(mutex_);
  queries_.push_back({server, request, std::move(query)});
  if (queries_.size() > kMostQueries) {
    given_up = std::move(queries_.front().owner);
    queries_.pop_front();
  }
}

Owner Calls::take_query(const RequestId & request) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(queries_.begin(), queries_.end(), [&](const Query & one) { return one.request == request; });
  if (found == queries_.end()) {
    return nullptr;
  }
  Owner owner = std::move(found->owner);
  queries_.erase(found);
  return owner;
}

void Calls::remove_server(const void * server) {
  std::list<Query> given_up;
  const std::lock_guard lock(mutex_);
  for (auto query = queries_.begin(); query != queries_.end();) {
    const auto next = std::next(query);
    if (query->server == server) {
      given_up.splice(given_up.end(), queries_, query);
    }
    query = next;
  }
}

}  // namespace rmw_zenoh
