// tandem::StringField: the type of a message's string field.
#pragma once

#include <functional>
#include <utility>

#include "tandem/string.hpp"

namespace tandem {

/// A tandem::String, and all that holds for one, except that a std::string becomes one by assignment only. So
///
///     const std::string frame = msg.header.frame_id.empty() ? default_frame_ : msg.header.frame_id;
///
/// has one meaning, std::string, where two types that convert into each other would have none.
template <class String>
class StringField : public String {
 public:
  StringField() noexcept = default;
  StringField(const typename String::value_type * text) : String(text) {}
  explicit StringField(String text) noexcept : String(std::move(text)) {}

  using String::operator=;
};

}  // namespace tandem

template <class String>
struct std::hash<tandem::StringField<String>> : std::hash<String> {};
