// Type name -> package -> the library that the ament index names -> the C function that gives the type object.
#include "tandem/type_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "tandem/ament_prefixes.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

constexpr const char * kIndex = "share/ament_index/resource_index";
constexpr const char * kResource = "tandem_interfaces";

template <class T>
using Found = tl::expected<T, std::string>;

std::vector<fs::path> prefixes() { return ament_prefixes(reinterpret_cast<const void *>(&find_message_type)); }

/// "std_msgs/msg/String" in parts.
struct TypeName {
  std::string package;
  std::string folder;
  std::string name;
};

bool is_identifier(std::string_view text) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_part);
}

Found<TypeName> parse(const std::string & text, const char * example) {
  const auto refuse = [&](const std::string & advice) {
    return tl::make_unexpected("'" + text + "' is no name of a type: " + advice);
  };
  const std::size_t first = text.find('/');
  if (first == std::string::npos) {
    return refuse("it has no package; a full name is like " + std::string(example));
  }
  const std::size_t second = text.find('/', first + 1);
  if (second == std::string::npos) {
    return refuse("did you mean " + text.substr(0, first) + "/msg/" + text.substr(first + 1) + "?");
  }
  TypeName name{text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
  constexpr std::array kFolders = {"msg", "srv", "action"};
  if (!is_identifier(name.package) || !is_identifier(name.name) ||
      std::find(kFolders.begin(), kFolders.end(), name.folder) == kFolders.end()) {
    return refuse("a full name is like " + std::string(example));
  }
  return name;
}

/// The libraries of a package in the first prefix that has it, which are those to load.
Found<std::vector<fs::path>> libraries_of(const std::string & package) {
  std::string looked_in;
  for (const fs::path & prefix : prefixes()) {
    std::error_code error;
    std::ifstream resource(prefix / kIndex / kResource / package);
    std::vector<fs::path> libraries;
    for (std::string line; std::getline(resource, line);) {
      if (!line.empty()) {
        libraries.push_back(prefix / line);
      }
    }
    const fs::path usual = prefix / "lib" / ("lib" + package + "__rosidl_typesupport_cpp.so");
    if (libraries.empty() && fs::exists(usual, error)) {
      libraries.push_back(usual);
    }
    if (!libraries.empty()) {
      return libraries;
    }
    if (fs::exists(prefix / kIndex / "packages" / package, error)) {
      return tl::make_unexpected("the package '" + package + "' in " + prefix.string() +
                                 " has no interfaces (there is neither " + kIndex + "/" + kResource + "/" + package +
                                 " nor " + usual.lexically_relative(prefix).string() + ")");
    }
    looked_in += (looked_in.empty() ? "" : ", ") + prefix.string();
  }
  return tl::make_unexpected("there is no package '" + package + "' in " +
                             (looked_in.empty() ? "any place, since AMENT_PREFIX_PATH is empty" : looked_in) +
                             "; source the setup file of the workspace that has it");
}

using Handles = std::vector<void *>;

/// Opened libraries by package. Never destroyed: type objects are used until the end.
struct Loaded {
  std::mutex mutex;
  std::map<std::string, Handles> packages;
};

Loaded & loaded() {
  static auto * instance = new Loaded;
  return *instance;
}

Found<Handles> open(const std::string & package) {
  Loaded & state = loaded();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto known = state.packages.find(package);
  if (known != state.packages.end()) {
    return known->second;
  }
  const Found<std::vector<fs::path>> files = libraries_of(package);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  Handles handles;
  for (const fs::path & file : *files) {
    void * const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
      const char * const reason = dlerror();
      return tl::make_unexpected("the types of '" + package + "' cannot be loaded from " + file.string() + ": " +
                                 (reason != nullptr ? reason : "unknown reason"));
    }
    handles.push_back(library);
  }
  state.packages.emplace(package, handles);
  return handles;
}

/// The function that gives the type object.
Found<void *> find_function(const std::string & text, const char * what, const char * example) {
  const Found<TypeName> name = parse(text, example);
  if (!name) {
    return tl::make_unexpected(name.error());
  }
  const Found<Handles> handles = open(name->package);
  if (!handles) {
    return tl::make_unexpected("the type " + text + " is unknown: " + handles.error());
  }
  const std::string symbol =
      "tandem_" + std::string(what) + "_type__" + name->package + "__" + name->folder + "__" + name->name;
  for (void * const library : *handles) {
    if (void * const function = dlsym(library, symbol.c_str()); function != nullptr) {
      return function;
    }
  }
  return tl::make_unexpected("the package '" + name->package + "' has no " + what + " " + text +
                             "; 'ros2 interface package " + name->package + "' lists what it has");
}

template <class Type>
Found<const Type *> find(const std::string & text, const char * what, const char * example) {
  const Found<void *> function = find_function(text, what, example);
  if (!function) {
    return tl::make_unexpected(function.error());
  }
  return reinterpret_cast<const Type * (*)()>(*function)();
}

}  // namespace

tl::expected<const MessageType *, std::string> find_message_type(const std::string & name) {
  return find<MessageType>(name, "message", "std_msgs/msg/String");
}

tl::expected<const ServiceType *, std::string> find_service_type(const std::string & name) {
  return find<ServiceType>(name, "service", "std_srvs/srv/SetBool");
}

tl::expected<const ActionType *, std::string> find_action_type(const std::string & name) {
  return find<ActionType>(name, "action", "example_interfaces/action/Fibonacci");
}

tl::expected<std::string, std::string> find_type_library(const std::string & name) {
  Found<void *> function = find_function(name, "message", "std_msgs/msg/String");
  for (const char * const what : {"service", "action"}) {
    if (!function) {
      function = find_function(name, what, "std_msgs/msg/String");
    }
  }
  Dl_info library{};
  if (!function) {
    return tl::make_unexpected(function.error());
  }
  if (dladdr(*function, &library) == 0 || library.dli_fname == nullptr) {
    return tl::make_unexpected("the library of the type " + name + " cannot be told");
  }
  return library.dli_fname;
}

}  // namespace tandem
