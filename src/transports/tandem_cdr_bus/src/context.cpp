#include "tandem/cdr_bus/context.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "participant.hpp"
#include "tandem/cdr.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/transport_support/bell.hpp"
#include "tandem/transport_support/copying_publisher.hpp"
#include "tandem/transport_support/endpoint.hpp"
#include "tandem/transport_support/own_message.hpp"

namespace tandem::cdr_bus {
namespace {

using namespace transport;  // NOLINT: all that this file implements

constexpr std::size_t kPrefix = 12;  // bytes of a gid that name the participant

Request request_of(const MessageType & type, const TopicOptions & options) {
  return {dds::to_dds_topic(options.topic),   dds::to_dds_type(type.name),      &type, options.qos,
          dds::endpoint_user_data(type.hash), options.ignore_local_publications};
}

class BusPublisher final : public CopyingPublisher {
 public:
  BusPublisher(std::shared_ptr<Participant> participant, const MessageType & type, const TopicOptions & options)
      : CopyingPublisher(type), participant_(std::move(participant)) {
    EndpointInfo info = make_endpoint(participant_->adapter(), EndpointKind::kPublisher, type, options);
    writer_ = participant_->bus().create_writer(request_of(type, options));
    info.gid = writer_->gid();
    participant_->graph().add(info);
  }
  ~BusPublisher() override { participant_->graph().remove(gid()); }

  std::size_t subscription_count() const override { return writer_->matched(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override { return writer_->wait_for_all_acked(timeout); }
  Gid gid() const override { return writer_->gid(); }

 protected:
  PublishResult send(const void * message) override {
    const std::size_t size = serialized_size(type(), message);
    if (size > std::numeric_limits<std::int32_t>::max()) {
      return PublishResult::kNoMemory;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    buffer_.resize(size);
    return serialize(type(), message, buffer_.data(), size) == size ? writer_->write(buffer_)
                                                                    : PublishResult::kNoMemory;
  }

 private:
  const std::shared_ptr<Participant> participant_;
  std::unique_ptr<Writer> writer_;
  std::mutex mutex_;
  Bytes buffer_;  ///< guarded by mutex_
};

class BusSubscription final : public RingingSubscription {
 public:
  BusSubscription(std::shared_ptr<Participant> participant, const MessageType & type, const TopicOptions & options)
      : participant_(std::move(participant)), type_(type), topic_(options.topic) {
    EndpointInfo info = make_endpoint(participant_->adapter(), EndpointKind::kSubscription, type, options);
    reader_ = participant_->bus().create_reader(request_of(type, options), [this] { ring(); });
    info.gid = reader_->gid();
    participant_->graph().add(info, options.ignore_local_publications);
  }
  ~BusSubscription() override { participant_->graph().remove(gid()); }

  Sample take() override {
    Sample sample;
    auto message = std::make_shared<OwnMessage>(type_);
    if (take_into(message->get(), sample.info)) {
      sample.message = message->get();
      sample.size = type_.size;
      sample.keeper = std::move(message);
    }
    return sample;
  }

  bool take_into(void * message, MessageInfo & info) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    while (reader_->take(buffer_)) {
      const auto read = deserialize(type_, buffer_.cdr.data(), buffer_.cdr.size(), message);
      if (!read) {
        complain(read.error());
        continue;
      }
      copied_.fetch_add(1, std::memory_order_relaxed);
      info = {};
      info.source_timestamp = buffer_.stamp;
      info.sequence = buffer_.sequence;
      info.publisher = buffer_.writer;
      const Gid own = participant_->bus().gid();
      info.from_intra_process = std::equal(own.begin(), own.begin() + kPrefix, buffer_.writer.begin());
      return true;
    }
    return false;
  }

  bool has_data() const override { return reader_->has_data(); }
  std::size_t publisher_count() const override { return reader_->matched(); }
  std::uint64_t lost() const override { return reader_->lost() + bad_.load(std::memory_order_relaxed); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return reader_->gid(); }

 private:
  void complain(const std::string & reason) {
    if (bad_.fetch_add(1, std::memory_order_relaxed) == 0) {
      warn(participant_->adapter(), topic_,
           "messages are dropped that are no " + std::string(type_.name) + ": " + reason +
               ". Build both sides against the same definition");
    }
  }

  const std::shared_ptr<Participant> participant_;
  const MessageType & type_;
  const std::string topic_;
  std::unique_ptr<Reader> reader_;
  std::mutex mutex_;
  Message buffer_;  ///< guarded by mutex_
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<std::uint64_t> bad_{0};
};

class BusNode final : public Node {
 public:
  BusNode(std::shared_ptr<Participant> participant, NodeName name)
      : participant_(std::move(participant)), name_(std::move(name)) {
    participant_->graph().add(name_);
  }
  ~BusNode() override { participant_->graph().remove(name_); }

 private:
  const std::shared_ptr<Participant> participant_;
  const NodeName name_;
};

class BusContext final : public Context {
 public:
  explicit BusContext(std::shared_ptr<Participant> participant) : participant_(std::move(participant)) {}
  std::unique_ptr<Node> create_node(const NodeName & name) override {
    return std::make_unique<BusNode>(participant_, name);
  }
  std::shared_ptr<Publisher> create_publisher(const MessageType & type, const TopicOptions & options) override {
    return std::make_shared<BusPublisher>(participant_, type, options);
  }
  std::shared_ptr<Subscription> create_subscription(const MessageType & type, const TopicOptions & options) override {
    return std::make_shared<BusSubscription>(participant_, type, options);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BellWaitSet>(); }
  GraphSnapshot graph() const override { return participant_->graph().snapshot(); }

 private:
  const std::shared_ptr<Participant> participant_;
};

}  // namespace

std::shared_ptr<Context> make_context(const char * adapter, std::shared_ptr<Bus> bus) {
  return std::make_shared<BusContext>(std::make_shared<Participant>(adapter, std::move(bus)));
}

}  // namespace tandem::cdr_bus
