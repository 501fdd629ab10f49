#include "connection/fields.hpp"

#include <fmt/format.h>

#include <limits>

namespace tandem::view {
namespace {

using tools::Json;

constexpr std::size_t kMostElements = 100000;

const Json & field(const Json & object, const char * name, const char * kind, bool (Json::*is_kind)() const noexcept) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !(*found.*is_kind)()) {
    throw BadRequest(fmt::format("the field '{}' is missing or no {}", name, kind));
  }
  return *found;
}

bool is_number(const Json & value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

std::uint32_t number_field(const Json & object, const char * name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !is_number(*found)) {
    throw BadRequest(fmt::format("the field '{}' is missing or no number from 0 to 4294967295", name));
  }
  return found->get<std::uint32_t>();
}

std::string text_field(const Json & object, const char * name) {
  return field(object, name, "text", &Json::is_string).get<std::string>();
}

const Json & array_field(const Json & object, const char * name) {
  const Json & array = field(object, name, "array", &Json::is_array);
  if (array.size() > kMostElements) {
    throw BadRequest(fmt::format("the field '{}' has more than {} elements", name, kMostElements));
  }
  return array;
}

std::vector<std::string> texts_field(const Json & object, const char * name) {
  std::vector<std::string> texts;
  for (const Json & each : array_field(object, name)) {
    if (!each.is_string()) {
      throw BadRequest(fmt::format("the field '{}' has an element that is no text", name));
    }
    texts.push_back(each.get<std::string>());
  }
  return texts;
}

std::vector<std::uint32_t> numbers_field(const Json & object, const char * name) {
  std::vector<std::uint32_t> numbers;
  for (const Json & each : array_field(object, name)) {
    if (!is_number(each)) {
      throw BadRequest(fmt::format("the field '{}' has an element that is no number from 0 to 4294967295", name));
    }
    numbers.push_back(each.get<std::uint32_t>());
  }
  return numbers;
}

std::uint32_t number_field(const Json & object, const char * name, std::uint32_t otherwise) {
  const auto found = object.find(name);
  return found != object.end() && is_number(*found) ? found->get<std::uint32_t>() : otherwise;
}

std::string text_field(const Json & object, const char * name, const std::string & otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

}  // namespace tandem::view
