// Tandem's back-end as other RMWs know it: they send its bytes. rmw_tandem_cpp knows its buffers without it.
#include <builtin_interfaces/msg/time.hpp>
#include <pluginlib/class_list_macros.hpp>
#include <rosidl_buffer_backend/buffer_backend.hpp>
#include <rosidl_typesupport_cpp/message_type_support.hpp>

#include <memory>
#include <string>

#include "tandem_buffer_backend/tandem_buffer_impl.hpp"

namespace tandem_buffer_backend {

class TandemBufferBackend : public rosidl::BufferBackend {
 public:
  std::string get_backend_type() const override { return kBackendType; }

  // There has to be a type of descriptors, though there is none of them: any type will do.
  const rosidl_message_type_support_t * get_descriptor_type_support() const override {
    return rosidl_typesupport_cpp::get_message_type_support_handle<builtin_interfaces::msg::Time>();
  }
  std::shared_ptr<void> create_empty_descriptor() const override {
    return std::make_shared<builtin_interfaces::msg::Time>();
  }

  std::shared_ptr<void> create_descriptor_with_endpoint(const void *,
                                                        const rmw_topic_endpoint_info_t &) const override {
    return nullptr;  // as bytes
  }
  std::unique_ptr<void, void (*)(void *)> from_descriptor_with_endpoint(
      const void *, const rmw_topic_endpoint_info_t &) const override {
    return {nullptr, [](void *) {}};
  }
};

}  // namespace tandem_buffer_backend

PLUGINLIB_EXPORT_CLASS(tandem_buffer_backend::TandemBufferBackend, rosidl::BufferBackend)
