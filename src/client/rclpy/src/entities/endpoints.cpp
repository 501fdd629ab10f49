#include "entities/endpoints.hpp"

#include <utility>
#include <vector>

#include "base/qos.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/subscription_options.hpp"
#include "tandem/cdr.hpp"
#include "tandem_py/memory.hpp"

namespace tandem_py {
namespace {

/// A callback for those events that the transport has: their handlers are there for the ones that are asked for.
template <class Kind, class Info>
void want(Kind kind, std::function<void(Info &)> & callback) {
  if (rclcpp::detail::is_supported(kind)) callback = [](Info &) {};
}

rclcpp::PublisherOptions publisher_options() {
  rclcpp::PublisherOptions options;
  auto & callbacks = options.event_callbacks;
  want(RCL_PUBLISHER_OFFERED_DEADLINE_MISSED, callbacks.deadline_callback);
  want(RCL_PUBLISHER_LIVELINESS_LOST, callbacks.liveliness_callback);
  want(RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, callbacks.incompatible_qos_callback);
  want(RCL_PUBLISHER_INCOMPATIBLE_TYPE, callbacks.incompatible_type_callback);
  want(RCL_PUBLISHER_MATCHED, callbacks.matched_callback);
  return options;
}

rclcpp::SubscriptionOptions subscription_options() {
  rclcpp::SubscriptionOptions options;
  auto & callbacks = options.event_callbacks;
  want(RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED, callbacks.deadline_callback);
  want(RCL_SUBSCRIPTION_LIVELINESS_CHANGED, callbacks.liveliness_callback);
  want(RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS, callbacks.incompatible_qos_callback);
  want(RCL_SUBSCRIPTION_MESSAGE_LOST, callbacks.message_lost_callback);
  want(RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, callbacks.incompatible_type_callback);
  want(RCL_SUBSCRIPTION_MATCHED, callbacks.matched_callback);
  return options;
}

Imported filter_options("rclpy.subscription_content_filter_options", "ContentFilterOptions");

py::dict to_dict(const tandem::transport::MessageInfo & transport_info) {
  const auto info = rclcpp::detail::message_info(transport_info).get_rmw_message_info();
  py::dict dict;
  dict["source_timestamp"] = info.source_timestamp;
  dict["received_timestamp"] = info.received_timestamp;
  dict["publication_sequence_number"] = info.publication_sequence_number;
  dict["reception_sequence_number"] = py::none();
  return dict;
}

}  // namespace

MessageClass & message_class_of(const py::object & python) { return class_of(python); }

// ---- publishers ----------------------------------------------------------------------------------------------------

class PublisherHandle::Publisher : public rclcpp::PublisherBase {
 public:
  using PublisherBase::borrow;
  using PublisherBase::publish_loan;
  using PublisherBase::publish_owned;
  using PublisherBase::publish_serialized;
  using PublisherBase::PublisherBase;
};

PublisherHandle::PublisherHandle(std::shared_ptr<NodeHandle> node, const py::object & type, const std::string & topic,
                                 const py::object & qos)
    : node_(std::move(node)), class_(message_class_of(type)) {
  const auto wanted = qos_of(qos);
  const WithoutGil without_gil;
  publisher_ =
      std::make_shared<Publisher>(node_->topics().open_publisher(*class_.type, topic, wanted, publisher_options()));
}

void PublisherHandle::destroy() { drop(publisher_); }

rclcpp::PublisherBase & PublisherHandle::publisher() const { return required(publisher_); }

const EventHandlers<rcl_publisher_event_type_t> & PublisherHandle::events() const {
  return required(publisher_).get_event_handlers();
}

void PublisherHandle::publish(const py::object & message) {
  const auto publisher = publisher_;
  required(publisher);
  tandem::Loan loan = publisher->borrow();
  if (loan.data() != nullptr) {
    write_message(message, class_, loan.data());
    const WithoutGil without_gil;
    publisher->publish_loan(std::move(loan));
    return;
  }
  tandem::OwnedMessage owned = tandem::make_message(*class_.type);
  write_message(message, class_, owned.get());
  const WithoutGil without_gil;
  publisher->publish_owned(std::move(owned));
}

void PublisherHandle::publish_raw(const py::bytes & bytes) {
  const auto publisher = publisher_;
  required(publisher);
  const std::string_view given(bytes);
  const WithoutGil without_gil;
  rclcpp::SerializedMessage serialized(given.size());
  auto & raw = serialized.get_rcl_serialized_message();
  std::copy(given.begin(), given.end(), raw.buffer);
  raw.buffer_length = given.size();
  publisher->publish_serialized(raw);
}

// ---- subscriptions -------------------------------------------------------------------------------------------------

class SubscriptionHandle::Subscription : public rclcpp::SubscriptionBase, public HasSlot {
 public:
  Subscription(rclcpp::detail::SubscriptionSetup && setup, std::shared_ptr<Slot> slot)
      : SubscriptionBase(std::move(setup), [](tandem::transport::Sample &) {}), HasSlot(std::move(slot)) {}
};

SubscriptionHandle::SubscriptionHandle(std::shared_ptr<NodeHandle> node, const py::object & type,
                                       const std::string & topic, const py::object & qos,
                                       const py::object & content_filter)
    : node_(std::move(node)), class_(message_class_of(type)) {
  const auto wanted = qos_of(qos);
  auto options = subscription_options();
  if (!content_filter.is_none()) {
    options.content_filter_options.filter_expression = py::str(content_filter.attr("filter_expression"));
    options.content_filter_options.expression_parameters = strings_of(content_filter.attr("expression_parameters"));
  }
  const WithoutGil without_gil;
  subscription_ =
      std::make_shared<Subscription>(node_->topics().open_subscription(*class_.type, topic, wanted, options), slot());
}

void SubscriptionHandle::destroy() { drop(subscription_); }

rclcpp::SubscriptionBase & SubscriptionHandle::subscription() const { return required(subscription_); }

const EventHandlers<rcl_subscription_event_type_t> & SubscriptionHandle::events() const {
  return required(subscription_).get_event_handlers();
}

void SubscriptionHandle::serve(NodeHandle &, const std::shared_ptr<rclcpp::CallbackGroup> & group) {
  required(subscription_);
  group->add_receiver(subscription_);
}

void SubscriptionHandle::watch(const std::function<void()> & wake) {
  required(subscription_).set_on_new([wake](std::size_t) { wake(); });
}

py::object SubscriptionHandle::next(MessageClass & message_class, bool raw, bool with_info) {
  const auto subscription = subscription_;
  tandem::transport::Sample sample;
  if (!required(subscription).take_sample(sample)) return {};
  py::object message;
  if (raw) {
    const auto bytes = tandem::serialize(*class_.type, sample.message);
    message = py::bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  } else {
    message = make_message(message_class, sample.message, make_keeper(sample.keeper));
  }
  if (!with_info) return message;
  return py::make_tuple(message, to_dict(sample.info));
}

py::object SubscriptionHandle::take(const std::shared_ptr<void> &) { return next(class_, is_raw, has_info); }

py::object SubscriptionHandle::take_message(const py::object & type, bool raw) {
  MessageClass & wanted = raw ? class_ : message_class_of(type);
  if (wanted.type != class_.type) throw py::type_error("messages of this subscription are of another type");
  const py::object taken = next(wanted, raw, true);
  return taken ? taken : py::none();
}

void add_endpoints(py::module_ & module) {
  py::class_<PublisherHandle, Destroyable, std::shared_ptr<PublisherHandle>>(module, "Publisher")
      .def(py::init<std::shared_ptr<NodeHandle>, const py::object &, const std::string &, const py::object &>())
      .def("get_logger_name", [](const PublisherHandle & self) { return self.node()->logger_name(); })
      .def("get_subscription_count",
           [](const PublisherHandle & self) { return self.publisher().get_subscription_count(); })
      .def("get_topic_name", [](const PublisherHandle & self) { return self.publisher().get_topic_name(); })
      .def("publish", &PublisherHandle::publish)
      .def("publish_raw", &PublisherHandle::publish_raw)
      .def("wait_for_all_acked", [](const PublisherHandle & self, const py::object & timeout) {
        const std::chrono::nanoseconds wait(timeout.attr("nanoseconds").cast<std::int64_t>());
        const WithoutGil without_gil;
        return self.publisher().wait_for_all_acked(wait);
      });
  module.def("rclpy_assert_liveliness",
             [](const PublisherHandle & publisher) { publisher.publisher().assert_liveliness(); });

  py::class_<SubscriptionHandle, ServedHandle, std::shared_ptr<SubscriptionHandle>>(module, "Subscription")
      .def(py::init<std::shared_ptr<NodeHandle>, const py::object &, const std::string &, const py::object &,
                    const py::object &>(),
           py::arg("node"), py::arg("type"), py::arg("topic"), py::arg("qos_profile"),
           py::arg("content_filter_options") = py::none())
      .def("take_message", &SubscriptionHandle::take_message)
      .def_readwrite("is_raw", &SubscriptionHandle::is_raw)
      .def_readwrite("has_info", &SubscriptionHandle::has_info)
      .def("get_logger_name", [](const SubscriptionHandle & self) { return self.node()->logger_name(); })
      .def("get_topic_name", [](const SubscriptionHandle & self) { return self.subscription().get_topic_name(); })
      .def("get_publisher_count",
           [](const SubscriptionHandle & self) { return self.subscription().get_publisher_count(); })
      .def("is_cft_enabled", [](const SubscriptionHandle & self) { return self.subscription().is_cft_enabled(); })
      .def("is_cft_supported", [](const SubscriptionHandle &) { return true; })
      .def("set_content_filter",
           [](const SubscriptionHandle & self, const std::string & expression, const py::iterable & parameters) {
             self.subscription().set_content_filter(expression, strings_of(parameters));
           })
      .def("get_content_filter", [](const SubscriptionHandle & self) {
        const auto filter = self.subscription().get_content_filter();
        py::list parameters;
        for (const auto & parameter : filter.expression_parameters) parameters.append(parameter);
        return py::object(filter_options.get()(filter.filter_expression, parameters));
      });
}

}  // namespace tandem_py
