// Publishing, and what to say when it fails.
#include "rclcpp/publisher_base.hpp"

#include <algorithm>
#include <string_view>

#include "rclcpp/context.hpp"
#include "rclcpp/exceptions.hpp"
#include "topics/endpoint_events.hpp"
#include "topics/intra_process.hpp"
#include "transport/publish_failure.hpp"
#include "types/serialization.hpp"

namespace rclcpp {

using tandem::transport::PublishResult;

PublisherBase::PublisherBase(detail::PublisherSetup && setup)
    : context_(std::move(setup.context)),
      transport_(std::move(setup.transport)),
      topic_(std::move(setup.topic)),
      qos_(setup.qos),
      type_(*setup.type),
      intra_process_(std::move(setup.intra_process)),
      writer_(intra_process_
                  ? intra_process_->add({topic_, qos_, setup.type, std::move(setup.transport_context), transport_})
                  : nullptr),
      event_handlers_(detail::make_event_handlers(context_, topic_, transport_, setup.event_callbacks)) {}

PublisherBase::~PublisherBase() {
  if (!event_handlers_.empty()) transport_->set_status_listener(nullptr);
}

bool PublisherBase::assert_liveliness() const {
  transport_->assert_liveliness();
  return true;
}

void PublisherBase::set_on_new_qos_event_callback(std::function<void(size_t)> callback,
                                                  rcl_publisher_event_type_t event_type) {
  detail::set_on_new_event_callback(event_handlers_, event_type, topic_, std::move(callback));
}

void PublisherBase::clear_on_new_qos_event_callback(rcl_publisher_event_type_t event_type) {
  detail::clear_on_new_event_callback(event_handlers_, event_type, topic_);
}

size_t PublisherBase::get_intra_process_subscription_count() const {
  return intra_process_ ? intra_process_->count(topic_, qos_) : 0;
}

rmw_gid_t PublisherBase::get_gid() const {
  rmw_gid_t gid{};
  const auto bytes = transport_->gid();
  std::copy(bytes.begin(), bytes.end(), gid.data);
  return gid;
}

std::vector<NetworkFlowEndpoint> PublisherBase::get_network_flow_endpoints() const {
  throw exceptions::RCLError(RCL_RET_UNSUPPORTED,
                             "topic '" + topic_ + "': its messages travel over no network, so there are no endpoints");
}

tandem::Loan PublisherBase::borrow_or_throw() const {
  tandem::Loan loan = transport_->borrow();
  if (!loan) {
    throw exceptions::RCLError(
        RCL_RET_ERROR, "topic '" + topic_ +
                           "': no message can be borrowed: all are on loan or kept by subscribers, or the shared "
                           "memory is full; drop messages sooner, or enlarge the history depth or the memory");
  }
  return loan;
}

tandem::Loan PublisherBase::borrow_of_type(const tandem::MessageType & type) const {
  if (type.hash != type_.hash || std::string_view(type.name) != type_.name) {
    throw exceptions::RCLInvalidArgument("topic '" + topic_ + "': a message of type " + type.name +
                                         " cannot be borrowed, for it has the type " + type_.name);
  }
  return borrow_or_throw();
}

// Who gets the message in this process is known to the writer, which publishes for all others too.

void PublisherBase::publish_copy(const void * message) {
  if (!context_->is_valid()) return;
  const auto readers = writer_ ? writer_->readers() : nullptr;
  throw_if_failed(readers ? writer_->publish(*readers, message) : transport_->publish(message));
}

void PublisherBase::publish_owned(tandem::OwnedMessage message) {
  if (!context_->is_valid()) return;
  const auto readers = writer_ ? writer_->readers() : nullptr;
  throw_if_failed(readers ? writer_->publish(*readers, std::move(message)) : transport_->publish(message));
}

void PublisherBase::publish_loan(tandem::Loan && loan) {
  if (!context_->is_valid()) return;
  const auto readers = writer_ && loan ? writer_->readers() : nullptr;
  throw_if_failed(readers ? writer_->publish(*readers, std::move(loan)) : transport_->publish(std::move(loan)));
}

bool PublisherBase::is_wanted(const detail::CustomType & type) const {
  const auto readers = writer_ ? writer_->readers() : nullptr;
  return readers && std::any_of(readers->begin(), readers->end(),
                                [&](const auto & reader) { return detail::LocalWriter::takes(*reader, type); });
}

void PublisherBase::publish_custom(detail::OwnedCustom custom, const detail::CustomType & type) {
  if (!context_->is_valid()) return;
  const auto readers = writer_->readers();
  if (!readers) return publish_owned(type.to_message(custom.get()));
  throw_if_failed(writer_->publish(*readers, std::move(custom), type));
}

void PublisherBase::publish_serialized(const rcl_serialized_message_t & bytes) {
  if (!context_->is_valid()) return;
  const auto read_into = [&](void * message) {
    detail::throw_if_failed(detail::deserialize(type_, bytes, message),
                            "topic '" + topic_ + "': the bytes to publish are no message of type " + type_.name);
  };
  if (transport_->can_loan()) {
    tandem::Loan loan = borrow_or_throw();
    read_into(loan.data());
    publish_loan(std::move(loan));
  } else {
    tandem::OwnedMessage message = tandem::make_message(type_);
    read_into(message.get());
    publish_owned(std::move(message));
  }
}

void PublisherBase::throw_if_failed(PublishResult result) const {
  if (result != PublishResult::kOk) {
    detail::throw_publish_failure("failed to publish on topic '" + topic_ + "'", result);
  }
}

std::uint64_t PublisherBase::get_copied_count() const {
  return transport_->copied() + (writer_ ? writer_->copied() : 0);
}

}  // namespace rclcpp
