#include "tandem/definition.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "tandem/ament_prefixes.hpp"
#include "tandem/introspection.hpp"

namespace tandem {
namespace {

/// "std_msgs/Header" of "std_msgs/msg/Header", as .msg files write it.
std::string short_name(const std::string & name) {
  const std::size_t first = name.find('/');
  const std::size_t last = name.rfind('/');
  return first == last ? name : name.substr(0, first) + name.substr(last);
}

/// Empty if there is none. The files of services and actions are not what their messages are defined by alone.
std::string installed_text(const std::string & name) {
  const std::size_t first = name.find('/');
  if (first == std::string::npos || name.compare(first, 5, "/msg/") != 0) {
    return {};
  }
  for (const auto & prefix : ament_prefixes(reinterpret_cast<const void *>(&definition_of))) {
    std::ifstream file(prefix / "share" / (name + ".msg"));
    if (file) {
      return {std::istreambuf_iterator<char>(file), {}};
    }
  }
  return {};
}

std::string kind_text(const Field & field) {
  if (field.kind == FieldKind::kMessage) {
    return short_name(field.message().name);
  }
  std::string text = kind_name({nullptr, &field, field.kind, FieldShape::kSingle, nullptr});
  if (field.string_bound != kUnbounded) {
    text += "<=" + std::to_string(field.string_bound);
  }
  return text;
}

std::string shape_text(const Field & field) {
  switch (field.shape) {
    case FieldShape::kArray: return "[" + std::to_string(field.count) + "]";
    case FieldShape::kSequence: return field.count == kUnbounded ? "[]" : "[<=" + std::to_string(field.count) + "]";
    case FieldShape::kSingle: break;
  }
  return {};
}

std::string text_of(const MessageType & type) {
  std::string text = installed_text(type.name);
  if (!text.empty()) {
    return text;
  }
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    text += kind_text(field) + shape_text(field) + ' ' + field.name + '\n';
  }
  return text;
}

/// Appends the types within `type` that are not there yet, each before those within it.
void collect(const MessageType & type, std::vector<const MessageType *> & types) {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    if (type.fields[i].kind != FieldKind::kMessage) {
      continue;
    }
    const MessageType & inner = type.fields[i].message();
    if (std::find(types.begin(), types.end(), &inner) == types.end()) {
      types.push_back(&inner);
      collect(inner, types);
    }
  }
}

}  // namespace

std::string definition_of(const MessageType & type) {
  std::vector<const MessageType *> types;
  collect(type, types);
  std::string text = text_of(type);
  for (const MessageType * const inner : types) {
    text += (text.empty() || text.back() == '\n' ? "" : "\n") + std::string(80, '=') +
            "\nMSG: " + short_name(inner->name) + '\n' + text_of(*inner);
  }
  return text;
}

}  // namespace tandem
