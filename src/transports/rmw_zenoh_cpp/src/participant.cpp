#include "participant.hpp"

#include <string_view>
#include <utility>

#include "tandem/service.hpp"

namespace rmw_zenoh {

std::shared_ptr<Participant> Participant::make(std::uint32_t domain) {
  return {new Participant(domain), [](const Participant * ended) {
            if (!ended->is_foreign()) {
              delete ended;
            }
          }};
}

Participant::Participant(std::uint32_t domain) : domain_(domain), roster_(kName, domain, [] {}), session_(roster_) {
  const auto heard = [](void * graph, const char * key, std::size_t size, bool is_there) {
    static_cast<Graph *>(graph)->heard(std::string_view(key, size), is_there);
  };
  watch_.reset(checked("nodes cannot be looked for", zn_watch_tokens, session_.get(), tokens_of(domain).c_str(),
                       ZnTokenCallback{heard, graph_.get()}));
}

void Participant::add_node(const NodeName & node) {
  {
    const std::lock_guard lock(mutex_);
    KnownNode & known = nodes_[{node.name_space, node.name}];
    if (known.count++ == 0) {
      Entity entity;
      entity.session = session_.id();
      known.id = entity.node_id = entity.id = ++last_id_;
      entity.node = node;
      known.token = session_.declare(token_of(domain_, entity));
    }
  }
  graph_->add(node);
}

void Participant::remove_node(const NodeName & node) {
  graph_->remove(node);
  const std::lock_guard lock(mutex_);
  const auto known = nodes_.find({node.name_space, node.name});
  if (known != nodes_.end() && --known->second.count == 0) {
    nodes_.erase(known);
  }
}

Entity Participant::new_entity(const EndpointInfo & endpoint) {
  Entity entity = entity_of(endpoint);
  entity.session = session_.id();
  entity.id = ++last_id_;
  const std::lock_guard lock(mutex_);
  const auto known = nodes_.find({endpoint.node.name_space, endpoint.node.name});
  entity.node_id = known != nodes_.end() ? known->second.id : entity.id;
  return entity;
}

std::shared_ptr<Writer> Participant::create_writer(const tandem::MessageType & type, const EndpointInfo & info) {
  return channel_of(info.topic) == Channel::kTopic ? make_topic_writer(shared_from_this(), type, info)
                                                   : make_channel_writer(shared_from_this(), info);
}

std::shared_ptr<Reader> Participant::create_reader(const tandem::MessageType & /*type*/, const EndpointInfo & info,
                                                   bool ignore_local, std::function<void()> on_data) {
  return channel_of(info.topic) == Channel::kTopic
             ? make_topic_reader(shared_from_this(), info, ignore_local, std::move(on_data))
             : make_channel_reader(shared_from_this(), info, std::move(on_data));
}

Presence::Presence(std::shared_ptr<Participant> participant, const EndpointInfo & info, bool ignores_local)
    : participant_(std::move(participant)),
      ignores_local_(ignores_local),
      entity_(participant_->new_entity(info)),
      key_(key_of(participant_->domain(), entity_)),
      token_text_(token_of(participant_->domain(), entity_)),
      gid_(gid_of(token_text_)) {
  for (EndpointInfo & end : listed(entity_, gid_)) {
    if (end.kind == info.kind) {
      info_ = std::move(end);
    }
  }
  info_.gid = gid_;
}

Presence::~Presence() { withdraw(); }

Status Presence::status_of_reader() const {
  Status status = board_->status();
  status.alive = status.matched;
  return status;
}

void Presence::announce(bool has_token) {
  participant_->shared_graph()->add(info_, ignores_local_, board_);
  if (has_token) {
    token_ = participant_->session().declare(token_text_);
  }
}

void Presence::withdraw() {
  board_->set_listener(nullptr);
  token_.reset();
  participant_->shared_graph()->remove(gid_);
}

}  // namespace rmw_zenoh
