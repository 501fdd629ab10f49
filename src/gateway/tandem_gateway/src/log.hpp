// What the gateway tells people: one line on stderr, never twice the same.
#pragma once

#include <cstdio>
#include <set>
#include <string>

namespace tandem::gateway {

/// Not thread-safe.
class Log {
 public:
  void warn_once(const std::string & line) {
    if (lines_.size() < kMost && lines_.insert(line).second) {
      std::fprintf(stderr, "[WARN] [tandem_gateway]: %s\n", line.c_str());
    }
  }
  static void info(const std::string & line) { std::fprintf(stderr, "[INFO] [tandem_gateway]: %s\n", line.c_str()); }

 private:
  static constexpr std::size_t kMost = 10000;  ///< others cannot fill the memory
  std::set<std::string> lines_;
};

}  // namespace tandem::gateway
