// One context on the wire: a Zenoh session, the graph that it hears of, and what it tells others of its nodes.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "calls.hpp"
#include "graph.hpp"
#include "session.hpp"
#include "tandem/kit/bus.hpp"
#include "tandem/kit/fork_generation.hpp"

namespace rmw_zenoh {

/// Writers and readers (topic_ends.cpp, service_ends.cpp) keep it alive.
class Participant final : public Bus, public std::enable_shared_from_this<Participant> {
 public:
  /// In a child of fork() it is left as it is. \throws Error.
  static std::shared_ptr<Participant> make(std::uint32_t domain);

  const char * name() const override { return kName; }
  Encoding encoding_of(const tandem::MessageType &) const override { return Encoding::kCdr; }
  RequestHeader request_header() const override { return RequestHeader::kNative; }
  void add_node(const NodeName & node) override;
  void remove_node(const NodeName & node) override;
  std::shared_ptr<Writer> create_writer(const tandem::MessageType & type, const EndpointInfo & info) override;
  std::shared_ptr<Reader> create_reader(const tandem::MessageType & type, const EndpointInfo & info, bool ignore_local,
                                        std::function<void()> on_data) override;
  GraphSnapshot graph() const override { return graph_->snapshot(); }
  bool is_own(const Gid & endpoint) const override { return graph_->is_own(endpoint); }
  bool is_foreign() const override { return generation_ != fork_generation(); }

  std::uint32_t domain() const { return domain_; }
  const Session & session() const { return session_; }
  const std::shared_ptr<Graph> & shared_graph() const { return graph_; }
  Calls & calls() { return calls_; }
  /// With the ids that it has in tokens.
  Entity new_entity(const EndpointInfo & endpoint);

 private:
  explicit Participant(std::uint32_t domain);

  struct KnownNode {
    std::uint64_t id = 0;
    std::size_t count = 0;
    Token token;
  };

  const std::uint32_t generation_ = fork_generation();
  const std::uint32_t domain_;
  Roster roster_;
  const Session session_;
  const std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(session_.id());  ///< callbacks share it
  Calls calls_;
  std::atomic<std::uint64_t> last_id_{0};
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, KnownNode> nodes_;  ///< guarded by mutex_; by name space and name
  TokenWatch watch_;                                                ///< the last member: it calls the graph
};

/// What an own endpoint tells others of itself, for as long as this lives.
class Presence {
 public:
  Presence(std::shared_ptr<Participant> participant, const EndpointInfo & info, bool ignores_local = false);
  ~Presence();
  Presence(const Presence &) = delete;
  Presence & operator=(const Presence &) = delete;

  Participant & participant() const { return *participant_; }
  const std::string & key() const { return key_; }
  const Gid & gid() const { return gid_; }
  StatusBoard & board() const { return *board_; }
  std::size_t matched() const { return board_->status().matched; }
  Status status_of_reader() const;
  /// Once it can send or receive. Of the two ends of a client or server the one that takes tells it for both.
  /// \throws Error.
  void announce(bool has_token = true);
  /// Before it ends.
  void withdraw();

 private:
  const std::shared_ptr<Participant> participant_;
  EndpointInfo info_;
  const bool ignores_local_;
  const Entity entity_;
  const std::string key_;
  const std::string token_text_;
  const Gid gid_;
  const std::shared_ptr<StatusBoard> board_ = std::make_shared<StatusBoard>();
  Token token_;
};

// topic_ends.cpp
std::shared_ptr<Writer> make_topic_writer(const std::shared_ptr<Participant> & participant,
                                          const tandem::MessageType & type, const EndpointInfo & info);
std::shared_ptr<Reader> make_topic_reader(const std::shared_ptr<Participant> & participant, const EndpointInfo & info,
                                          bool ignore_local, std::function<void()> on_data);
// service_ends.cpp
std::shared_ptr<Writer> make_channel_writer(const std::shared_ptr<Participant> & participant,
                                            const EndpointInfo & info);
std::shared_ptr<Reader> make_channel_reader(const std::shared_ptr<Participant> & participant, const EndpointInfo & info,
                                            std::function<void()> on_data);

}  // namespace rmw_zenoh
