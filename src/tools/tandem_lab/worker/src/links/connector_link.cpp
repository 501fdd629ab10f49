// RTI Connext through RTI's Connector: a participant with the endpoints of a role, as an XML document of this file has them. Each
// message is set and read as dynamic data, which costs a copy at either end.
#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "links/connector_library.hpp"
#include "links/floor_support.hpp"

namespace lab {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr const char * kWriter = "Publisher::Writer";
constexpr const char * kReader = "Subscriber::Reader";
constexpr const char * kPayload = "data";
constexpr int kNoId = 0;  // members are named
// Shared memory alone, since all peers are on one host: a participant has so much room, Connext's own choice of 1 MiB being less
// than one of the larger messages. What is larger than kWhole goes in fragments, from a thread of the writer's own, so that
// the reader copies while the writer does.
constexpr std::size_t kRoom = 16 << 20;
constexpr std::size_t kWhole = 128 << 10;
constexpr std::size_t kHeaders = 1 << 10;
constexpr int kMostParticipants = 64;

/// RTI's own profile for the reliability and history asked for, and what differs from it. A sequence without bounds has no
/// greatest size for a pool of buffers.
constexpr const char * kQos = R"(
  <{kind}_qos base_name="BuiltinQosLib::{profile}">
    <durability><kind>{durability}_DURABILITY_QOS</kind></durability>
    <history><kind>KEEP_{history}_HISTORY_QOS</kind><depth>{depth}</depth></history>{more}
  </{kind}_qos>)";
constexpr const char * kWriterQos = R"(
    <reliability>
      <kind>{reliability}_RELIABILITY_QOS</kind>
      <max_blocking_time><sec>{patience}</sec><nanosec>0</nanosec></max_blocking_time>
    </reliability>
    <property><value><element>
      <name>dds.data_writer.history.memory_manager.fast_pool.pool_buffer_max_size</name><value>{whole}</value>
    </element></value></property>{mode})";
constexpr const char * kFragments = "<publish_mode><kind>ASYNCHRONOUS_PUBLISH_MODE_QOS</kind></publish_mode>";
constexpr const char * kPublisher = R"(
  <publisher name="Publisher"><data_writer name="Writer" topic_ref="{topic}">{qos}</data_writer></publisher>)";
constexpr const char * kSubscriber = R"(
  <subscriber name="Subscriber"><data_reader name="Reader" topic_ref="{topic}">{qos}</data_reader></subscriber>)";
constexpr const char * kConfiguration = R"(<dds>
  <qos_library name="Logs"><qos_profile name="Log" is_default_participant_factory_profile="true">
    <participant_factory_qos><logging><output_file>{log}</output_file></logging></participant_factory_qos>
  </qos_profile></qos_library>
  <types><struct name="Bytes" extensibility="final">
    <member name="data" type="byte" sequenceMaxLength="-1"/>
  </struct></types>
  <domain_library name="Domains"><domain name="Domain" domain_id="{domain}">
    <register_type name="Bytes" type_ref="Bytes"/>
    <topic name="{topic}" register_type_ref="Bytes"/>
    <topic name="{reply_topic}" register_type_ref="Bytes"/>
  </domain></domain_library>
  <domain_participant_library name="Peers"><domain_participant name="Peer" domain_ref="Domains::Domain">
    <domain_participant_qos>
      <transport_builtin><mask>SHMEM</mask></transport_builtin>
      <discovery><initial_peers><element>{participants}@builtin.shmem://</element></initial_peers></discovery>
      <database><shutdown_cleanup_period><sec>0</sec><nanosec>10000000</nanosec></shutdown_cleanup_period></database>
      <property><value>
        <element><name>dds.transport.shmem.builtin.parent.message_size_max</name><value>{whole}</value></element>
        <element><name>dds.transport.shmem.builtin.receive_buffer_size</name><value>{room}</value></element>
        <element><name>dds.transport.shmem.builtin.received_message_count_max</name><value>{messages}</value></element>
      </value></property>
    </domain_participant_qos>{endpoints}
  </domain_participant></domain_participant_library>
</dds>)";

