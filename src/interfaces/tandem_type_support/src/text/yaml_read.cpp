// Sets fields from YAML text.
#include <yaml-cpp/yaml.h>

#include "fields/elements.hpp"
#include "tandem/yaml.hpp"
#include "text/parse_number.hpp"
#include "text/unicode.hpp"

namespace tandem {
namespace {

using namespace detail;

/// Why a text cannot be what it should be. Thrown within this file only.
struct Refusal {
  std::string text;
};

[[noreturn]] void refuse(const Path & path, const std::string & reason) {
  const std::string name = path.text();
  throw Refusal{(name.empty() ? "" : "field '" + name + "': ") + reason};
}

std::string kind_of(const YAML::Node & node) {
  switch (node.Type()) {
    case YAML::NodeType::Map: return "a map";
    case YAML::NodeType::Sequence: return "a list";
    case YAML::NodeType::Scalar: return "'" + node.Scalar() + "'";
    default: return "nothing";
  }
}

bool is_quoted(const YAML::Node & node) { return node.Tag() == "!"; }

class YamlReader {
 public:
  explicit YamlReader(std::optional<std::int64_t> now) : now_(now) {}

  void message(const MessageType & type, const YAML::Node & node, void * memory, const Path & path) {
    if (node.IsNull()) {
      return;
    }
    if (node.IsScalar() && is_time_word(type, node.Scalar())) {
      set_time(type, node.Scalar(), memory, path);
      return;
    }
    if (!node.IsMap()) {
      refuse(path, kind_of(node) + " is no " + type.name + ", which is a map such as {" + example(type) + "}");
    }
    for (const auto & entry : node) {
      if (!entry.first.IsScalar()) {
        refuse(path, kind_of(entry.first) + " is no name of a field");
      }
      const Field & field = find_field(type, entry.first.Scalar(), path);
      read(field, entry.second, field_of(memory, field), Path{&path, field.name});
    }
  }

 private:
  static std::string example(const MessageType & type) {
    return type.field_count == 0 ? "" : std::string(type.fields[0].name) + ": ...";
  }

  static const Field & find_field(const MessageType & type, const std::string & name, const Path & path) {
    std::string names;
    for (std::size_t i = 0; i < type.field_count; ++i) {
      if (name == type.fields[i].name) {
        return type.fields[i];
      }
      names += (i == 0 ? "" : ", ") + std::string(type.fields[i].name);
    }
    refuse(path, std::string(type.name) + " has no field '" + name +
                     "'; its fields are: " + (names.empty() ? "none" : names));
  }

  static bool is_time_word(const MessageType & type, const std::string & word) {
    const std::string_view name = type.name;
    return (word == "now" && name == "builtin_interfaces/msg/Time") ||
           (word == "auto" && name == "std_msgs/msg/Header");
  }

  void set_time(const MessageType & type, const std::string & word, void * memory, const Path & path) const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    if (!now_) {
      refuse(path, "'" + word + "' has no meaning here");
    }
    const bool is_header = word == "auto";
    const Field & stamp = is_header ? find_field(type, "stamp", path) : type.fields[0];
    const MessageType & time = is_header ? stamp.message() : type;
    char * const place = static_cast<char *>(memory) + (is_header ? stamp.offset : 0);
    const auto seconds = static_cast<std::int32_t>(*now_ / kSecond);
    const auto nanoseconds = static_cast<std::uint32_t>(*now_ % kSecond);
    std::memcpy(place + find_field(time, "sec", path).offset, &seconds, sizeof seconds);
    std::memcpy(place + find_field(time, "nanosec", path).offset, &nanoseconds, sizeof nanoseconds);
  }

