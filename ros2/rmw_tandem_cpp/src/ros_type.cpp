#include "ros_type.hpp"

#include <dlfcn.h>

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include <rosidl_runtime_c/string.h>
#include <rosidl_runtime_c/u16string.h>
#include <rosidl_typesupport_introspection_c/field_types.h>
#include <rosidl_typesupport_introspection_c/identifier.h>
#include <rosidl_typesupport_introspection_c/message_introspection.h>
#include <rosidl_typesupport_introspection_c/service_introspection.h>
#include <rosidl_typesupport_introspection_cpp/identifier.hpp>
#include <rosidl_typesupport_introspection_cpp/message_introspection.hpp>
#include <rosidl_typesupport_introspection_cpp/service_introspection.hpp>

#include "errors.hpp"
#include "native_operations.hpp"
#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "type_hash.hpp"

namespace tandem_rmw {
namespace {

namespace introspection_cpp = rosidl_typesupport_introspection_cpp;
using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

/// What the two introspections call by different names.
struct C {
  using Members = rosidl_typesupport_introspection_c__MessageMembers;
  using Member = rosidl_typesupport_introspection_c__MessageMember;
  using ServiceMembers = rosidl_typesupport_introspection_c__ServiceMembers;
  static constexpr Language kLanguage = Language::kC;
  static const char * identifier() { return rosidl_typesupport_introspection_c__identifier; }
  static void initialize(const Members * members, void * memory) {
    members->init_function(memory, ROSIDL_RUNTIME_C_MSG_INIT_ALL);
  }
  static void set_resize(Step & step, const Member & member) { step.resize_c = member.resize_function; }
};
struct Cpp {
  using Members = introspection_cpp::MessageMembers;
  using Member = introspection_cpp::MessageMember;
  using ServiceMembers = introspection_cpp::ServiceMembers;
  static constexpr Language kLanguage = Language::kCpp;
  static const char * identifier() { return introspection_cpp::typesupport_identifier; }
  static void initialize(const Members * members, void * memory) {
    members->init_function(memory, rosidl_runtime_cpp::MessageInitialization::ALL);
  }
  static void set_resize(Step & step, const Member & member) { step.resize_cpp = member.resize_function; }
};

/// Earlier releases of ROS 2 have no buffers.
template <class Member>
bool is_buffer(const Member & member) {
  if constexpr (requires { member.is_rosidl_buffer_; }) {
    return member.is_rosidl_buffer_;
  } else {
    return false;
  }
}

FieldKind kind_of(std::uint8_t type_id) {
  switch (type_id) {
    case rosidl_typesupport_introspection_c__ROS_TYPE_FLOAT: return FieldKind::kFloat32;
    case rosidl_typesupport_introspection_c__ROS_TYPE_DOUBLE: return FieldKind::kFloat64;
    case rosidl_typesupport_introspection_c__ROS_TYPE_LONG_DOUBLE: return FieldKind::kLongDouble;
    case rosidl_typesupport_introspection_c__ROS_TYPE_CHAR: return FieldKind::kChar;
    case rosidl_typesupport_introspection_c__ROS_TYPE_WCHAR: return FieldKind::kWchar;
    case rosidl_typesupport_introspection_c__ROS_TYPE_BOOLEAN: return FieldKind::kBool;
    case rosidl_typesupport_introspection_c__ROS_TYPE_OCTET: return FieldKind::kOctet;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT8: return FieldKind::kUint8;
    case rosidl_typesupport_introspection_c__ROS_TYPE_INT8: return FieldKind::kInt8;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT16: return FieldKind::kUint16;
    case rosidl_typesupport_introspection_c__ROS_TYPE_INT16: return FieldKind::kInt16;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT32: return FieldKind::kUint32;
    case rosidl_typesupport_introspection_c__ROS_TYPE_INT32: return FieldKind::kInt32;
    case rosidl_typesupport_introspection_c__ROS_TYPE_UINT64: return FieldKind::kUint64;
    case rosidl_typesupport_introspection_c__ROS_TYPE_INT64: return FieldKind::kInt64;
    case rosidl_typesupport_introspection_c__ROS_TYPE_STRING: return FieldKind::kString;
    case rosidl_typesupport_introspection_c__ROS_TYPE_WSTRING: return FieldKind::kWstring;
    case rosidl_typesupport_introspection_c__ROS_TYPE_MESSAGE: return FieldKind::kMessage;
    default: throw std::invalid_argument("a field of the unknown type " + std::to_string(type_id));
  }
}

/// "std_msgs/msg/Header" of "std_msgs::msg" or "std_msgs__msg", and "Header".
std::string slashed(std::string name_space, const char * name) {
  for (const char * const separator : {"::", "__"}) {
    for (std::size_t at = 0; (at = name_space.find(separator, at)) != std::string::npos;) {
      name_space.replace(at, 2, "/");
    }
  }
  return name_space + "/" + name;
}

/// The library that holds the tables stays: messages of the type may live as long as the process.
void keep_loaded(const void * address) {
  Dl_info library{};
  if (dladdr(address, &library) != 0 && library.dli_fname != nullptr) {
    if (void * const handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) {
      dlclose(handle);
    }
  }
}

constexpr std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// By the address of their introspection. Types live as long as the process: what the program keeps until it ends is destroyed
/// after this library's objects, so these never are.
auto & types = *new std::map<const void *, std::unique_ptr<RosType>>;  // guarded by types_mutex, as all that follows
auto & services = *new std::map<const void *, std::unique_ptr<RosServiceType>>;
auto & types_mutex = *new std::recursive_mutex;

template <class Traits>
const RosType & type_of(const rosidl_message_type_support_t & handle);

template <class Traits>
class Builder {
 public:
  explicit Builder(const typename Traits::Members & members) : members_(members) {}

