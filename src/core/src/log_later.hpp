// Lines that come up while locks are held. A sink may itself use the library, so it is called once they are free.
#pragma once

#include "tandem/log.hpp"

namespace tandem {

/// Keeps a line for the next flush_log(). Thread-safe.
void log_later(LogLevel level, std::string message);

/// Hands the lines that were kept to the sink. Call it with no lock held.
void flush_log();

/// Around fork(2): the child must find the locks of the log free.
void lock_log();
void unlock_log();

}  // namespace tandem
