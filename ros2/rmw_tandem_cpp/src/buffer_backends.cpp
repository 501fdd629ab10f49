#include "buffers.hpp"

#ifdef TANDEM_RMW_HAS_BUFFERS
#include <dlfcn.h>
#include <rmw/rmw.h>
#include <rosidl_buffer_backend_registry/buffer_backend_registry.hpp>

#include <cstring>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "buffer_backends.hpp"
#include "buffer_descriptors.hpp"
#include "endpoints.hpp"
#include "errors.hpp"
#include "log.hpp"
#include "tandem/qos_match.hpp"
#include "tandem_buffer_backend/tandem_buffer_impl.hpp"

namespace tandem_rmw {
namespace {

using rosidl_buffer_backend_registry::BufferBackendRegistry;
using Metadata = std::unordered_map<std::string, std::string>;

// ---- plug-ins ------------------------------------------------------------------------------------------------------

/// Keeps the library of a plug-in, also when the plug-in is gone: a buffer, which is of its code, may be there longer.
void keep_library_of(const rosidl::BufferBackend & backend) {
  Dl_info library{};
  const void * const code = *reinterpret_cast<const void * const *>(&backend);  // its table of virtual functions
  if (dladdr(code, &library) != 0) dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/// Null where none is needed. Errors: what the plug-in throws; std::runtime_error.
std::shared_ptr<rosidl::BufferBackend> load(BufferBackendRegistry & registry, const std::string & name) {
  auto backend = registry.create_backend_instance(name);
  if (!backend) throw std::runtime_error("there is no instance of it");
  const std::string type = backend->get_backend_type();
  if (type == "cpu" || type == tandem_buffer_backend::kBackendType) return nullptr;
  if (backend->get_descriptor_type_support() == nullptr) throw std::runtime_error("its descriptors have no type");
  keep_library_of(*backend);
  return backend;
}

std::shared_ptr<const BufferBackends> backends_of(Context & context) {
  const std::lock_guard<std::mutex> lock(context.mutex);
  if (!context.buffer_backends) context.buffer_backends = std::make_shared<BufferBackends>();
  return context.buffer_backends;
}

// ---- user data -----------------------------------------------------------------------------------------------------

constexpr std::string_view kKey = "buffer_backends";

Metadata metadata_of(std::string_view user_data) {
  Metadata metadata;
  std::string_view key;
  std::string_view backend;
  std::string_view its;
  if (!take_text(user_data, key) || key != kKey) return metadata;
  while (take_text(user_data, backend) && take_text(user_data, its)) metadata.emplace(backend, its);
  return metadata;
}

// ---- endpoints -----------------------------------------------------------------------------------------------------

rmw_topic_endpoint_info_t info_of(rmw_endpoint_type_t type, const transport::Gid & gid) {
  rmw_topic_endpoint_info_t info = rmw_get_zero_initialized_topic_endpoint_info();
  info.endpoint_type = type;
  const rmw_gid_t told = to_gid(gid);
  static_assert(sizeof info.endpoint_gid == sizeof told.data);
  std::memcpy(info.endpoint_gid, told.data, sizeof told.data);
  return info;
}

template <class Map, class Get>
std::vector<rmw_topic_endpoint_info_t> infos_of(const Map & endpoints, Get get) {
  std::vector<rmw_topic_endpoint_info_t> infos;
  for (const auto & [gid, endpoint] : endpoints) infos.push_back(get(endpoint));
  return infos;
}

// ---- descriptors ---------------------------------------------------------------------------------------------------

[[noreturn]] void throw_of(const std::string & backend, const char * what, const std::string & why) {
  throw std::runtime_error("a descriptor of the back-end '" + backend + "' " + what + ": " + why);
}

std::string last_error() {
  const std::string text = rmw_get_error_string().str;
  rmw_reset_error();
  return text;
}

/// A descriptor in CDR.
class Serialized {
 public:
  Serialized() {
    const rcutils_allocator_t allocator = rcutils_get_default_allocator();
    if (rmw_serialized_message_init(&bytes, 0, &allocator) != RMW_RET_OK) throw std::bad_alloc();
  }
  ~Serialized() { static_cast<void>(rmw_serialized_message_fini(&bytes)); }
  Serialized(const Serialized &) = delete;
  Serialized & operator=(const Serialized &) = delete;

  rmw_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
};

std::string serialize(const std::string & name, const rosidl::BufferBackend & backend, const void * descriptor) {
  Serialized serialized;
  if (rmw_serialize(descriptor, backend.get_descriptor_type_support(), &serialized.bytes) != RMW_RET_OK) {
    throw_of(name, "cannot be sent", last_error());
  }
  if (serialized.bytes.buffer_length > rosidl::kMaxBufferDescriptorSize) {
    throw_of(name, "cannot be sent",
             "it has " + std::to_string(serialized.bytes.buffer_length) + " bytes of at most " +
                 std::to_string(rosidl::kMaxBufferDescriptorSize));
  }
  return {reinterpret_cast<const char *>(serialized.bytes.buffer), serialized.bytes.buffer_length};
}

std::shared_ptr<void> deserialize(const std::string & name, const rosidl::BufferBackend & backend,
                                  std::string_view bytes) {
  const std::shared_ptr<void> descriptor = backend.create_empty_descriptor();
  if (!descriptor) throw_of(name, "cannot be read", "the back-end gives none to read into");
  rmw_serialized_message_t serialized = rmw_get_zero_initialized_serialized_message();
  serialized.buffer = reinterpret_cast<std::uint8_t *>(const_cast<char *>(bytes.data()));
  serialized.buffer_length = serialized.buffer_capacity = bytes.size();
  if (rmw_deserialize(&serialized, backend.get_descriptor_type_support(), descriptor.get()) != RMW_RET_OK) {
    throw_of(name, "cannot be read", last_error());
  }
  return descriptor;
}

}  // namespace

// ---- back-ends -----------------------------------------------------------------------------------------------------

BufferBackends::BufferBackends() : registry_(std::make_unique<BufferBackendRegistry>()) {
  for (const std::string & name : registry_->get_backend_names()) {
    try {
      if (const auto backend = load(*registry_, name)) plugins_.emplace(backend->get_backend_type(), backend);
    } catch (const std::exception & error) {
      log_warning("the back-end '" + name + "' of buffers is left out: " + error.what());
    }
  }
}

BufferBackends::~BufferBackends() = default;

rosidl::BufferBackend * BufferBackends::find(const std::string & name) const {
  const auto found = plugins_.find(name);
  return found != plugins_.end() ? found->second.get() : nullptr;
}

std::string BufferBackends::user_data(const char * acceptable) const {
  std::string data;
  for (const auto & [name, backend] : plugins_) {
    if (!accepts(acceptable, name)) continue;
    if (data.empty()) add_text(data, kKey);
    add_text(data, name);
    add_text(data, backend->get_backend_metadata());
  }
  return data;
}

void BufferBackends::tell_of_own(const rmw_topic_endpoint_info_t & info) const {
  for (const auto & [name, backend] : plugins_) backend->on_creating_endpoint(info);
}

std::set<std::string> BufferBackends::tell_of_other(const rmw_topic_endpoint_info_t & info,
                                                    const std::vector<rmw_topic_endpoint_info_t> & existing,
                                                    const std::string & user_data) const {
  const Metadata metadata = metadata_of(user_data);
  std::set<std::string> compatible;
  for (const auto & [name, backend] : plugins_) {
    const bool is_compatible = backend->on_discovering_endpoint(info, existing, metadata).first;
    if (is_compatible && metadata.count(name) != 0) compatible.insert(name);
  }
  return compatible;
}

std::string buffer_user_data(Context & context, const RosType & type, const char * acceptable) {
  return type.has_buffers ? backends_of(context)->user_data(acceptable) : std::string();
}

// ---- publishers ----------------------------------------------------------------------------------------------------

BufferPublisher::BufferPublisher(const Context & context, const std::shared_ptr<const BufferBackends> & backends,
                                 const transport::Publisher & publisher, const std::string & topic,
                                 const transport::Qos & qos)
    : backends_(backends), participant_(context.participant), transport_(context.transport), topic_(topic), qos_(qos) {
  backends->tell_of_own(info_of(RMW_ENDPOINT_PUBLISHER, publisher.gid()));
}

BufferPublisher::Reader BufferPublisher::discover(const BufferBackends & backends,
                                                  const transport::EndpointInfo & endpoint) const {
  Reader reader{info_of(RMW_ENDPOINT_SUBSCRIPTION, endpoint.gid), {}};
  const auto existing = infos_of(readers_, [](const Reader & known) { return known.info; });
  reader.backends = backends.tell_of_other(reader.info, existing, endpoint.user_data);
  return reader;
}

void BufferPublisher::look(const BufferBackends & backends) {
  const std::uint64_t version =
      participant_.graph_version();  // before the look: what changes meanwhile is looked at again
  if (version == graph_version_) return;
  std::set<transport::Gid> present;
  has_others_ = false;
  for (const transport::EndpointInfo & endpoint : transport_->graph().endpoints) {
    if (endpoint.kind != transport::EndpointKind::kSubscription || endpoint.topic != topic_ ||
        tandem::misfit(qos_, endpoint.qos) != tandem::QosPolicy::kNone) {
      continue;
    }
    if (endpoint.user_data.empty()) {
      has_others_ = true;
      continue;
    }
    present.insert(endpoint.gid);
    if (readers_.count(endpoint.gid) == 0) readers_.emplace(endpoint.gid, discover(backends, endpoint));
  }
  std::erase_if(readers_, [&](const auto & reader) { return present.count(reader.first) == 0; });
  graph_version_ = version;
}

std::string BufferPublisher::describe(const rosidl::Buffer<std::uint8_t> & buffer) {
  const std::string name = buffer.get_backend_type();
  const auto backends = backends_.lock();
  const rosidl::BufferBackend * const backend = backends ? backends->find(name) : nullptr;
  if (backend == nullptr) return {};
  const std::lock_guard<std::mutex> lock(mutex_);
  look(*backends);
  bool needs_bytes = has_others_ || qos_.durability == transport::Durability::kTransientLocal;
  std::vector<std::pair<transport::Gid, std::string>> messages;
  for (const auto & [gid, reader] : readers_) {
    std::shared_ptr<void> descriptor;
    if (reader.backends.count(name) != 0) {
      descriptor = backend->create_descriptor_with_endpoint(buffer.get_impl(), reader.info);
    }
    if (descriptor) {
      messages.emplace_back(gid, serialize(name, *backend, descriptor.get()));
    } else {
      needs_bytes = true;
    }
  }
  if (needs_bytes && messages.empty()) return {};
  std::string descriptors = begin_descriptors(needs_bytes);
  for (const auto & [gid, message] : messages) add(descriptors, {gid, name, message});
  return descriptors;
}

std::shared_ptr<BufferPublisher> make_buffer_publisher(Context & context, const RosType & type,
                                                       const transport::Publisher & publisher,
                                                       const std::string & topic, const transport::Qos & qos) {
  if (!type.has_buffers) return nullptr;
  const auto backends = backends_of(context);
  return backends->empty() ? nullptr : std::make_shared<BufferPublisher>(context, backends, publisher, topic, qos);
}

// ---- subscriptions -------------------------------------------------------------------------------------------------

BufferSubscription::BufferSubscription(const Context & context, const std::shared_ptr<const BufferBackends> & backends,
                                       const transport::Subscription & subscription)
    : backends_(backends), transport_(context.transport), gid_(subscription.gid()) {
  backends->tell_of_own(info_of(RMW_ENDPOINT_SUBSCRIPTION, gid_));
}

void BufferSubscription::discover(const BufferBackends & backends, const transport::Gid & publisher) {
  std::string user_data;
  std::set<transport::Gid> present;
  for (const transport::EndpointInfo & endpoint : transport_->graph().endpoints) {
    present.insert(endpoint.gid);
    if (endpoint.gid == publisher) user_data = endpoint.user_data;
  }
  std::erase_if(publishers_, [&](const auto & known) { return present.count(known.first) == 0; });
  const rmw_topic_endpoint_info_t info = info_of(RMW_ENDPOINT_PUBLISHER, publisher);
  const auto existing = infos_of(publishers_, [](const rmw_topic_endpoint_info_t & known) { return known; });
  backends.tell_of_other(info, existing, user_data);
  publishers_.emplace(publisher, info);
}

bool BufferSubscription::is_told(std::string_view descriptors) const { return find(descriptors, gid_).has_value(); }

std::unique_ptr<rosidl::BufferImplBase<std::uint8_t>> BufferSubscription::receive(std::string_view descriptors,
                                                                                  const transport::Gid & publisher) {
  const auto own = find(descriptors, gid_);
  if (!own) return nullptr;
  const std::string name(own->backend);
  const auto backends = backends_.lock();
  const rosidl::BufferBackend * const backend = backends ? backends->find(name) : nullptr;
  if (backend == nullptr) throw_of(name, "cannot be read", "there is no such back-end");
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (publishers_.count(publisher) == 0) discover(*backends, publisher);
  }
  const auto descriptor = deserialize(name, *backend, own->message);
  auto buffer = backend->from_descriptor_with_endpoint(descriptor.get(), info_of(RMW_ENDPOINT_PUBLISHER, publisher));
  if (!buffer) throw_of(name, "cannot be read", "the back-end makes no buffer of it");
  // As other RMWs do: buffers are deleted by their virtual destructor.
  return std::unique_ptr<rosidl::BufferImplBase<std::uint8_t>>(
      static_cast<rosidl::BufferImplBase<std::uint8_t> *>(buffer.release()));
}

std::shared_ptr<BufferSubscription> make_buffer_subscription(Context & context, const RosType & type,
                                                             const char * acceptable,
                                                             const transport::Subscription & subscription) {
  if (buffer_user_data(context, type, acceptable).empty()) return nullptr;
  return std::make_shared<BufferSubscription>(context, backends_of(context), subscription);
}

}  // namespace tandem_rmw
#endif
