#include "interface/interface_text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 17> kPrimitives = {
    "bool",  "byte",   "char",  "float32", "float64", "int8",    "uint8",    "int16", "uint16",
    "int32", "uint32", "int64", "uint64",  "string",  "wstring", "float128", "octet",
};

/// The place of an interface: "std_msgs", "msg/Header".
struct Place {
  std::string package;
  std::string name;
};

Place place_of(const std::string & name) {
  const std::size_t first = name.find('/');
  const std::size_t last = name.rfind('/');
  if (first == std::string::npos || first == last || std::count(name.begin(), name.end(), '/') != 2) {
    std::string hint;
    if (first != std::string::npos && first == last) {
      hint = "; did you mean '" + name.substr(0, first) + "/msg" + name.substr(first) + "'?";
    }
    throw CommandError("'" + name + "' is no interface: three parts separated by '/' are needed, such as " +
                       "'std_msgs/msg/String'" + hint);
  }
  return {name.substr(0, first), name.substr(first + 1)};
}

/// The file that the interface was defined in: the .msg, .srv or .action, else the .idl.
fs::path definition(const Place & place) {
  const auto known = interfaces(place.package);
  if (std::find(known.begin(), known.end(), place.name) == known.end()) {
    throw unknown("interface of " + place.package, place.name, known);
  }
  const fs::path base = share_folder(place.package) / place.name;
  const std::string kind = fs::path(place.name).parent_path();
  for (const std::string & extension : {"." + kind, std::string(".idl")}) {
    if (const fs::path file = base.string() + extension; fs::exists(file)) {
      return file;
    }
  }
  throw CommandError("the definition of " + place.package + "/" + place.name + " is not installed in " +
                     base.parent_path().string());
}

std::string trimmed(const std::string & text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// The line up to its comment. A '#' within quotes is none.
std::string without_comment(const std::string & line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      i += c == '\\' ? 1 : 0;
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return line.substr(0, i);
    }
  }
  return line;
}

/// The interface that a line's field has as its type; empty for primitives, constants and what is no field.
std::string nested_type(const std::string & line, const std::string & package) {
  const std::string text = trimmed(without_comment(line));
  std::string type = text.substr(0, text.find_first_of(" \t[<"));
  const std::size_t name = text.find_first_of(" \t");
  if (type.empty() || name == std::string::npos || type.starts_with('-') ||
      std::find(kPrimitives.begin(), kPrimitives.end(), type) != kPrimitives.end()) {
    return {};
  }
  const std::size_t slash = type.find('/');
  return slash == std::string::npos ? package + "/msg/" + type : type.substr(0, slash) + "/msg" + type.substr(slash);
}

class Writer {
 public:
  explicit Writer(Comments comments) : comments_(comments) {}

  void write(const std::string & name, std::size_t depth) {
    if (depth > 32) {
      throw CommandError(name + " contains itself");
    }
    const Place place = place_of(name);
    const fs::path file = definition(place);
    const bool is_idl = file.extension() == ".idl";
    const bool with_comments = comments_ == Comments::kAll || (comments_ == Comments::kOuter && depth == 0);
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      line.erase(line.find_last_not_of(" \t\r") + 1);
      if (!with_comments && !is_idl) {
        line = trimmed(without_comment(line));
      }
      if (with_comments || !line.empty()) {
        text_ += line.empty() ? "\n" : std::string(depth, '\t') + line + '\n';
      }
      if (const std::string nested = is_idl ? "" : nested_type(line, place.package); !nested.empty()) {
        write(nested, depth + 1);
      }
    }
  }

  std::string take() { return std::move(text_); }

 private:
  const Comments comments_;
  std::string text_;
};

}  // namespace

std::string interface_text(const std::string & name, Comments comments) {
  Writer writer(comments);
  writer.write(name, 0);
  return writer.take();
}

}  // namespace ros2cli
