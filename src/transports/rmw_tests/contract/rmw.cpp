// The functions that librmw, not an implementation, has in ROS 2. As far as the implementation and the tests call them.
#include "rmw.h"

#include <rcutils/strdup.h>
#include <rcutils/types/string_array.h>

#include <cstring>
#include <string_view>

namespace {

rmw_ret_t fail(const char * message) {
  RMW_SET_ERROR_MSG(message);
  return RMW_RET_INVALID_ARGUMENT;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A letter, then letters and digits.
bool is_token(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

/// "/a/b": tokens behind slashes.
bool is_path(std::string_view text) {
  if (text.empty() || text[0] != '/') return false;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('/'), text.size());
    if (!is_token(text.substr(0, end))) return false;
    text.remove_prefix(end);
  }
  return true;
}

rmw_ret_t tell(const char * name, int * result, bool is_valid) {
  if (name == nullptr || result == nullptr) return fail("a name or its result is null");
  *result = is_valid ? 0 : 1;
  return RMW_RET_OK;
}

rmw_ret_t set_text(const char ** target, const char * text, rcutils_allocator_t * allocator) {
  *target = rcutils_strdup(text, *allocator);
  return *target != nullptr ? RMW_RET_OK : RMW_RET_BAD_ALLOC;
}

void end(const char * text, rcutils_allocator_t * allocator) {
  allocator->deallocate(const_cast<char *>(text), allocator->state);
}

}  // namespace

