// A transport without rclcpp: its own publishers, subscriptions and wait-sets.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <rclcpp/init_options.hpp>
#include <stdexcept>

#include "communication/communication.hpp"
#include "communication/messages.hpp"
#include "tandem/measure/transport_link.hpp"
#include "tandem/plugin.hpp"

namespace performance_test {
namespace {

namespace transport = tandem::transport;
using tandem::measure::TransportLink;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

void notice_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

tandem::measure::TransportLinkOptions link_options(const std::string & transport, const EndpointSetup & setup) {
  const Options & options = setup.options;
  tandem::measure::TransportLinkOptions made;
  made.transport = transport;
  made.kind = setup.kind.on_link;
  made.loans = options.zero_copy ? tandem::measure::Loans::kAll : tandem::measure::Loans::kNone;
  made.node = {"/", setup.node};
  made.qos.history = options.keep_last ? transport::History::kKeepLast : transport::History::kKeepAll;
  made.qos.depth = options.history_depth;
  made.qos.reliability = options.reliable ? transport::Reliability::kReliable : transport::Reliability::kBestEffort;
  made.qos.durability =
      options.transient_local ? transport::Durability::kTransientLocal : transport::Durability::kVolatile;
  return made;
}

std::string topic_of(const EndpointSetup & setup) {
  return setup.topic.front() == '/' ? setup.topic : "/" + setup.topic;
}

class DirectWriter : public Writer {
 public:
  DirectWriter(TransportLink link, const std::string & topic)
      : link_(std::move(link)), outlet_(link_.make_transport_outlet(topic)) {}

  bool send(const Filling & fill) override {
    const auto result = outlet_->publish([&fill](std::span<std::byte> message) { fill(message.data()); });
    if (result && *result != transport::PublishResult::kOk) throw std::runtime_error(to_string(*result));
    return result.has_value();
  }
  bool can_loan() const override { return outlet_->can_loan(); }
  std::size_t matched() const override { return outlet_->matched(); }

 private:
  TransportLink link_;
  const std::unique_ptr<tandem::measure::TransportOutlet> outlet_;
};

class DirectReader : public Reader {
 public:
  DirectReader(TransportLink link, const std::string & topic, MessageHandler handler)
      : link_(std::move(link)), inlet_(link_.make_transport_inlet(topic)), handler_(std::move(handler)) {}

  std::size_t matched() const override { return inlet_->matched(); }
  void attach_to(const std::shared_ptr<transport::WaitSet> & set) { inlet_->attach_to(set); }
  /// \return whether there was a message.
  bool take_one() {
    const tandem::measure::Arrival arrival = inlet_->take();
    if (arrival) handler_(arrival.payload.data(), arrival.publisher);
    return static_cast<bool>(arrival);
  }

 private:
  TransportLink link_;
  const std::unique_ptr<tandem::measure::TransportInlet> inlet_;
  const MessageHandler handler_;
};

class DirectLoop : public Loop {
 public:
  DirectLoop(std::shared_ptr<transport::WaitSet> set, const std::vector<Reader *> & readers,
             const std::atomic<bool> & is_stopped)
      : set_(std::move(set)), is_stopped_(is_stopped) {
    for (Reader * const reader : readers) {
      readers_.push_back(static_cast<DirectReader *>(reader));
      readers_.back()->attach_to(set_);
    }
  }

  void run(std::int64_t ns) override {
    do {
      if (ns != 0) set_->wait(std::chrono::nanoseconds(ns));
      for (DirectReader * const reader : readers_) {
        while (!is_stopped_ && reader->take_one()) {
        }
      }
    } while (ns < 0 && !is_stopped_);
  }

 private:
  const std::shared_ptr<transport::WaitSet> set_;
  const std::atomic<bool> & is_stopped_;
  std::vector<DirectReader *> readers_;
};

class DirectCommunication : public Communication {
 public:
  DirectCommunication(const Options & options, const std::string & name)
      : transport_(transport::load(name)), domain_(domain_of(options)), context_(transport_.create_context(domain_)) {
    notice_signals();
  }

  const transport::Transport & transport() const override { return transport_; }
  std::uint32_t domain() const override { return domain_; }
  bool ok() const override { return !interrupted && !is_stopped_; }
  void stop() override {
    is_stopped_ = true;
    for (const auto & set : wait_sets_) set->wake();
  }

  std::unique_ptr<Writer> make_writer(const EndpointSetup & setup) override {
    return std::make_unique<DirectWriter>(link(setup), topic_of(setup));
  }
  std::unique_ptr<Reader> make_reader(const EndpointSetup & setup, MessageHandler handler) override {
    return std::make_unique<DirectReader>(link(setup), topic_of(setup), std::move(handler));
  }
  std::unique_ptr<Loop> make_loop(const std::vector<Reader *> & readers) override {
    wait_sets_.push_back(context_->create_wait_set());
    return std::make_unique<DirectLoop>(wait_sets_.back(), readers, is_stopped_);
  }

 private:
  TransportLink link(const EndpointSetup & setup) const {
    return TransportLink(context_, link_options(transport_.name(), setup));
  }
  static std::uint32_t domain_of(const Options & options) {
    return options.domain ? *options.domain : static_cast<std::uint32_t>(rclcpp::InitOptions().get_domain_id());
  }

  transport::Transport & transport_;
  const std::uint32_t domain_;
  const std::shared_ptr<transport::Context> context_;
  std::vector<std::shared_ptr<transport::WaitSet>> wait_sets_;
  std::atomic<bool> is_stopped_{false};
};

}  // namespace

std::unique_ptr<Communication> make_direct_communication(const Options & options, const std::string & name) {
  try {
    return std::make_unique<DirectCommunication>(options, name);
  } catch (const transport::Error & error) {
    const auto built = transport::available();
    const bool is_built = std::find(built.begin(), built.end(), name) != built.end();
    throw std::runtime_error(
        fmt::format("-c {}{}: {}", options.communication, is_built ? "" : " is not built here", error.what()));
  }
}

}  // namespace performance_test
