// Participants that behave as they like.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include <zmq.hpp>

#include "frame.hpp"
#include "std_msgs/msg/string.hpp"
#include "support.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/roster.hpp"
#include "wire/connections.hpp"

namespace rmw_zeromq {

using namespace tandem::transport;  // NOLINT: all that is tested here

inline constexpr std::uint32_t kDomain = 41;

using Text = std_msgs::msg::String;
inline const tandem::MessageType & text_type() { return tandem::message_type<Text>(); }

/// A participant that others see, without anything behind it.
class FakeParticipant {
 public:
  FakeParticipant()
      : roster("rmw_zeromq_cpp", kDomain, nullptr),
        connections(ConnectionTable::create(roster.path_of(roster.id() + ".connections"), "test")) {}

  Gid add_publisher(const std::string & address) {
    TopicOptions options;
    options.topic = "/a";
    options.node = {"/", "fake"};
    RosterEntry entry{make_endpoint("test", EndpointKind::kPublisher, text_type(), options), address, false};
    entry.endpoint.gid = roster.new_gid();
    roster.add(entry);
    return entry.endpoint.gid;
  }

  Roster roster;
  std::shared_ptr<ConnectionTable> connections;
};

/// Announces itself as a publisher of texts and says whatever comes to its mind.
class FakePublisher {
 public:
  FakePublisher() {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.bind("tcp://127.0.0.1:*");
    gid_ = participant_.add_publisher(socket_.get(zmq::sockopt::last_endpoint));
  }
  /// Waits for a reader.
  void welcome() {
    zmq::message_t empty;
    ASSERT_TRUE(socket_.recv(reader_));
    ASSERT_TRUE(socket_.recv(empty));
    ASSERT_EQ(reader_.size(), sizeof(RoutingId));
    RoutingId id;
    std::memcpy(static_cast<void *>(&id), reader_.data(), sizeof id);
    const std::string theirs = to_hex(id.subscription).substr(0, 24) + ".connections";
    their_connections_ = ConnectionTable::open(participant_.roster.path_of(theirs));
    ASSERT_NE(their_connections_, nullptr);
    ConnectionTable::Found found;
    ASSERT_TRUE(eventually([&] { return (found = their_connections_->find(gid_, id.subscription)).row != nullptr; }));
    row_ = found.row;
    status_ = ConnectionStatus::of(found.status);
    status_.state = ConnectionState::kAdmitted;
    row_->status = status_.word();
  }
  void tell(std::uint64_t sequence, const std::string & payload) {
    const Frame frame{Frame::kMagic, {sequence, 7}, gid_};
    zmq::message_t message(sizeof frame + payload.size());
    std::memcpy(message.data(), &frame, sizeof frame);
    payload.copy(message.data<char>() + sizeof frame, payload.size());
    tell(std::move(message));
  }
  void tell(zmq::message_t frame) {
    zmq::message_t id;
    id.copy(reader_);
    socket_.send(id, zmq::send_flags::sndmore);
    socket_.send(frame, zmq::send_flags::none);
  }
  /// Leaves after so many messages.
  void leave(std::uint64_t count) {
    row_->end = Connection::end_of(count, status_.generation);
    participant_.roster.remove(gid_);
  }
  const Gid & gid() const { return gid_; }

 private:
  FakeParticipant participant_;
  zmq::context_t context_;
  zmq::socket_t socket_{context_, zmq::socket_type::router};
  zmq::message_t reader_;
  std::shared_ptr<ConnectionTable> their_connections_;
  Connection * row_ = nullptr;
  ConnectionStatus status_;
  Gid gid_;
};

}  // namespace rmw_zeromq
