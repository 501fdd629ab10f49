// Fields of JSON that came from outside: of the right kind, or a BadRequest that names them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tandem/tools/json.hpp"

namespace tandem::view {

/// What a client sent makes no sense; what() says why.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All \throw BadRequest if the field is not there or of another kind.
std::uint32_t number_field(const tools::Json & object, const char * name);
std::string text_field(const tools::Json & object, const char * name);
/// An array of at most 100000 elements.
const tools::Json & array_field(const tools::Json & object, const char * name);
std::vector<std::string> texts_field(const tools::Json & object, const char * name);
std::vector<std::uint32_t> numbers_field(const tools::Json & object, const char * name);
/// The default where there is none; also of a number out of range.
std::uint32_t number_field(const tools::Json & object, const char * name, std::uint32_t otherwise);
std::string text_field(const tools::Json & object, const char * name, const std::string & otherwise);

}  // namespace tandem::view