  void read(const Field & field, const YAML::Node & node, void * memory, const Path & path) {
    if (node.IsNull()) {
      return;
    }
    if (field.shape == FieldShape::kSingle) {
      single(field, node, memory, path);
      return;
    }
    if (!node.IsSequence()) {
      refuse(path, kind_of(node) + " is no list");
    }
    if (field.shape == FieldShape::kArray && node.size() != field.count) {
      refuse(path,
             "a list of " + std::to_string(node.size()) + ", but it has " + std::to_string(field.count) + " elements");
    }
    if (field.shape == FieldShape::kSequence) {
      if (node.size() > field.count) {
        refuse(path, "a list of " + std::to_string(node.size()) + ", at most " + std::to_string(field.count) +
                         " elements are allowed");
      }
      field.resize(memory, 0);
      field.resize(memory, node.size());
    }
    const Elements elements = elements_of(field, memory);
    std::size_t index = 0;
    for (const YAML::Node & item : node) {
      char * const place = const_cast<char *>(elements.first) + index * elements.size;
      single(field, item, place, Path{&path, nullptr, index});
      ++index;
    }
  }

  void single(const Field & field, const YAML::Node & node, void * memory, const Path & path) {
    if (field.kind == FieldKind::kMessage) {
      message(field.message(), node, memory, path);
      return;
    }
    if (node.IsNull()) {
      return;
    }
    if (!node.IsScalar()) {
      refuse(path, kind_of(node) + " is no " + kind_name({nullptr, &field, field.kind, FieldShape::kSingle, nullptr}));
    }
    const std::string & text = node.Scalar();
    switch (field.kind) {
      case FieldKind::kString:
        check_length(text.size(), field.string_bound, path);
        string_at(memory).reserve(text.size());  // exactly: growing by itself, it would not know the bound
        string_at(memory) = text;
        break;
      case FieldKind::kWstring: {
        const std::u16string wide = to_utf16(text);
        check_length(wide.size(), field.string_bound, path);
        wstring_at(memory).reserve(wide.size());
        wstring_at(memory) = wide;
        break;
      }
      default: number(field.kind, node, memory, path); break;
    }
  }

  static void check_length(std::size_t length, std::size_t bound, const Path & path) {
    if (length > bound) {
      refuse(path, "a string of " + std::to_string(length) + ", at most " + std::to_string(bound) +
                       " characters are allowed");
    }
  }

  static void number(FieldKind kind, const YAML::Node & node, void * memory, const Path & path) {
    const bool is_character = kind == FieldKind::kOctet || kind == FieldKind::kChar || kind == FieldKind::kWchar;
    if (is_character && character(kind, node, memory)) {
      return;
    }
    const std::string reason = is_quoted(node) ? "is text in quotes" : with_number(kind, memory, [&](auto old) {
      decltype(old) value;
      const std::string error = parse_number(node.Scalar(), value);
      if (error.empty()) {
        std::memcpy(memory, &value, sizeof value);
      }
      return error;
    });
    if (!reason.empty()) {
      refuse(path, "'" + node.Scalar() + "' " + reason + "; " +
                       kind_name({nullptr, nullptr, kind, FieldShape::kSingle, nullptr}) + " is needed");
    }
  }

  /// One character in quotes, or one that is no digit.
  static bool character(FieldKind kind, const YAML::Node & node, void * memory) {
    const std::u16string wide = to_utf16(node.Scalar());
    const bool is_digit = wide.size() == 1 && wide[0] >= u'0' && wide[0] <= u'9';
    if (wide.size() != 1 || (is_digit && !is_quoted(node)) || (kind != FieldKind::kWchar && wide[0] > 0xFF)) {
      return false;
    }
    if (kind == FieldKind::kWchar) {
      std::memcpy(memory, wide.data(), sizeof wide[0]);
    } else {
      *static_cast<unsigned char *>(memory) = static_cast<unsigned char>(wide[0]);
    }
    return true;
  }

  const std::optional<std::int64_t> now_;
};

}  // namespace

tl::expected<void, std::string> from_yaml(const MessageType & type, std::string_view text, void * message,
                                          std::optional<std::int64_t> now) {
  try {
    YamlReader(now).message(type, YAML::Load(std::string(text)), message, Path{nullptr, nullptr});
    return {};
  } catch (const Refusal & refusal) {
    return tl::make_unexpected(refusal.text);
  } catch (const YAML::Exception & error) {
    return tl::make_unexpected("this is no YAML: line " + std::to_string(error.mark.line + 1) + ", column " +
                               std::to_string(error.mark.column + 1) + ": " + error.msg);
  }
}

}  // namespace tandem
