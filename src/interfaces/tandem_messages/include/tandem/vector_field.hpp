// tandem::VectorField: the type of a message's sequence field.
#pragma once

#include <type_traits>
#include <utility>

#include "tandem/vector.hpp"

namespace tandem {

/// A tandem::Vector, and all that holds for one, except that a std::vector becomes one by assignment only. So
///
///     const auto & velocities = has_velocity ? state.velocities : std::vector<double>(count, 0.0);
///
/// has one meaning, std::vector, where two types that convert into each other would have none.
template <class Vector>
class VectorField : public Vector {
 public:
  VectorField() noexcept = default;
  /// A template, so that braces with something that becomes a Vector are no VectorField.
  template <class Same, std::enable_if_t<std::is_same_v<Same, Vector>, int> = 0>
  explicit VectorField(Same vector) noexcept : Vector(std::move(vector)) {}

  using Vector::operator=;
};

}  // namespace tandem
