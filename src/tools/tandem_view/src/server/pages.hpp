// The files of the page, as scripts/build-web.sh has made them.
#pragma once

#include <map>
#include <string>

namespace tandem::view {

struct Page {
  std::string type;  ///< "text/html; charset=utf-8"
  std::string text;
};

/// By path: "/", "/app.js". Read once, so that no path of a request ever reaches the file system.
class Pages {
 public:
  /// \throws tandem::tools::Error if they are not in `folder`.
  explicit Pages(const std::string & folder);
  /// Null if there is none of that path.
  const Page * find(const std::string & path) const;

 private:
  std::map<std::string, Page> pages_;
};

/// share/tandem_view/web of the prefix that this program lies in.
std::string installed_pages();

}  // namespace tandem::view
