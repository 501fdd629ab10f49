// Who may talk to this server: the token in the address, and from which pages a browser may connect.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::view {

/// 128 random bits in hexadecimal digits. \throws std::runtime_error if the kernel gives none.
std::string make_token();

/// In a time that does not depend on where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

/// What a browser or a client asks with.
struct Question {
  std::string target;                 ///< as in the request: "/TOKEN/app.js", "/?token=TOKEN"
  std::string host;                   ///< the header, may be empty
  std::optional<std::string> origin;  ///< the header; programs that are no browsers send none
};

struct Access {
  std::string token;                 ///< empty: none is asked for
  bool is_loopback = true;           ///< only this machine reaches the server
  std::vector<std::string> origins;  ///< of other pages that may connect, such as "https://app.foxglove.dev"

  /// The path behind the token, "/", "/app.js" or "" of "/TOKEN"; nothing if the token is not there or wrong.
  std::optional<std::string> path_of(const Question & question) const;
  /// Whether the address that the client used names this machine, and not a name that somebody else points at it.
  bool is_host_right(const Question & question) const;
  /// Whether a WebSocket may be opened from there: by programs, by this server's own page, by `origins`; with a token by
  /// applications whose pages come from no web server, too.
  bool is_origin_right(const Question & question) const;
};

}  // namespace tandem::view
