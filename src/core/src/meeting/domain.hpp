// One domain as this process sees it: its presence there, its neighbours, its endpoints, and when all of it is looked at.
//
// The protocol
//   Who changes its directory     rings those who are concerned: whose lanes or publishers the change is about, and who
//                                 has the other side of the topic. It looks at the roster after the change, so it knows
//                                 everybody who came before.
//   Who comes                     gives its files their names, bumps the roster's population, then lists the folder and reads
//                                 everybody's directory. It rings nobody: who has to know of it is rung when it changes
//                                 its own directory, finds the population changed, and lists the folder.
//   Who watches the graph         says so in its region and then looks at the roster's version; who changes its directory raises the
//                                 version and then rings all who say so. One of the two sees the other.
//   Who is rung                   reads the directories that have changed, and matches the topics that they concern and those
//                                 on which something is waited for: an acknowledgement, the last message of a lane, the
//                                 last reader of a closed publisher.
//   Once a second (the tick)      lists the folder, asks the kernel who has died, puts back names that were deleted, and
//                                 matches all topics. So nothing that is lost above is lost for longer.
//   Who finds somebody dead       removes its names; the one that did rings everybody.
//
// Nothing of it runs inside publish or take.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "delivery/wait_set_impl.hpp"
#include "folder/folder.hpp"
#include "meeting/endpoints.hpp"
#include "meeting/neighbours.hpp"
#include "meeting/presence.hpp"
#include "process/process.hpp"

namespace tandem {

class Domain final : public JoinedDomain {
 public:
  /// The domain, joined now or before, with one user more. Locks the process's mutex.
  static Result<std::shared_ptr<Domain>, JoinError> join(Process & process, std::uint32_t number);

  Process & process() const { return process_; }

  void housekeep(bool tick) override TANDEM_REQUIRES(process_mutex);
  void trim(bool idle) override TANDEM_REQUIRES(process_mutex) { endpoints_.trim(idle); }
  bool make_room(bool may_drop_messages) override TANDEM_REQUIRES(process_mutex) {
    return endpoints_.make_room(may_drop_messages);
  }
  bool is_finished() const override TANDEM_REQUIRES(process_mutex) { return users_ == 0 && endpoints_.empty(); }
  void leave() override TANDEM_REQUIRES(process_mutex) { presence_.leave(); }

  // These lock the process's mutex.
  Result<std::shared_ptr<PublisherImpl>, CreateError> create_publisher(const PublisherOptions & options);
  Result<std::shared_ptr<SubscriptionImpl>, CreateError> create_subscription(const SubscriptionOptions & options);
  Result<std::shared_ptr<WaitSetImpl>, CreateError> create_wait_set();
  Result<std::uint64_t, CreateError> add_node(const NodeName & node);
  void remove_node(std::uint64_t number);
  void close_publisher(const std::shared_ptr<PublisherImpl> & publisher);
  void close_subscription(const std::shared_ptr<SubscriptionImpl> & subscription);
  void close_wait_set(const std::shared_ptr<WaitSetImpl> & wait_set);
  Graph graph();
  std::uint64_t graph_version() const;
  std::shared_ptr<Notifier> watch_graph(Notifier::Listener listener);
  /// Whether every match that is due has come about, on both sides.
  bool is_settled();
  void release_user();

 private:
  /// Why things are looked at.
  enum class Occasion {
    kCall,  ///< a change of our own: topics on which something is waited for may go on waiting
    kRing,
    kTick,
  };
  Domain(Process & process, Folder folder, const RootFolder & root, std::uint32_t number);
  static std::shared_ptr<Domain> find(Process & process, std::uint32_t number, const std::string & root)
      TANDEM_REQUIRES(process_mutex);
  Result<bool, JoinError> add_user() TANDEM_REQUIRES(process_mutex);
  void settle(Occasion occasion) TANDEM_REQUIRES(process_mutex);
  void announce_change() TANDEM_REQUIRES(process_mutex);
  void tell_graph_watchers() TANDEM_REQUIRES(process_mutex);

  Process & process_;
  Presence presence_ TANDEM_GUARDED_BY(process_mutex);
  Neighbours neighbours_ TANDEM_GUARDED_BY(process_mutex);
  Endpoints endpoints_ TANDEM_GUARDED_BY(process_mutex);
  std::vector<std::weak_ptr<WaitSetImpl>> wait_sets_ TANDEM_GUARDED_BY(process_mutex);
  std::vector<std::weak_ptr<Notifier>> graph_watchers_ TANDEM_GUARDED_BY(process_mutex);
  std::uint64_t told_version_ TANDEM_GUARDED_BY(process_mutex) = 0;  ///< of the graph, of which its watchers know
  std::uint32_t users_ TANDEM_GUARDED_BY(process_mutex) = 0;
  /// Indices of their directory entries, by number.
  std::map<std::uint64_t, std::uint32_t> nodes_ TANDEM_GUARDED_BY(process_mutex);
};

}  // namespace tandem
