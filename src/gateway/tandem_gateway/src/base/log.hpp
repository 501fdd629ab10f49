// What the gateway tells its user: lines on stderr.
#pragma once

#include <cstdio>
#include <set>
#include <string>

namespace tandem::gateway {

/// Not thread-safe, except for the static functions.
class Log {
 public:
  /// Writes a warning, unless it has written the same one before.
  void warn_once(const std::string & line) {
    if (lines_.size() < kMaxLines && lines_.insert(line).second) {
      std::fprintf(stderr, "[WARN] [tandem_gateway]: %s\n", line.c_str());
    }
  }
  static void info(const std::string & line) { std::fprintf(stderr, "[INFO] [tandem_gateway]: %s\n", line.c_str()); }
  static void error(const std::string & line) { std::fprintf(stderr, "[ERROR] [tandem_gateway]: %s\n", line.c_str()); }

 private:
  static constexpr std::size_t kMaxLines = 10000;  ///< warnings name topics of other hosts, so their number is bounded
  std::set<std::string> lines_;
};

}  // namespace tandem::gateway