std::string qos(const Spec & spec, bool is_writer) {
  using fmt::arg;
  const char * const profile = !spec.reliable  ? "Generic.BestEffort"
                               : spec.keep_all ? "Generic.StrictReliable"
                                               : "Generic.KeepLastReliable";
  const bool is_whole = spec.size <= kWhole - kHeaders;
  const std::string more =
      fmt::format(kWriterQos, arg("reliability", spec.reliable ? "RELIABLE" : "BEST_EFFORT"),
                  arg("patience", kPatience.count()), arg("whole", kWhole), arg("mode", is_whole ? "" : kFragments));
  return fmt::format(kQos, arg("kind", is_writer ? "datawriter" : "datareader"), arg("profile", profile),
                     arg("durability", spec.transient_local ? "TRANSIENT_LOCAL" : "VOLATILE"),
                     arg("history", spec.keep_all ? "ALL" : "LAST"), arg("depth", spec.keep_all ? 1 : spec.depth),
                     arg("more", is_writer ? more : ""));
}

/// One writer and one reader at most, as the role has them.
std::string configuration(const Spec & spec) {
  using fmt::arg;
  std::string endpoints;
  if (spec.role != Role::kSubscribe)
    endpoints += fmt::format(kPublisher, arg("topic", spec.role == Role::kPong ? spec.reply_topic : spec.topic),
                             arg("qos", qos(spec, true)));
  if (spec.role != Role::kPublish)
    endpoints += fmt::format(kSubscriber, arg("topic", spec.role == Role::kPing ? spec.reply_topic : spec.topic),
                             arg("qos", qos(spec, false)));
  // What Connext has to say must not come among the peer's events.
  return fmt::format(kConfiguration, arg("log", spec.output.empty() ? "/dev/null" : spec.output + ".connext"),
                     arg("domain", spec.domain), arg("topic", spec.topic), arg("reply_topic", spec.reply_topic),
                     arg("participants", kMostParticipants), arg("whole", kWhole), arg("room", kRoom),
                     arg("messages", 4 * kRoom / kWhole), arg("endpoints", endpoints));
}

/// A participant, until the last of its endpoints has gone.
struct Participant {
  Participant(const std::string & path, const Spec & spec) : library(path), size(spec.size) {
    const ConnectorOptions options;
    const std::string url = "str://\"" + configuration(spec) + "\"";
    connector = library.create("Peers::Peer", url.c_str(), &options);
    if (connector == nullptr) fail("no participant");
  }
  ~Participant() {
    if (connector != nullptr) library.destroy(connector);
  }
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  [[noreturn]] void fail(const char * what) const {
    throw std::runtime_error(fmt::format("RTI's Connector: {}: {}", what, library.last_error()));
  }
  void check(int result, const char * what) const {
    if (result != kConnectorOk) fail(what);
  }
  /// How many an endpoint knows of the other side; `ask` names them.
  std::size_t count(int (*ask)(void *, char **), void * endpoint) const {
    char * names = nullptr;
    check(ask(endpoint, &names), "the other side is not told");
    const std::size_t found = nlohmann::json::parse(names).size();
    library.free_string(names);
    return found;
  }

  const ConnectorLibrary library;
  const std::size_t size;
  void * connector = nullptr;
};

class ConnectorOutlet : public Outlet {
 public:
  explicit ConnectorOutlet(std::shared_ptr<Participant> participant)
      : participant_(std::move(participant)), library_(participant_->library), own_(participant_->size) {
    writer_ = library_.get_writer(participant_->connector, kWriter);
    if (writer_ == nullptr) participant_->fail("no writer");
    participant_->check(library_.get_instance(participant_->connector, kWriter, &message_), "no message");
  }

  Sent send(const Fill & fill) override {
    fill(own_);
    const auto size = static_cast<unsigned int>(own_.size());
    participant_->check(library_.set_octets(message_, kPayload, kNoId, size, own_.data()), "a message cannot be set");
    const int result = library_.write(participant_->connector, kWriter, nullptr);
    if (result == kConnectorTimeout) return Sent::kTimeout;
    participant_->check(result, "a message cannot be written");
    ++sent_;
    return Sent::kOk;
  }
  std::size_t matched() const override { return participant_->count(library_.get_matched_subscriptions, writer_); }
  bool flush(milliseconds timeout) override {
    return library_.wait_for_acknowledgments(writer_, static_cast<int>(timeout.count())) == kConnectorOk;
  }
  std::uint64_t copied() const override { return sent_; }

