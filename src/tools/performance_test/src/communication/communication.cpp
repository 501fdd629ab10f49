// See communication.hpp.
#include "communication/communication.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "options/plugins.hpp"
#include "tandem/plugin.hpp"

namespace performance_test {

std::unique_ptr<Communication> make_communication(const Options & options, int argc, char ** argv) {
  const Plugin * const plugin = find_plugin(kPlugins, options.communication);
  if (plugin == nullptr) throw std::runtime_error("unknown communication plug-in " + options.communication);
  if (plugin->transport.empty()) return make_rclcpp_communication(options, argc, argv);
  return make_direct_communication(options, std::string(plugin->transport));
}

std::string plugin_listing() {
  const auto built = tandem::transport::available();
  std::string text;
  for (const Plugin & plugin : kPlugins) {
    const bool is_built =
        plugin.transport.empty() || std::find(built.begin(), built.end(), plugin.transport) != built.end();
    const std::string over = plugin.transport.empty() ? "rclcpp over RMW_IMPLEMENTATION"
                                                      : fmt::format("{} without rclcpp", plugin.transport);
    text += fmt::format("{:<34} {}{}\n", plugin.name, over, is_built ? "" : " (not built)");
  }
  return text;
}

}  // namespace performance_test
