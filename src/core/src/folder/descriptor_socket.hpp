// How a file is found again that has lost its names. The kernel does not link such a file into a folder a second time, so
// its owner puts a socket where the name was and sends a descriptor of the file to whoever connects (SCM_RIGHTS). That
// reaches whom the name reached: other users of a shared group, other containers.
#pragma once

#include <string>

#include "system/file.hpp"

namespace tandem {

struct RootFolder;

namespace descriptor_socket {

/// Sends the descriptor `fd`, which must stay open, to everybody who connects to `path`, from a thread of its own, until
/// the name is removed. False on failure, with errno set.
bool serve(const std::string & path, int fd, const RootFolder & root);

/// The descriptor that is sent at `path`. Waits a moment for the answer, no longer. Empty on failure, with `reason`, which
/// is empty too when the process that serves the socket has ended.
File receive(const std::string & path, std::string & reason);

/// Whether the process that served the socket at `path` has ended.
bool is_abandoned(const std::string & path);

/// Around fork(2). The child must not keep the sockets of its parent open.
void lock();
void unlock();
void close_all();

}  // namespace descriptor_socket
}  // namespace tandem
