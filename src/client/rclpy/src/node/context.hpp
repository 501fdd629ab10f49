// Contexts, and the signals that end them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/destroyable.hpp"
#include "rclcpp/context.hpp"

namespace tandem_py {

/// A domain that stands for the one of the environment.
inline constexpr std::size_t kDefaultDomain = static_cast<std::size_t>(-1);

class ContextHandle : public Destroyable {
 public:
  ContextHandle(const py::list & arguments, std::size_t domain);

  const std::shared_ptr<rclcpp::Context> & context() const { return context_; }
  void shutdown();

 private:
  /// Nodes share ownership, so nothing is to be done.
  void destroy() override {}

  const std::shared_ptr<rclcpp::Context> context_ = std::make_shared<rclcpp::Context>();
};

/// Each string as UTF-8. \throws py::error_already_set (UnicodeEncodeError, TypeError).
std::vector<std::string> strings_of(const py::iterable & texts);

void add_context(py::module_ & module);

}  // namespace tandem_py
