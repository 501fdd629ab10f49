#include "foxglove/encoding.hpp"

#include <algorithm>
#include <string_view>

#include "connection/sender.hpp"
#include "tandem/cdr.hpp"
#include "tandem/tools/json.hpp"
#include "tandem/type_library.hpp"
#include "tandem/yaml.hpp"

namespace tandem::view {

bool is_encoding(const std::string & name) { return name == "cdr" || name == "json"; }

tl::expected<OwnedMessage, std::string> decode(const MessageType & type, const std::string & encoding,
                                               std::string_view bytes) {
  OwnedMessage message = make_message(type);
  if (encoding == "json") {
    if (!Json::accept(bytes)) {
      return tl::unexpected<std::string>("it is no JSON");
    }
    // JSON is YAML.
    if (auto read = from_yaml(type, bytes, message.get()); !read) {
      return tl::unexpected(read.error());
    }
  } else if (auto read = deserialize(type, bytes.data(), bytes.size(), message.get()); !read) {
    return tl::unexpected(read.error());
  }
  return message;
}

Bytes encode(const MessageType & type, const std::string & encoding, const void * message) {
  if (encoding == "cdr") {
    return serialize(type, message);
  }
  const std::string text = to_text(tools::to_json(value_of(type, message)));
  return {text.begin(), text.end()};
}

tl::expected<const MessageType *, std::string> type_of_schema(const std::string & schema_name) {
  const std::size_t slash = schema_name.find('/');
  const bool is_short = slash != std::string::npos && schema_name.rfind('/') == slash;
  return find_message_type(is_short ? schema_name.substr(0, slash) + "/msg" + schema_name.substr(slash) : schema_name);
}

}  // namespace tandem::view
