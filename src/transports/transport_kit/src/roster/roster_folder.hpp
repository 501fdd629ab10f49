// The files behind a roster. Two for each participant, and more if its transport wants them:
//
//   <id>.lock    locked (F_OFD_SETLK) for as long as the participant lives; the first to appear
//   <id>.txt     what it has (roster_text.hpp); replaced as a whole by rename
//   <id>.*       sockets and the like
//
// Its end is noticed without polling: the lock's file is the only one that is open for writing all the time, so its
// closing (IN_CLOSE_WRITE) is the participant's end, whether it was orderly or not.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "tandem/kit/descriptor.hpp"

namespace tandem::transport {

/// Hex digits of a participant's id.
inline constexpr std::size_t kIdSize = 24;

/// Calls are to be serialised, except those that only read.
class RosterFolder {
 public:
  /// \throws Error when the folder or a file in it cannot be made.
  RosterFolder(const std::string & transport, std::uint32_t domain, const std::string & id);
  ~RosterFolder();
  RosterFolder(const RosterFolder &) = delete;
  RosterFolder & operator=(const RosterFolder &) = delete;

  const std::string & id() const { return id_; }
  std::string path_of(const std::string & name) const;
  /// Becomes readable when something in the folder changes. -1: the kernel had none left, the folder is to be looked at.
  int watch() const { return watch_.get(); }
  /// Participants that something has happened to since the last call. Nothing: look at all of them.
  std::optional<std::set<std::string>> drain_watch() const;

  /// \throws Error when the file cannot be written.
  void announce(const std::string & text);
  /// All others that have files.
  std::set<std::string> list() const;
  bool is_alive(const std::string & id) const;
  /// What it has announced.
  std::optional<std::string> read(const std::string & id) const;
  void remove(const std::string & id) const;

 private:
  void open_folder(const std::string & transport, std::uint32_t domain);
  [[noreturn]] void fail(const std::string & what) const;

  const std::string transport_;
  const std::string id_;
  std::string path_;
  Descriptor directory_;
  Descriptor watch_;
  Descriptor lock_;
};

}  // namespace tandem::transport
