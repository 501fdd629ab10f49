// `ros2 pkg`: what is installed.
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fstream>
#include <iterator>

#include "command/verbs.hpp"
#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct PackageOptions {
  std::string package;
  std::string tag;
  bool share = false;
  bool full_path = false;
};

CLI::Option * add_package(Commands & commands, CLI::App & app, PackageOptions & options) {
  CLI::Option * option = app.add_option("package_name", options.package, "Name of an installed package");
  commands.complete(option, package_names);
  return option;
}

void declare_list(Commands &, CLI::App &, PackageOptions &) {}

int list(PackageOptions &) {
  std::string lines;
  for (const std::string & name : package_names()) {
    lines += name + '\n';
  }
  print(lines);
  return 0;
}

void declare_prefix(Commands & commands, CLI::App & app, PackageOptions & options) {
  add_package(commands, app, options)->required();
  app.add_flag("--share", options.share, "Print the package's share folder");
}

int prefix(PackageOptions & options) {
  const auto folder = options.share ? share_folder(options.package) : package_prefix(options.package);
  print(folder.string() + '\n');
  return 0;
}

void declare_executables(Commands & commands, CLI::App & app, PackageOptions & options) {
  add_package(commands, app, options);
  app.add_flag("--full-path", options.full_path, "Print the path of each executable");
}

int list_executables(PackageOptions & options) {
  std::string lines;
  const bool all = options.package.empty();
  for (const std::string & package : all ? package_names() : std::vector<std::string>{options.package}) {
    for (const auto & [name, path] : executables(package)) {
      lines += options.full_path ? path.string() + '\n' : package + ' ' + name + '\n';
    }
  }
  print(lines);
  return 0;
}

void declare_xml(Commands & commands, CLI::App & app, PackageOptions & options) {
  add_package(commands, app, options)->required();
  app.add_option("-t,--tag", options.tag, "Print what this element of the manifest says, such as 'version'");
}

int xml(PackageOptions & options) {
  const std::string file = share_folder(options.package) / "package.xml";
  std::ifstream manifest(file);
  if (!manifest) {
    throw CommandError("package '" + options.package + "' has no manifest: " + file + " cannot be read");
  }
  if (options.tag.empty()) {
    print(std::string(std::istreambuf_iterator<char>(manifest), {}));
    return 0;
  }
  namespace pt = boost::property_tree;
  pt::ptree tree;
  try {
    pt::read_xml(manifest, tree, pt::xml_parser::trim_whitespace);
  } catch (const pt::xml_parser_error & error) {
    throw CommandError(file + ", line " + std::to_string(error.line()) + ": " + error.message());
  }
  std::string lines;
  std::vector<std::string> tags;
  const pt::ptree & root = tree.begin() != tree.end() ? tree.rbegin()->second : tree;  // behind comments
  for (const auto & [tag, element] : root) {
    if (tag == options.tag) {
      lines += element.data() + '\n';
    } else if (!tag.starts_with('<') && (tags.empty() || tags.back() != tag)) {
      tags.push_back(tag);
    }
  }
  if (lines.empty()) {
    throw unknown("element in " + file + ":", options.tag, tags);
  }
  print(lines);
  return 0;
}

}  // namespace

void add_pkg(Commands & commands) {
  CLI::App & pkg = commands.group("pkg", "Show what packages are installed");
  commands.verb<PackageOptions>(pkg, "list", "List the packages", declare_list, list);
  commands.verb<PackageOptions>(pkg, "prefix", "Print where a package is installed", declare_prefix, prefix);
  commands.verb<PackageOptions>(pkg, "executables", "List the executables of a package, or of all", declare_executables,
                                list_executables);
  commands.verb<PackageOptions>(pkg, "xml", "Print a package's manifest, or one element of it", declare_xml, xml);
}

}  // namespace ros2cli
