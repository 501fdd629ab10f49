// Where installed packages lie: the prefixes of AMENT_PREFIX_PATH.
#pragma once

#include <filesystem>
#include <vector>

namespace tandem {

/// The prefixes of AMENT_PREFIX_PATH in its order, each once. With `code`, the address of a function, the prefix of the
/// library that it lies in (<prefix>/lib/lib….so) follows, so that things are found in a shell where nothing was
/// sourced. Thread-safe as long as nobody changes the environment. Errors: std::bad_alloc.
std::vector<std::filesystem::path> ament_prefixes(const void * code = nullptr);

}  // namespace tandem
