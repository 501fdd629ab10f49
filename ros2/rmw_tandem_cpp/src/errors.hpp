// Errors as rmw.h has them: a code, and a sentence that rmw_get_error_string() gives.
#pragma once

#include <rmw/error_handling.h>
#include <rmw/ret_types.h>

#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "identifier.hpp"

namespace tandem_rmw {

inline void set_error(const std::string & message) { RMW_SET_ERROR_MSG(message.c_str()); }
inline void reset_error() { rmw_reset_error(); }

inline rmw_ret_t fail(rmw_ret_t code, const std::string & message) {
  set_error(message);
  return code;
}

/// Of rmw_destroy_wait_set() and rmw_service_server_is_available(), for which rmw.h has had it so from the first on; the tests of
/// Humble and Jazzy want the other.
#ifdef TANDEM_RMW_NULL_IS_INVALID
inline constexpr rmw_ret_t kAnswerToNull = RMW_RET_INVALID_ARGUMENT;
#else
inline constexpr rmw_ret_t kAnswerToNull = RMW_RET_ERROR;
#endif

/// An argument that may not be null. \return RMW_RET_OK or the error, which is set.
inline rmw_ret_t require(const void * argument, const char * name) {
  return argument != nullptr ? RMW_RET_OK : fail(RMW_RET_INVALID_ARGUMENT, std::string(name) + " is null");
}

/// A handle of this implementation.
template <class Handle>
rmw_ret_t require_ours(const Handle * handle, const char * name) {
  if (handle == nullptr) return require(handle, name);
  if (!is_ours(handle->implementation_identifier)) {
    return fail(RMW_RET_INCORRECT_RMW_IMPLEMENTATION,
                std::string(name) + " is of the implementation '" +
                    (handle->implementation_identifier != nullptr ? handle->implementation_identifier : "(none)") +
                    "', not of " + kIdentifier);
  }
  return RMW_RET_OK;
}

/// The first that is not RMW_RET_OK.
template <class... More>
rmw_ret_t first_error(rmw_ret_t code, More... more) {
  if constexpr (sizeof...(more) == 0) {
    return code;
  } else {
    return code != RMW_RET_OK ? code : first_error(more...);
  }
}

/// Runs what may throw. `failed` is what is returned then.
template <class Work, class Result = std::invoke_result_t<Work>>
Result guarded(Result failed, Work work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    set_error("memory is short");
    if constexpr (std::is_same_v<Result, rmw_ret_t>) return RMW_RET_BAD_ALLOC;
  } catch (const std::exception & error) {
    set_error(error.what());
  }
  return failed;
}

}  // namespace tandem_rmw

/// Returns the error, unless the condition is RMW_RET_OK.
#define TANDEM_RMW_RETURN_IF(CODE)                                      \
  do {                                                                  \
    if (const rmw_ret_t code = (CODE); code != RMW_RET_OK) return code; \
  } while (false)
#define TANDEM_RMW_NULL_IF(CODE)              \
  do {                                        \
    if ((CODE) != RMW_RET_OK) return nullptr; \
  } while (false)