  std::unique_ptr<RosType> build() {
    type_->language = Traits::kLanguage;
    type_->size = members_.size_of_;
    type_->name = slashed(members_.message_namespace_, members_.message_name_);
    type_->fields.reserve(members_.member_count_);
    bool is_fixed_size = true;
    is_same_ = true;
    if (!is_empty()) {
      for (std::uint32_t i = 0; i < members_.member_count_; ++i) {
        add(members_.members_[i]);
        const Field & field = type_->fields.back();
        is_fixed_size = is_fixed_size && field.shape != FieldShape::kSequence && field.kind != FieldKind::kString &&
                        field.kind != FieldKind::kWstring &&
                        (field.kind != FieldKind::kMessage || field.nested->is_fixed_size);
      }
    }
    tandem::MessageType & native = type_->native;
    native.name = type_->name.c_str();
    native.size = std::max<std::size_t>(aligned(offset_, alignment_), 1);
    native.alignment = alignment_;
    native.is_fixed_size = is_fixed_size;
    native.operations = kNativeOperations;
    native.fields = type_->fields.data();
    native.field_count = type_->fields.size();
    native.abi = tandem::detail::abi_tag(native.size, native.alignment);
    type_->is_same = is_fixed_size && is_same_ && native.size == members_.size_of_;
    type_->initialize = [members = &members_](void * memory) { Traits::initialize(members, memory); };
    type_->finalize = members_.fini_function;
    keep_loaded(&members_);
    return std::move(type_);
  }

 private:
  /// A message without fields has one in ROS 2, which carries nothing.
  bool is_empty() const {
    return members_.member_count_ == 1 &&
           std::string(members_.members_[0].name_) == "structure_needs_at_least_one_member";
  }

  void add(const typename Traits::Member & member) {
    Field field{};
    field.name = type_->names.emplace_back(member.name_).c_str();
    field.kind = kind_of(member.type_id_);
    const RosType * const nested = field.kind == FieldKind::kMessage ? &type_of<Traits>(*member.members_) : nullptr;
    field.nested = nested != nullptr ? &nested->native : nullptr;
    const bool is_sequence = member.is_array_ && (member.array_size_ == 0 || member.is_upper_bound_);
    field.shape = is_sequence ? FieldShape::kSequence : member.is_array_ ? FieldShape::kArray : FieldShape::kSingle;
    field.count = !member.is_array_ ? 1 : member.array_size_ == 0 ? tandem::kUnbounded : member.array_size_;
    field.string_bound = member.string_upper_bound_ == 0 ? tandem::kUnbounded : member.string_upper_bound_;
    field.resize_sequence = is_sequence ? resize_native_sequence : nullptr;

    const auto element = tandem::detail::element_layout(field.kind, field.nested);
    const auto layout = is_sequence ? tandem::detail::kContainerLayout : element;
    offset_ = aligned(offset_, layout.alignment);
    field.offset = offset_;
    offset_ += layout.size * (is_sequence ? 1 : field.count);
    alignment_ = std::max(alignment_, layout.alignment);
    is_same_ = is_same_ && field.offset == member.offset_ && (nested == nullptr || nested->is_same);
    type_->fields.push_back(field);
    add_step(member, type_->fields.back(), nested, element.size);
  }

