#include "links/floor_support.hpp"

#include <algorithm>

namespace lab {

using tandem::transport::RosterEntry;

Meeting::Meeting(const std::string & link, std::uint32_t domain) : roster_(link, domain, [this] { tell_places(); }) {}

void Meeting::tell_places() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Place * place : places_) {
    place->changed_ = true;
    if (place->on_change_) {
      place->on_change_();
    }
  }
}

Place::Place(std::shared_ptr<Meeting> meeting, Kind kind, const std::string & topic, const Spec & spec,
             std::function<void()> changed)
    : meeting_(std::move(meeting)), on_change_(std::move(changed)) {
  entry_.endpoint.kind = kind;
  entry_.endpoint.topic = topic;
  entry_.endpoint.type_name = std::to_string(spec.size) + " bytes";
  entry_.endpoint.gid = meeting_->roster().new_gid();
  entry_.ignore_local = spec.role == Role::kJoin;
  const std::lock_guard<std::mutex> lock(meeting_->mutex_);
  meeting_->places_.push_back(this);
}

Place::~Place() {
  meeting_->roster().remove(gid());
  {
    const std::lock_guard<std::mutex> lock(meeting_->mutex_);
    std::erase(meeting_->places_, this);
  }
  meeting_->tell_places();
}

std::string Place::file_name(const std::string & suffix) const {
  return meeting_->roster().id() + "." + std::to_string(gid()[14] * 256 + gid()[15]) + "." + suffix;
}

void Place::announce(const std::string & address) {
  entry_.address = address;
  meeting_->roster().add(entry_);
  meeting_->tell_places();
}

std::vector<RosterEntry> Place::others() {
  changed_ = false;
  auto others = meeting_->roster().matches(entry_);
  count_ = others.size();
  return others;
}

std::size_t Place::count() { return has_changed() ? others().size() : count_; }

bool is_among(const std::vector<RosterEntry> & entries, const tandem::transport::Gid & gid) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto & entry) { return entry.endpoint.gid == gid; });
}

std::shared_ptr<std::byte[]> BufferPool::get() {
  const auto unused =
      std::find_if(buffers_.begin(), buffers_.end(), [](const auto & one) { return one.use_count() == 1; });
  return unused != buffers_.end() ? *unused : buffers_.emplace_back(std::make_shared<std::byte[]>(size_));
}

void refuse_loan(const Spec & spec) {
  if (spec.loan) {
    throw Unsupported((spec.link_name.empty() ? spec.link_kind : spec.link_name) +
                      " cannot lend memory: it copies each message");
  }
}

}  // namespace lab
