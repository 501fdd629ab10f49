// What makes a program a daemon: leaving the terminal, logging to a file, telling systemd.
#pragma once

#include <cstdint>

namespace tandem::gateway {

/// Goes on as a process of its own; the calling process exits with 0. stderr stays as it is until log_to_file(), so
/// that whoever started the gateway reads why it failed. Call it before any thread is started. \throws transport::Error
void leave_terminal();

/// From now on stderr goes to gateway-<domain>.log in the shared-memory folder, or nowhere if that cannot be opened.
void log_to_file(std::uint32_t domain);

/// Sends a state such as "READY=1" to systemd (Type=notify), if it asked for it.
void notify_systemd(const char * state);

/// Exits with 0 after five seconds, should the process still be there. Cyclone DDS waits for ever at the end when its
/// network interface has gone.
void exit_soon();

}  // namespace tandem::gateway