  void add_step(const typename Traits::Member & member, const Field & field, const RosType * nested,
                std::size_t element_size) {
    const bool is_sequence = field.shape == FieldShape::kSequence;
    const bool is_bytes =
        field.kind != FieldKind::kString && field.kind != FieldKind::kWstring && (nested == nullptr || nested->is_same);
    using Kind = Step::Kind;
    Step step{Kind::kBytes, field.offset, member.offset_, field.count, &field, nested, element_size, nullptr, nullptr};
    if (is_sequence) {
      Traits::set_resize(step, member);
      step.is_buffer = is_buffer(member);
      const bool is_packed = Traits::kLanguage == Language::kCpp && field.kind == FieldKind::kBool;
      step.kind = is_packed ? Kind::kBoolSequence : is_bytes ? Kind::kByteSequence : Kind::kElementSequence;
    } else if (is_bytes) {
      step.count = field.count * element_size;
      auto & steps = type_->steps;
      // With the padding in front of it, it belongs to the piece before.
      if (!steps.empty() && steps.back().kind == Kind::kBytes &&
          steps.back().ros_offset - steps.back().native_offset == step.ros_offset - step.native_offset) {
        steps.back().count = step.native_offset + step.count - steps.back().native_offset;
        return;
      }
    } else if (field.kind == FieldKind::kString && field.shape == FieldShape::kSingle) {
      step.kind = Kind::kString;
    } else {
      step.kind = Kind::kElements;
    }
    type_->has_buffers = type_->has_buffers || step.is_buffer || (nested != nullptr && nested->has_buffers);
    type_->steps.push_back(step);
  }

  const typename Traits::Members & members_;
  std::unique_ptr<RosType> type_ = std::make_unique<RosType>();
  std::size_t offset_ = 0;
  std::size_t alignment_ = 1;
  bool is_same_ = true;
};

/// Without its hash, if nobody has asked for the type before.
template <class Traits>
RosType & unhashed_type_of(const typename Traits::Members & members) {
  auto & entry = types[&members];
  if (!entry) entry = Builder<Traits>(members).build();
  return *entry;
}

template <class Traits>
const RosType & type_of(const rosidl_message_type_support_t & handle) {
  const auto * const found = handle.func(&handle, Traits::identifier());
  const auto & its_handle = found != nullptr ? *found : handle;
  RosType & type = unhashed_type_of<Traits>(*static_cast<const typename Traits::Members *>(its_handle.data));
  if (type.native.hash == TypeHash{}) type.native.hash = hash_of(its_handle, type);
  return type;
}

template <class Traits>
const RosServiceType & service_of(const rosidl_service_type_support_t & handle) {
  const auto & members = *static_cast<const typename Traits::ServiceMembers *>(handle.data);
  auto & entry = services[&members];
  if (!entry) {
    auto made = std::make_unique<RosServiceType>();
    made->name = slashed(members.service_namespace_, members.service_name_);
    made->request = &unhashed_type_of<Traits>(*members.request_members_);
    made->response = &unhashed_type_of<Traits>(*members.response_members_);
    made->native.name = made->name.c_str();
    made->native.request = &made->request->native;
    made->native.response = &made->response->native;
    made->native.hash = hash_of(handle, *made);
    entry = std::move(made);
  }
  return *entry;
}

/// Finds the handle of C or C++, then `make`s of it.
template <class Handle, class MakeC, class MakeCpp>
auto find(const Handle * type_support, MakeC make_c, MakeCpp make_cpp) -> decltype(&make_c(*type_support)) {
  const std::lock_guard<std::recursive_mutex> lock(types_mutex);
  try {
    if (const auto * const handle = type_support->func(type_support, C::identifier())) {
      return &make_c(*handle);
    }
    reset_error();
    if (const auto * const handle = type_support->func(type_support, Cpp::identifier())) {
      return &make_cpp(*handle);
    }
    reset_error();
    set_error(
        "the type has no introspection type support: build its package with rosidl_typesupport_introspection_c "
        "or _cpp");
  } catch (const std::exception & error) {
    set_error(std::string("the type cannot be used: ") + error.what());
  }
  return nullptr;
}

}  // namespace

const RosType * find_type(const rosidl_message_type_support_t * type_support) {
  return find(type_support, type_of<C>, type_of<Cpp>);
}

const RosServiceType * find_type(const rosidl_service_type_support_t * type_support) {
  return find(type_support, service_of<C>, service_of<Cpp>);
}

}  // namespace tandem_rmw