 private:
  const std::shared_ptr<Participant> participant_;
  const ConnectorLibrary & library_;
  std::vector<std::byte> own_;
  void * writer_ = nullptr;
  void * message_ = nullptr;
  std::uint64_t sent_ = 0;
};

class ConnectorInlet : public Inlet {
 public:
  explicit ConnectorInlet(std::shared_ptr<Participant> participant)
      : participant_(std::move(participant)), library_(participant_->library), buffers_(participant_->size) {
    reader_ = library_.get_reader(participant_->connector, kReader);
    if (reader_ == nullptr) participant_->fail("no reader");
  }

  Arrival take() override {
    while (next_ <= count_ || take_all()) {
      const void * const sample = library_.get_sample(participant_->connector, kReader, next_++);
      auto buffer = buffers_.get();
      auto size = static_cast<unsigned int>(participant_->size);
      // One without data says that a writer has gone.
      const bool is_read =
          sample != nullptr && library_.get_octets(sample, buffer.get(), &size, kPayload, kNoId) == kConnectorOk;
      if (is_read && size == participant_->size) {
        ++taken_;
        return {{buffer.get(), size}, buffer};
      }
    }
    return {};
  }

  /// Connector's wait cannot be ended from outside, so it is made of short ones.
  void wait(nanoseconds timeout) override {
    const auto end = steady_clock::now() + timeout;
    while (!is_woken_.exchange(false)) {
      const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
      if (left <= milliseconds(0)) return;
      const int result =
          library_.wait_for_data(reader_, static_cast<int>(std::min<milliseconds>(left, kGlance).count()));
      if (result == kConnectorOk) return;
      if (result != kConnectorTimeout) participant_->fail("waiting is not possible");
    }
  }
  void wake() override { is_woken_ = true; }
  std::size_t matched() const override { return participant_->count(library_.get_matched_publications, reader_); }
  std::uint64_t copied() const override { return taken_; }

 private:
  /// Gives back what was taken and takes what has come since. \return whether there is something.
  bool take_all() {
    if (count_ > 0) library_.return_loan(participant_->connector, kReader);
    next_ = 1;
    count_ = 0;
    const int result = library_.take(participant_->connector, kReader);
    if (result == kConnectorNoData) return false;
    participant_->check(result, "messages cannot be taken");
    double count = 0;
    participant_->check(library_.get_sample_count(participant_->connector, kReader, &count),
                        "messages cannot be counted");
    count_ = static_cast<int>(count);
    return count_ > 0;
  }

  const std::shared_ptr<Participant> participant_;
  const ConnectorLibrary & library_;
  BufferPool buffers_;
  void * reader_ = nullptr;
  int next_ = 1;
  int count_ = 0;
  std::atomic<bool> is_woken_{false};
  std::uint64_t taken_ = 0;
};

class ConnectorLink : public Link {
 public:
  explicit ConnectorLink(const Spec & spec) : participant_(std::make_shared<Participant>(spec.link_name, spec)) {}
  std::unique_ptr<Outlet> make_outlet(const std::string &) override {
    return std::make_unique<ConnectorOutlet>(participant_);
  }
  std::unique_ptr<Inlet> make_inlet(const std::string &) override {
    return std::make_unique<ConnectorInlet>(participant_);
  }

 private:
  const std::shared_ptr<Participant> participant_;
};

}  // namespace

std::unique_ptr<Link> make_connector_link(const Spec & spec) {
  if (spec.loan) throw Unsupported("RTI's Connector cannot lend memory: it copies each message");
  if (spec.content != Content::kBytes) throw Unsupported("through RTI's Connector only messages of bytes are sent");
  if (!spec.hosts.empty()) throw Unsupported("RTI's Connector is not told addresses");
  return std::make_unique<ConnectorLink>(spec);
}

}  // namespace lab
