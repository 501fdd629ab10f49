// What the links without a middleware share: they find each other in the roster's folder, and use their buffers again.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "links/link.hpp"
#include "tandem/kit/roster.hpp"
#include "trial/spec.hpp"

namespace lab {

/// Nobody is waited for longer than this in one send().
constexpr auto kPatience = std::chrono::seconds(1);
/// So often somebody who waits looks whether the other side still lives.
constexpr auto kGlance = std::chrono::milliseconds(20);

class Place;

/// The others of the same link and domain, on this host. Thread-safe.
class Meeting {
 public:
  /// \throws std::runtime_error when the folder cannot be made.
  Meeting(const std::string & link, std::uint32_t domain);
  tandem::transport::Roster & roster() { return roster_; }
  void tell_places();

 private:
  friend class Place;
  std::mutex mutex_;
  std::vector<Place *> places_;  ///< guarded by mutex_
  tandem::transport::Roster roster_;
};

/// One outlet or inlet at a meeting. Its topic and size must be the same for two to meet.
class Place {
 public:
  using Kind = tandem::transport::EndpointKind;
  /// `changed` is called from another thread.
  Place(std::shared_ptr<Meeting> meeting, Kind kind, const std::string & topic, const Spec & spec,
        std::function<void()> changed = {});
  ~Place();
  Place(const Place &) = delete;
  Place & operator=(const Place &) = delete;

  const tandem::transport::Gid & gid() const { return entry_.endpoint.gid; }
  /// A path for a file of this place; it ends with the process, however that ends.
  std::string file_name(const std::string & suffix) const;
  std::string path_of(const std::string & name) const { return meeting_->roster().path_of(name); }
  void announce(const std::string & address);
  /// Whether others() may be different from last time. Costs one load.
  bool has_changed() const { return changed_.load(std::memory_order_relaxed); }
  /// The other side of the topic: who died or left is not among them.
  std::vector<tandem::transport::RosterEntry> others();
  /// How many they are. Of an inlet: publishers that live, whether they have noticed it or not.
  std::size_t count();

 private:
  friend class Meeting;
  const std::shared_ptr<Meeting> meeting_;
  tandem::transport::RosterEntry entry_;
  std::function<void()> on_change_;
  std::atomic<bool> changed_{true};
  std::size_t count_ = 0;
};

bool is_among(const std::vector<tandem::transport::RosterEntry> & entries, const tandem::transport::Gid & gid);

/// Buffers of one size; one that nobody else holds is given out again. Of one thread.
class BufferPool {
 public:
  explicit BufferPool(std::size_t size) : size_(size) {}
  std::shared_ptr<std::byte[]> get();

 private:
  const std::size_t size_;
  std::vector<std::shared_ptr<std::byte[]>> buffers_;
};

/// A link whose outlets and inlets are made of a meeting, the spec and the topic.
template <class OutletType, class InletType>
class MeetingLink : public Link {
 public:
  explicit MeetingLink(const Spec & spec)
      : spec_(spec), meeting_(std::make_shared<Meeting>("lab-" + spec.link_kind + "-" + spec.link_name, spec.domain)) {}
  std::unique_ptr<Outlet> make_outlet(const std::string & topic) override {
    return std::make_unique<OutletType>(meeting_, spec_, topic);
  }
  std::unique_ptr<Inlet> make_inlet(const std::string & topic) override {
    return std::make_unique<InletType>(meeting_, spec_, topic);
  }

 private:
  const Spec spec_;
  const std::shared_ptr<Meeting> meeting_;
};

/// \throws Unsupported when the spec asks for a loan.
void refuse_loan(const Spec & spec);

}  // namespace lab
