// rclcpp over RMW_IMPLEMENTATION, with an executor or a wait-set in each receiving thread.
#include <algorithm>
#include <rclcpp/executors.hpp>
#include <rclcpp/node.hpp>
#include <rclcpp/utilities.hpp>
#include <rclcpp/wait_set.hpp>

#include "communication/communication.hpp"
#include "communication/messages.hpp"
#include "tandem/plugin.hpp"

namespace performance_test {
namespace {

rclcpp::QoS make_qos(const Options & options) {
  rclcpp::QoS qos{rclcpp::KeepLast(options.history_depth)};
  if (!options.keep_last) qos = rclcpp::QoS(rclcpp::KeepAll());
  if (!options.reliable) qos.best_effort();
  if (options.transient_local) qos.transient_local();
  return qos;
}

class RclcppReader : public Reader {
 public:
  RclcppReader(const EndpointSetup & setup, MessageHandler handler)
      : node_(std::make_shared<rclcpp::Node>(setup.node)),
        kind_(setup.kind),
        handler_(std::move(handler)),
        subscription_(kind_.make_subscription(*node_, setup.topic, make_qos(setup.options), handler_)) {}

  std::size_t matched() const override { return subscription_->get_publisher_count(); }
  const std::shared_ptr<rclcpp::Node> & node() const { return node_; }
  const std::shared_ptr<rclcpp::SubscriptionBase> & subscription() const { return subscription_; }

  /// Copies the next message into one that is used again, as programs with a wait-set do. \return whether there was one.
  bool take_one() {
    if (!taken_) taken_ = kind_.make();
    if (!kind_.take(*subscription_, taken_.get(), info_)) return false;
    PublisherId publisher;
    std::copy_n(info_.get_rmw_message_info().publisher_gid.data, publisher.size(), publisher.begin());
    handler_(taken_.get(), publisher);
    return true;
  }

 private:
  const std::shared_ptr<rclcpp::Node> node_;
  const MessageKind & kind_;
  const MessageHandler handler_;
  const std::shared_ptr<rclcpp::SubscriptionBase> subscription_;
  std::shared_ptr<void> taken_;
  rclcpp::MessageInfo info_;
};

class ExecutorLoop : public Loop {
 public:
  explicit ExecutorLoop(const std::vector<Reader *> & readers) {
    for (Reader * const reader : readers) executor_.add_node(static_cast<RclcppReader *>(reader)->node());
  }
  void run(std::int64_t ns) override {
    if (ns < 0) return executor_.spin();
    if (ns == 0) return executor_.spin_some();
    executor_.spin_once(std::chrono::nanoseconds(ns));
  }

 private:
  rclcpp::executors::SingleThreadedExecutor executor_;
};

class WaitSetLoop : public Loop {
 public:
  explicit WaitSetLoop(const std::vector<Reader *> & readers) {
    for (Reader * const reader : readers) {
      readers_.push_back(static_cast<RclcppReader *>(reader));
      set_.add_subscription(readers_.back()->subscription());
    }
  }
  void run(std::int64_t ns) override {
    do {
      set_.wait(std::chrono::nanoseconds(ns));
      for (RclcppReader * const reader : readers_) {
        while (rclcpp::ok() && reader->take_one()) {
        }
      }
    } while (ns < 0 && rclcpp::ok());
  }

 private:
  rclcpp::WaitSet set_;
  std::vector<RclcppReader *> readers_;
};

class RclcppCommunication : public Communication {
 public:
  RclcppCommunication(const Options & options, int argc, char ** argv)
      : has_wait_sets_(options.communication == "rclcpp-waitset") {
    rclcpp::InitOptions init_options;
    if (options.domain) init_options.set_domain_id(*options.domain);
    rclcpp::init(argc, argv, init_options);
  }
  ~RclcppCommunication() override { rclcpp::shutdown(); }

  const tandem::transport::Transport & transport() const override { return tandem::transport::load(); }
  std::uint32_t domain() const override {
    return static_cast<std::uint32_t>(rclcpp::contexts::get_global_default_context()->get_domain_id());
  }
  bool ok() const override { return rclcpp::ok(); }
  void stop() override { rclcpp::shutdown(); }

  std::unique_ptr<Writer> make_writer(const EndpointSetup & setup) override {
    const auto node = std::make_shared<rclcpp::Node>(setup.node);
    return setup.kind.make_writer(node, setup.topic, make_qos(setup.options), setup.options.zero_copy);
  }
  std::unique_ptr<Reader> make_reader(const EndpointSetup & setup, MessageHandler handler) override {
    return std::make_unique<RclcppReader>(setup, std::move(handler));
  }
  std::unique_ptr<Loop> make_loop(const std::vector<Reader *> & readers) override {
    if (has_wait_sets_) return std::make_unique<WaitSetLoop>(readers);
    return std::make_unique<ExecutorLoop>(readers);
  }

 private:
  const bool has_wait_sets_;
};

}  // namespace

std::unique_ptr<Communication> make_rclcpp_communication(const Options & options, int argc, char ** argv) {
  return std::make_unique<RclcppCommunication>(options, argc, argv);
}

}  // namespace performance_test
