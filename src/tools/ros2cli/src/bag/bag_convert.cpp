// `ros2 bag convert` and `reindex`: bags made of bags.
#include <fmt/format.h>
#include <unistd.h>

#include "command/verbs.hpp"
#include "tandem/bag/convert.hpp"
#include "tandem/bag/reader.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"

namespace ros2cli {
namespace {

namespace bag = tandem::bag;

struct ConvertOptions {
  std::vector<std::vector<std::string>> inputs;
  std::string outputs;
};

void declare(Commands &, CLI::App & app, ConvertOptions & options) {
  app.add_option("-i,--input", options.inputs, "A bag; a storage behind it is accepted. May be given several times")
      ->required()
      ->expected(1, 2)
      ->type_name("BAG [STORAGE]");
  app.add_option("-o,--output-options", options.outputs, "YAML file with 'output_bags': a 'uri' and options for each")
      ->required();
}

/// On a terminal, how far it is.
bool show_progress(std::uint64_t done, std::uint64_t all) {
  if (isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r{} of {} messages ", done, all);
  }
  return !is_interrupted();
}

int convert(ConvertOptions & options) {
  std::vector<std::filesystem::path> inputs;
  for (const auto & input : options.inputs) {
    inputs.emplace_back(input.front());
  }
  watch_for_interrupt();
  bag::convert(inputs, bag::read_outputs(options.outputs), show_progress);
  if (isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r\x1b[K");
  }
  return is_interrupted() ? 130 : 0;
}

}  // namespace

void add_bag_convert(Commands & commands, CLI::App & parent) {
  commands.verb<ConvertOptions>(parent, "convert", "Make other bags of bags", declare, convert);
}

}  // namespace ros2cli
