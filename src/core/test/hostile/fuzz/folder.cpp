#include "folder/folder.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "input.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

constexpr std::uint32_t kDomain = 9;

/// A name in the folder: one of ours, nearly one of ours, or any.
std::string name(Input & input) {
  char text[32];
  switch (input.byte() % 5) {
    case 0: return "roster";
    case 1: std::snprintf(text, sizeof text, "%016llx.region", 1ULL + input.byte() % 4); return text;
    case 2: std::snprintf(text, sizeof text, "%016llx.bell", 1ULL + input.byte() % 4); return text;
    case 3: {
      std::string start = input.text(16);
      start.resize(16, '0');
      for (char & c : start) {
        c = c == '/' ? '-' : c;
      }
      return start + ".region";
    }
    default: {
      std::string any = input.text(40);
      for (char & c : any) {
        c = c == '/' ? '-' : c;
      }
      return any.empty() || any == "." || any == ".." ? "any" : any;
    }
  }
}

void make_socket(const std::string & path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() < sizeof address.sun_path) {
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const File file(socket(AF_UNIX, SOCK_STREAM, 0));
    static_cast<void>(bind(file.get(), reinterpret_cast<sockaddr *>(&address), sizeof address));
  }
}

/// Puts something under a name.
void put(Input & input, const std::string & path, const std::string & outside, std::vector<File> & locked) {
  const std::uint8_t kind = input.byte() % 9;
  int made = 0;
  if (kind <= 2) {
    File file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    made = file ? ftruncate(file.get(), input.word()) : -1;
    if (file && kind == 2 && lock(file)) {
      locked.push_back(std::move(file));
    }
  } else if (kind == 3) {
    made = mkdir(path.c_str(), 0700);
  } else if (kind == 4) {
    made = mkfifo(path.c_str(), 0600);
  } else if (kind == 5) {
    make_socket(path);
  } else if (kind == 6) {
    made = symlink(outside.c_str(), path.c_str());
  } else if (kind == 7) {
    made = symlink(path.c_str(), path.c_str());
  } else {
    const std::string target =
        "/proc/" + std::to_string(getpid()) + "/fd/" + (input.byte() % 2 != 0 ? "0" : input.text(60));
    made = symlink(target.c_str(), path.c_str());
  }
  static_cast<void>(made);  // something may be there already
}

void look(Input & input, const Folder & folder) {
  for (const std::uint64_t incarnation : folder.list()) {
    struct stat status {};
    require(lstat(folder.region_path(incarnation).c_str(), &status) == 0, "what is listed is there");
    std::string reason;
    const File file = folder.open_file(folder.region_path(incarnation), false, reason);
    // A socket whose owner has ended needs none: it is removed.
    require(static_cast<bool>(file) == reason.empty() || S_ISSOCK(status.st_mode), "a refusal has a reason");
    require(!file || (fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)), "what is opened is a file");
    if (input.byte() % 2 != 0 && folder.is_abandoned(folder.region_path(incarnation))) {
      folder.remove(incarnation);
    }
  }
}

}  // namespace

int folder(const std::uint8_t * data, std::size_t size) {
  static const RootFolder root = *RootFolder::open();
  static const std::string outside = root.path + "/outside";
  static const File kept(::open(outside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  Input input(data, size);
  const Log log;
  const auto folder = Folder::open(root, kDomain);
  require(folder.has_value(), "a folder is made");
  std::vector<File> locked;
  while (!input.empty()) {
    switch (input.byte() % 8) {
      case 0:
      case 1:
      case 2: {
        const std::string path = folder->path() + "/" + name(input);
        put(input, path, outside, locked);
        break;
      }
      case 3: look(input, *folder); break;
      case 4: require(static_cast<bool>(folder->open_roster()), "there is a roster whatever had its name"); break;
      case 5: folder->give_name(kept, File(), folder->region_path(1 + input.byte() % 4)); break;
      case 6: folder->remove(1 + input.byte() % 4); break;
      default:
        folder->remove_if_empty();
        folder->restore();
        break;
    }
  }
  struct stat status {};
  require(stat(outside.c_str(), &status) == 0 && status.st_size == 0, "nothing outside is touched");
  std::error_code ignored;
  std::filesystem::remove_all(folder->path(), ignored);
  return 0;
}

}  // namespace tandem::fuzz