extern "C" {

rmw_init_options_t rmw_get_zero_initialized_init_options(void) { return {}; }
rmw_context_t rmw_get_zero_initialized_context(void) { return {}; }
rmw_security_options_t rmw_get_zero_initialized_security_options(void) { return {}; }
rmw_security_options_t rmw_get_default_security_options(void) { return {}; }
rmw_event_t rmw_get_zero_initialized_event(void) { return {nullptr, nullptr, RMW_EVENT_INVALID}; }
rmw_message_info_t rmw_get_zero_initialized_message_info(void) { return {}; }
rmw_names_and_types_t rmw_get_zero_initialized_names_and_types(void) { return {}; }
rmw_topic_endpoint_info_t rmw_get_zero_initialized_topic_endpoint_info(void) { return {}; }
rmw_topic_endpoint_info_array_t rmw_get_zero_initialized_topic_endpoint_info_array(void) { return {}; }

rmw_ret_t rmw_security_options_copy(const rmw_security_options_t * src, const rcutils_allocator_t * allocator,
                                    rmw_security_options_t * dst) {
  *dst = {src->enforce_security, nullptr};
  if (src->security_root_path == nullptr) return RMW_RET_OK;
  dst->security_root_path = rcutils_strdup(src->security_root_path, *allocator);
  return dst->security_root_path != nullptr ? RMW_RET_OK : RMW_RET_BAD_ALLOC;
}

rmw_ret_t rmw_security_options_fini(rmw_security_options_t * options, const rcutils_allocator_t * allocator) {
  allocator->deallocate(options->security_root_path, allocator->state);
  *options = {};
  return RMW_RET_OK;
}

// ---- names ---------------------------------------------------------------------------------------------------------

rmw_ret_t rmw_validate_full_topic_name(const char * name, int * result, size_t *) {
  return tell(name, result, name != nullptr && is_path(name));
}
rmw_ret_t rmw_validate_node_name(const char * name, int * result, size_t *) {
  return tell(name, result, name != nullptr && is_token(name));
}
rmw_ret_t rmw_validate_namespace(const char * name, int * result, size_t *) {
  return tell(name, result, name != nullptr && (std::strcmp(name, "/") == 0 || is_path(name)));
}
const char * rmw_full_topic_name_validation_result_string(int) { return "it is no path of names"; }
const char * rmw_node_name_validation_result_string(int) { return "it is no name"; }
const char * rmw_namespace_validation_result_string(int) { return "it is no path of names"; }

// ---- what is known of others ---------------------------------------------------------------------------------------

rmw_ret_t rmw_names_and_types_check_zero(rmw_names_and_types_t * all) {
  if (all == nullptr) return fail("names_and_types is null");
  const bool is_zero = all->names.size == 0 && all->names.data == nullptr && all->types == nullptr;
  return is_zero ? RMW_RET_OK : fail("names_and_types is not empty");
}

rmw_ret_t rmw_names_and_types_init(rmw_names_and_types_t * all, size_t size, rcutils_allocator_t * allocator) {
  if (rcutils_string_array_init(&all->names, size, allocator) != RCUTILS_RET_OK) return RMW_RET_BAD_ALLOC;
  all->types = static_cast<rcutils_string_array_t *>(
      allocator->zero_allocate(size, sizeof(rcutils_string_array_t), allocator->state));
  return all->types != nullptr ? RMW_RET_OK : RMW_RET_BAD_ALLOC;
}

rmw_ret_t rmw_names_and_types_fini(rmw_names_and_types_t * all) {
  rcutils_allocator_t allocator = all->names.allocator;
  bool is_done = true;
  for (size_t i = 0; i < all->names.size; ++i) {
    is_done = rcutils_string_array_fini(&all->types[i]) == RCUTILS_RET_OK && is_done;
  }
  if (all->types != nullptr) allocator.deallocate(all->types, allocator.state);
  is_done = rcutils_string_array_fini(&all->names) == RCUTILS_RET_OK && is_done;
  *all = {};
  return is_done ? RMW_RET_OK : RMW_RET_ERROR;
}

rmw_ret_t rmw_topic_endpoint_info_set_topic_type(rmw_topic_endpoint_info_t * info, const char * type,
                                                 rcutils_allocator_t * allocator) {
  return set_text(&info->topic_type, type, allocator);
}
rmw_ret_t rmw_topic_endpoint_info_set_node_name(rmw_topic_endpoint_info_t * info, const char * name,
                                                rcutils_allocator_t * allocator) {
  return set_text(&info->node_name, name, allocator);
}
rmw_ret_t rmw_topic_endpoint_info_set_node_namespace(rmw_topic_endpoint_info_t * info, const char * name_space,
                                                     rcutils_allocator_t * allocator) {
  return set_text(&info->node_namespace, name_space, allocator);
}
rmw_ret_t rmw_topic_endpoint_info_set_endpoint_type(rmw_topic_endpoint_info_t * info, rmw_endpoint_type_t type) {
  info->endpoint_type = type;
  return RMW_RET_OK;
}
rmw_ret_t rmw_topic_endpoint_info_set_gid(rmw_topic_endpoint_info_t * info, const uint8_t * gid, size_t size) {
  if (size > sizeof info->endpoint_gid) return fail("the gid is too long");
  std::memcpy(info->endpoint_gid, gid, size);
  return RMW_RET_OK;
}
rmw_ret_t rmw_topic_endpoint_info_set_qos_profile(rmw_topic_endpoint_info_t * info, const rmw_qos_profile_t * profile) {
  info->qos_profile = *profile;
  return RMW_RET_OK;
}

rmw_ret_t rmw_topic_endpoint_info_array_check_zero(rmw_topic_endpoint_info_array_t * array) {
  return array->size == 0 && array->info_array == nullptr ? RMW_RET_OK : fail("the array is not empty");
}
rmw_ret_t rmw_topic_endpoint_info_array_init_with_size(rmw_topic_endpoint_info_array_t * array, size_t size,
                                                       rcutils_allocator_t * allocator) {
  array->info_array = static_cast<rmw_topic_endpoint_info_t *>(
      allocator->zero_allocate(size, sizeof(rmw_topic_endpoint_info_t), allocator->state));
  array->size = array->info_array != nullptr ? size : 0;
  return array->info_array != nullptr ? RMW_RET_OK : RMW_RET_BAD_ALLOC;
}
rmw_ret_t rmw_topic_endpoint_info_array_fini(rmw_topic_endpoint_info_array_t * array, rcutils_allocator_t * allocator) {
  for (size_t i = 0; i < array->size; ++i) {
    end(array->info_array[i].node_name, allocator);
    end(array->info_array[i].node_namespace, allocator);
    end(array->info_array[i].topic_type, allocator);
  }
  allocator->deallocate(array->info_array, allocator->state);
  *array = {};
  return RMW_RET_OK;
}

// ---- content filters -----------------------------------------------------------------------------------------------

rmw_ret_t rmw_subscription_content_filter_options_init(const char * expression, size_t argc, const char * argv[],
                                                       const rcutils_allocator_t * allocator,
                                                       rmw_subscription_content_filter_options_t * options) {
  options->filter_expression = rcutils_strdup(expression, *allocator);
  options->expression_parameters = rcutils_get_zero_initialized_string_array();
  if (argc == 0) return RMW_RET_OK;
  if (rcutils_string_array_init(&options->expression_parameters, argc, allocator) != RCUTILS_RET_OK) {
    return RMW_RET_BAD_ALLOC;
  }
  for (size_t i = 0; i < argc; ++i) options->expression_parameters.data[i] = rcutils_strdup(argv[i], *allocator);
  return RMW_RET_OK;
}

rmw_ret_t rmw_subscription_content_filter_options_fini(rmw_subscription_content_filter_options_t * options,
                                                       const rcutils_allocator_t * allocator) {
  allocator->deallocate(options->filter_expression, allocator->state);
  return rcutils_string_array_fini(&options->expression_parameters) == RCUTILS_RET_OK ? RMW_RET_OK : RMW_RET_ERROR;
}

}  // extern "C"
