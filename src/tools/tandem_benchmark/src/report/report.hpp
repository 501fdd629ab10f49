// The results for people: tables for the terminal and for docs/results/benchmark.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// \param result as run_benchmarks answers it; throws nlohmann::json::exception when it is something else.
std::string render_terminal(const nlohmann::json & result);
std::string render_markdown(const nlohmann::json & result);

/// Replaces what stands between the lines "<!-- tables: begin -->" and "<!-- tables: end -->" of `file`; a file that does
/// not exist, or has no such lines, becomes or gets one such section at its end. Throws std::runtime_error.
void write_markdown(const std::string & file, const std::string & tables);

/// Writes `text` as the whole file, making its folder first. Throws std::runtime_error.
void write_file(const std::string & file, const std::string & text);

/// Throws std::runtime_error.
std::string read_file(const std::string & file);

}  // namespace bench
