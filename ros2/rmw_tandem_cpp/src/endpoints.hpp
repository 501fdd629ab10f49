// Publishers, subscriptions, services and clients of rmw.h: what their handles' data point to.
#pragma once

#include <rmw/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "context.hpp"
#include "events.hpp"
#include "ros_type.hpp"
#include "tandem/content_filter.hpp"
#include "tandem/service.hpp"
#include "waitable.hpp"

namespace tandem_rmw {

/// First base of what can be in a wait set. End it by destroy().
struct HasInbox {
  explicit HasInbox(Context & its_context) : context(its_context) {}
  ~HasInbox();
  HasInbox(const HasInbox &) = delete;
  HasInbox & operator=(const HasInbox &) = delete;

  Context & context;
  std::shared_ptr<Inbox> inbox;  ///< set once
};

/// None of its callbacks is being called any more when this returns, unless by this thread.
template <class Own>
void destroy(Own & own) {
  own.inbox->set_callback(nullptr, nullptr, nullptr);  // while it is whole: a callback may use it
  delete &own;
}

/// \param keeps_all  nothing is dropped for want of depth
std::shared_ptr<Inbox> inbox_of(const std::shared_ptr<transport::Subscription> & subscription,
                                const transport::Qos & qos, bool keeps_all);
/// Of rmw.h's functions that set one for new messages.
rmw_ret_t set_callback(HasInbox & own, rmw_event_callback_t callback, const void * user_data);

struct Publisher {
  Publisher(Context & its_context, const RosType & its_type, const transport::TopicOptions & options);
  ~Publisher();

  Context & context;
  const RosType & type;
  const rosidl_message_type_support_t * type_support = nullptr;  ///< that it was made with
  const std::string topic;
  const transport::Qos qos;
  const std::shared_ptr<transport::Publisher> native;
  const std::shared_ptr<BufferPublisher> buffers;  ///< may be null
  const std::shared_ptr<EventSource> events;
  std::mutex mutex;
  std::unordered_map<void *, transport::Loan> loans;  ///< guarded by mutex
};

struct Subscription : HasInbox {
  /// \param acceptable_backends  of buffers; null: the CPU's alone
  Subscription(Context & its_context, const RosType & its_type, const transport::TopicOptions & options,
               const char * acceptable_backends = nullptr);
  ~Subscription();
  /// After each take, which may have found that messages are lost: tells who waits for that, or has a callback.
  void note_losses();

  const RosType & type;
  const std::string topic;
  const transport::Qos qos;
  const std::shared_ptr<transport::Subscription> native;
  std::shared_ptr<EventSource> events;                ///< set once
  const bool takes_buffers_in_place;                  ///< those in shared memory
  const std::shared_ptr<BufferSubscription> buffers;  ///< takes those of other back-ends; may be null
  std::atomic<std::uint64_t> lost{0};                 ///< that were noted
  std::mutex mutex;
  std::unordered_map<const void *, transport::Sample> lent;  ///< guarded by mutex
};

inline const std::shared_ptr<transport::Subscription> & incoming(const transport::ServiceServer & server) {
  return server.requests();
}
inline const std::shared_ptr<transport::Subscription> & incoming(const transport::ServiceClient & client) {
  return client.replies();
}

/// A service or a client. Many may ask or answer at once, whatever the depth.
template <class Native>
struct ServiceEnd : HasInbox {
  ServiceEnd(Context & its_context, const RosServiceType & its_type, const char * its_name,
             const transport::ServiceOptions & options)
      : HasInbox(its_context),
        type(its_type),
        name(its_name),
        qos(options.qos),
        native(*context.transport, type.native, options) {
    inbox = inbox_of(incoming(native), qos, true);
  }

  const RosServiceType & type;
  const std::string name;
  const transport::Qos qos;
  Native native;
};
using Service = ServiceEnd<transport::ServiceServer>;
using Client = ServiceEnd<transport::ServiceClient>;

inline Publisher & publisher_of(const rmw_publisher_t * handle) { return *static_cast<Publisher *>(handle->data); }
inline Subscription & subscription_of(const rmw_subscription_t * handle) {
  return *static_cast<Subscription *>(static_cast<HasInbox *>(handle->data));
}

rmw_gid_t to_gid(const transport::Gid & gid);
/// When a message was received, ns since the epoch: where the transport did not look at the clock, now.
std::int64_t received_time(const transport::MessageInfo & info);

/// Which is to be fully qualified unless the profile avoids ROS 2's conventions.
rmw_ret_t require_topic_name(const char * name, const char * what, const rmw_qos_profile_t & profile);
/// Of a publisher or a subscription. \return RMW_RET_UNSUPPORTED for what only messages on a network could have.
rmw_ret_t require_no_flow_of_its_own(rmw_unique_network_flow_endpoints_requirement_t requirement);
/// The profile of an endpoint that is to be made, with what is best available settled. \throws std::invalid_argument.
transport::Qos settled_qos(Context & context, const rmw_qos_profile_t & profile, bool is_publisher,
                           const std::string & topic);

/// Of kinds of results that a caller can do something about.
rmw_ret_t to_ret(transport::PublishResult result, const std::string & topic);

/// Sends a message in ROS 2's layout by `send`, which is called with a const void * or a Loan &&.
template <class Send>
transport::PublishResult send_converted(transport::Publisher & publisher, const RosType & type, const void * message,
                                        Send send, BufferPublisher * buffers = nullptr) {
  if (type.is_same) return send(message);
  transport::Loan loan = publisher.borrow();
  if (!loan) return transport::PublishResult::kPoolExhausted;
  to_native(type, message, loan.data(), buffers);
  return send(std::move(loan));
}

/// Takes the next message into ROS 2's struct. \return false: none.
/// \param in_place  Its buffers refer to bytes where they are, and keep the message.
/// \param buffers  reads those of other back-ends; null: nobody does
bool take_converted(Inbox & inbox, const RosType & type, void * ros_message, transport::MessageInfo & info,
                    bool in_place = false, BufferSubscription * buffers = nullptr);

}  // namespace tandem_rmw
