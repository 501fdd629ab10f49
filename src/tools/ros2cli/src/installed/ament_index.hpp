// What is installed: packages, their executables and their interfaces, found through AMENT_PREFIX_PATH.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ros2cli {

/// Installation prefixes, the one that wins first.
/// \throws CommandError when no workspace was sourced.
std::vector<std::filesystem::path> prefixes();

/// Names registered as resources of a type ("packages", "rosidl_interfaces"), each with the prefix that wins.
std::map<std::string, std::filesystem::path> resources(const std::string & type);

/// Where the content of a resource stands.
std::filesystem::path resource_file(const std::filesystem::path & prefix, const std::string & type,
                                    const std::string & name);

/// The names of a map.
template <class Map>
std::vector<std::string> names_of(const Map & map) {
  std::vector<std::string> names;
  for (const auto & entry : map) {
    names.push_back(entry.first);
  }
  return names;
}

/// Names of all installed packages, sorted, whatever stands before them on the command line.
std::vector<std::string> package_names(const std::vector<std::string> & before = {});

/// Prefix of one package. \throws CommandError, with what exists, for an unknown name.
std::filesystem::path package_prefix(const std::string & package);

/// <prefix>/share/<package>; throws as package_prefix().
std::filesystem::path share_folder(const std::string & package);

/// Executables of a package (files with the x bit below lib/<package>) and their paths.
std::map<std::string, std::filesystem::path> executables(const std::string & package);

/// Path of one executable. \throws CommandError, with what exists, for an unknown name.
std::filesystem::path executable_path(const std::string & package, const std::string & executable);

/// File names of the launch files below share/<package>, sorted; throws as package_prefix().
std::vector<std::string> launch_files(const std::string & package);

/// Interfaces of a package without what is generated from them: "msg/Header", "srv/SetBool", "action/Fibonacci", sorted.
/// \throws CommandError, with what exists, for a package that is unknown or has none.
std::vector<std::string> interfaces(const std::string & package);

/// Every interface of every package as "std_msgs/msg/Header", sorted; of one kind ("msg") only if one is given.
std::vector<std::string> all_interfaces(const std::string & kind = "");

}  // namespace ros2cli
