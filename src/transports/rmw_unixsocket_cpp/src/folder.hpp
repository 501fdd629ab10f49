// The place where participants find each other: a folder with three files for each.
//
//   <id>.lock    locked (F_OFD_SETLK) for as long as the participant lives; the first to appear
//   <id>.sock    its listening socket
//   <id>.txt     what it has (records.hpp); replaced as a whole by rename
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "records.hpp"

namespace unixsocket {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor && other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor & operator=(Descriptor && other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Calls are to be serialised, except scan() and connect(), which only read.
class Folder {
 public:
  /// \throws tandem::transport::Error when the folder or a file in it cannot be made.
  Folder(std::uint32_t domain, std::uint64_t id);
  ~Folder();
  Folder(const Folder &) = delete;
  Folder & operator=(const Folder &) = delete;

  const std::string & id() const { return id_; }
  int listener() const { return listener_.get(); }
  /// Becomes readable when something in the folder changes.
  int watch() const { return watch_.get(); }
  void drain_watch() const;

  void announce(const Presence & presence);
  /// Everybody else who is alive. Removes what the dead left behind.
  std::vector<Presence> scan() const;
  /// A connected socket, or an empty descriptor when that participant cannot be reached now.
  Descriptor connect(const std::string & id) const;

 private:
  bool is_alive(const std::string & id) const;
  void remove(const std::string & id) const;
  std::optional<std::string> read(const std::string & name) const;
  void listen_at(const std::string & name);

  std::string path_;
  std::string id_;
  Descriptor directory_;
  Descriptor lock_;
  Descriptor listener_;
  Descriptor watch_;
};

}  // namespace unixsocket
