// A subscription: takes chunks where they lie, or what it has copied of them.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "message_header.hpp"
#include "subscriber_port.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/roster.hpp"

namespace iceoryx {

class Participant;

class IceoryxSubscription final : public tandem::transport::RingingSubscription, private DataListener {
 public:
  IceoryxSubscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                      const tandem::transport::RosterEntry & entry, std::uint32_t held_quota);
  ~IceoryxSubscription() override;

  tandem::transport::Sample take() override;
  bool take_into(void * message, tandem::transport::MessageInfo & info) override;
  bool has_data() const override;
  std::size_t publisher_count() const override { return publisher_count_.load(std::memory_order_relaxed); }
  std::uint64_t lost() const override { return lost_.load(std::memory_order_relaxed); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  tandem::transport::Gid gid() const override { return entry_.endpoint.gid; }

  const tandem::transport::RosterEntry & entry() const { return entry_; }
  /// From now on it is told of data. `publishers` were there already: what they have published so far is not lost.
  void start(const std::vector<tandem::transport::RosterEntry> & publishers);
  void set_matched(const std::vector<tandem::transport::RosterEntry> & publishers);

 private:
  /// A message that has come: in its chunk, or copied out of it.
  struct Arrived {
    const MessageHeader * header = nullptr;
    const void * payload = nullptr;
    std::shared_ptr<const void> keeper;
    bool is_copy = false;
  };
  struct Progress {
    tandem::transport::Gid publisher;
    std::uint64_t next;
  };

  void on_data() override;
  bool next_locked(Arrived & arrived);
  bool pop_locked(Arrived & arrived);
  bool is_wanted(const MessageHeader & header) const;
  void count_lost_locked(const MessageHeader & header);
  Arrived copy_of(const Arrived & arrived) const;
  bool read(const Arrived & arrived, void * message);
  tandem::transport::MessageInfo info_of(const MessageHeader & header) const;

  const std::shared_ptr<Participant> participant_;
  const tandem::MessageType & type_;
  tandem::transport::RosterEntry entry_;
  const std::size_t held_quota_;
  const bool keeps_all_;
  const std::int64_t since_;
  const std::shared_ptr<SubscriberPort> port_;

  mutable std::mutex mutex_;        ///< taken before the port's
  std::deque<Arrived> overflow_;    ///< guarded by mutex_: older than what is in the queue
  std::vector<Progress> progress_;  ///< guarded by mutex_
  std::atomic<bool> has_overflow_{false};
  std::atomic<bool> must_look_{false};  ///< others' messages come too: a queue that is not empty says little
  std::atomic<bool> said_bad_{false};
  std::atomic<std::size_t> publisher_count_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::uint64_t> copied_{0};
};

}  // namespace iceoryx
