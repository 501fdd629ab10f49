// Bags to other bags: merged, divided, compressed, or of another storage.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "tandem/bag/topic_filter.hpp"
#include "tandem/bag/writer.hpp"

namespace tandem::bag {

struct Output {
  WriterOptions writer;
  Selection selection;  ///< empty: everything
};

/// The outputs of a file as `ros2 bag convert` takes it: `output_bags` with a `uri` each. \throws Error
std::vector<Output> read_outputs(const std::filesystem::path & file);

/// Called now and then. \return false to end early; the outputs are complete then as far as they are written.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// Writes the messages of all inputs, in the order of their log times, to each output that takes their topic. \throws Error
void convert(const std::vector<std::filesystem::path> & inputs, const std::vector<Output> & outputs,
             const Progress & progress = {});

}  // namespace tandem::bag
