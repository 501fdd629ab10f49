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
/// Calls `use` with each element. One that is refused keeps none of the others from it; the first refusal is thrown afterwards.
template <class Elements, class Use>
void for_each(const Elements & elements, Use use) {
  std::string refusal;
  for (const auto & each : elements) {
    try {
      use(each);
    } catch (const std::runtime_error & error) {  // BadRequest, or of the transport or a type
      refusal = refusal.empty() ? error.what() : refusal;
    }
  }
  if (!refusal.empty()) {
    throw BadRequest(refusal);
  }
}
/// The default where there is none; also of a number out of range.
std::uint32_t number_field(const tools::Json & object, const char * name, std::uint32_t otherwise);
std::string text_field(const tools::Json & object, const char * name, const std::string & otherwise);

}  // namespace tandem::view
