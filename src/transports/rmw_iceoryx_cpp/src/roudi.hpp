// RouDi, the daemon of iceoryx: is it there, and starting it when it is absent and asked for.
#pragma once

#include <cstdint>
#include <string>

namespace iceoryx {

inline constexpr const char * kName = "rmw_iceoryx_cpp";

/// Which RouDi listens; 0: none. iceoryx allows one on a machine.
std::uint64_t roudi_identity();

/// A way to RouDi on which nobody waits. What it does not take at once is lost; iceoryx' own would wait without end.
class RoudiLine {
 public:
  RoudiLine();
  ~RoudiLine();
  RoudiLine(const RoudiLine &) = delete;
  RoudiLine & operator=(const RoudiLine &) = delete;
  /// \return false: RouDi takes nothing now, or has gone.
  bool send(const std::string & message) const;
  bool is_open() const { return is_open_; }

 private:
  const int socket_;
  bool is_open_;
};

/// While it lives, a RouDi that this package started does not end. Held from the look at RouDi until we are registered.
class RoudiStart {
 public:
  /// Makes sure that RouDi is there; starts it when TANDEM_ICEORYX_ROUDI=start.
  /// \throws Error that says what to do when it is not there.
  RoudiStart();
  ~RoudiStart();
  RoudiStart(const RoudiStart &) = delete;
  RoudiStart & operator=(const RoudiStart &) = delete;

 private:
  int lock_ = -1;
};

}  // namespace iceoryx
