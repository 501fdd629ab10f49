// Back-ends of rosidl::Buffer that are installed as plug-ins, and what publishers and subscriptions have to do with them.
//
// A subscription says in its user data which back-ends it accepts. A publisher whose message has a buffer in such memory asks the
// back-end for a descriptor for each of them, and copies the bytes only if there is somebody else, a back-end gives no descriptor,
// or history is kept for subscriptions to come.
#pragma once

#include <rmw/topic_endpoint_info.h>
#include <rosidl_buffer/buffer.hpp>
#include <rosidl_buffer_backend/buffer_backend.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "context.hpp"

namespace rosidl_buffer_backend_registry {
class BufferBackendRegistry;
}

namespace tandem_rmw {

/// The back-ends of a context, by their names; but for those that Tandem needs none for. Immutable.
class BufferBackends {
 public:
  /// Those that are installed. One that cannot be loaded is named in a line, and left out.
  BufferBackends();
  ~BufferBackends();

  bool empty() const { return plugins_.empty(); }
  /// Null: there is none of this name.
  rosidl::BufferBackend * find(const std::string & name) const;
  /// What an endpoint that accepts these tells others; empty if there is none of them.
  std::string user_data(const char * acceptable) const;
  /// Tells all of an endpoint that was made.
  void tell_of_own(const rmw_topic_endpoint_info_t & info) const;
  /// Tells all of another endpoint. \return those that it accepts and that are compatible with it.
  std::set<std::string> tell_of_other(const rmw_topic_endpoint_info_t & info,
                                      const std::vector<rmw_topic_endpoint_info_t> & existing,
                                      const std::string & user_data) const;

 private:
  const std::unique_ptr<rosidl_buffer_backend_registry::BufferBackendRegistry> registry_;  // goes after its plug-ins
  std::map<std::string, std::shared_ptr<rosidl::BufferBackend>> plugins_;
};

/// A publisher's side. Thread-safe. Once its context is shut down there are bytes alone.
class BufferPublisher {
 public:
  BufferPublisher(const Context & context, const std::shared_ptr<const BufferBackends> & backends,
                  const transport::Publisher & publisher, const std::string & topic, const transport::Qos & qos);

  /// Descriptors of the buffer for the subscriptions that accept its back-end (buffer_descriptors.hpp). Empty: there are none, and
  /// the bytes alone are to go. Errors: what the back-end throws.
  std::string describe(const rosidl::Buffer<std::uint8_t> & buffer);

 private:
  struct Reader {
    rmw_topic_endpoint_info_t info;
    std::set<std::string> backends;  ///< for which descriptors are made
  };
  void look(const BufferBackends & backends);
  Reader discover(const BufferBackends & backends, const transport::EndpointInfo & endpoint) const;

  const std::weak_ptr<const BufferBackends> backends_;
  const tandem::Participant participant_;
  const std::shared_ptr<transport::Context> transport_;
  const std::string topic_;
  const transport::Qos qos_;
  std::mutex mutex_;
  std::uint64_t graph_version_ = 0;  ///< that was looked at
  std::map<transport::Gid, Reader> readers_;
  bool has_others_ = false;  ///< that accept no back-end
};

/// A subscription's side. Thread-safe. It cannot read descriptors once its context is shut down.
class BufferSubscription {
 public:
  BufferSubscription(const Context & context, const std::shared_ptr<const BufferBackends> & backends,
                     const transport::Subscription & subscription);

  /// Whether there is a descriptor for it.
  bool is_told(std::string_view descriptors) const;
  /// The buffer that the descriptor for this subscription tells of. Null: there is no such descriptor. Errors: what the
  /// back-end throws; std::runtime_error.
  std::unique_ptr<rosidl::BufferImplBase<std::uint8_t>> receive(std::string_view descriptors,
                                                                const transport::Gid & publisher);

 private:
  void discover(const BufferBackends & backends, const transport::Gid & publisher);

  const std::weak_ptr<const BufferBackends> backends_;
  const std::shared_ptr<transport::Context> transport_;
  const transport::Gid gid_;
  std::mutex mutex_;
  std::map<transport::Gid, rmw_topic_endpoint_info_t> publishers_;  ///< that were discovered, and are there
};

}  // namespace tandem_rmw
