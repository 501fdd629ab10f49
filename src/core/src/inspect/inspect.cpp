// The directory, its domains, and what in them is dead.
#include "tandem/inspect.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "folder/folder.hpp"
#include "inspect/inspect_connections.hpp"
#include "inspect/inspect_region.hpp"
#include "layout/layout.hpp"

namespace tandem::inspection {
namespace {

std::vector<std::string> names(const std::string & path) {
  std::vector<std::string> found;
  std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(path.c_str()), closedir);
  while (const dirent * entry = directory ? readdir(directory.get()) : nullptr) {
    if (entry->d_name[0] != '.') {
      found.emplace_back(entry->d_name);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The domains that have a folder, in order.
std::vector<std::uint32_t> domains(const RootFolder & root, const Options & options) {
  std::vector<std::uint32_t> found;
  for (const std::string & name : names(root.path)) {
    char * end = nullptr;
    const unsigned long number = std::strtoul(name.c_str(), &end, 10);
    if (*end == '\0' && number <= kMaxDomain && std::to_string(number) == name &&
        (!options.domain || *options.domain == number)) {
      found.push_back(static_cast<std::uint32_t>(number));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::uint64_t memory_of(const std::string & path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

std::vector<File> stray_bells(const Folder & folder) {
  std::vector<File> found;
  const std::vector<std::string> all = names(folder.path());
  for (const std::string & name : all) {
    const std::string region = std::string(name, 0, 16).append(".region");
    if (name.size() == 21 && name.compare(16, 5, ".bell") == 0 && !std::binary_search(all.begin(), all.end(), region)) {
      const std::string path = folder.path() + "/" + name;
      if (folder.is_abandoned(path)) {  // else somebody has deleted the region's name, and its owner puts it back
        found.push_back({path, memory_of(path)});
      }
    }
  }
  return found;
}

Domain look_at_domain(const RootFolder & root, std::uint32_t number) {
  Domain domain;
  domain.number = number;
  const Folder folder = Folder::look(root, number, domain.objection);
  domain.path = folder.path();
  auto incarnations = folder.list();
  std::sort(incarnations.begin(), incarnations.end());
  for (const std::uint64_t incarnation : incarnations) {
    Region region = read_region(folder, incarnation, tag_of(root.key, number));
    struct stat status {};
    if (region.state != State::kForeign || lstat(region.path.c_str(), &status) == 0) {  // else it has left meanwhile
      domain.regions.push_back(std::move(region));
    }
  }
  std::stable_sort(domain.regions.begin(), domain.regions.end(),
                   [](const Region & a, const Region & b) { return a.pid < b.pid; });
  domain.stray = stray_bells(folder);
  domain.is_empty = domain.regions.empty();
  domain.connections = connect(domain);
  return domain;
}

/// Removes files and takes note of it.
class Cleaner {
 public:
  void remove(const std::string & path) {
    const std::uint64_t memory = memory_of(path);
    if (unlink(path.c_str()) == 0) {
      cleaned.removed.push_back({path, memory});
    } else if (errno != ENOENT) {
      fail(path, errno);
    }
  }
  void fail(const std::string & path, int error) {
    cleaned.failed.push_back(path + " cannot be removed: " + error_text(error));
  }
  Cleaned cleaned;
};

/// Under the directory's lock: nobody is between giving a name to his bells and to his region.
void clean_domain(const Folder & folder, Cleaner & cleaner) {
  for (const std::uint64_t incarnation : folder.list()) {
    if (folder.is_abandoned(folder.region_path(incarnation))) {
      cleaner.remove(folder.region_path(incarnation));
      cleaner.remove(folder.bell_path(incarnation));
    }
  }
  for (const File & bell : stray_bells(folder)) {
    cleaner.remove(bell.path);
  }
  if (folder.list().empty()) {
    folder.remove_if_empty();
    if (access(folder.path().c_str(), F_OK) != 0) {
      cleaner.cleaned.removed.push_back({folder.path(), 0});
    } else {
      cleaner.fail(folder.path(), ENOTEMPTY);
    }
  }
}

}  // namespace

const char * to_string(Means means) {
  switch (means) {
    case Means::kZeroCopy: return "zero-copy";
    case Means::kCopies: return "copies";
    case Means::kPending: return "pending";
    case Means::kMismatch: return "mismatch";
    case Means::kNone: return "none";
  }
  return "unknown";
}

Means worse(Means a, Means b) {
  const auto badness = [](Means means) {
    switch (means) {
      case Means::kNone: return 0;
      case Means::kZeroCopy: return 1;
      case Means::kCopies: return 2;
      case Means::kPending: return 3;
      case Means::kMismatch: return 4;
    }
    return 5;
  };
  return badness(b) > badness(a) ? b : a;
}

const char * to_string(State state) {
  switch (state) {
    case State::kAlive: return "alive";
    case State::kDead: return "dead";
    case State::kForeign: return "foreign";
    case State::kOtherVersion: return "other version";
    case State::kDamaged: return "damaged";
    case State::kUnreachable: return "unreachable";
  }
  return "unknown";
}

std::uint32_t layout_version() { return kLayoutVersion; }

const Region * Domain::region(std::uint64_t incarnation) const {
  const auto found = std::find_if(regions.begin(), regions.end(),
                                  [&](const Region & region) { return region.incarnation == incarnation; });
  return found != regions.end() ? &*found : nullptr;
}

const Publisher * Domain::publisher(EndpointId id) const {
  const Region * owner = region(id.incarnation);
  for (std::size_t i = 0; owner != nullptr && i < owner->publishers.size(); ++i) {
    if (owner->publishers[i].info.id == id) {
      return &owner->publishers[i];
    }
  }
  return nullptr;
}

const Subscription * Domain::subscription(EndpointId id) const {
  const Region * owner = region(id.incarnation);
  for (std::size_t i = 0; owner != nullptr && i < owner->subscriptions.size(); ++i) {
    if (owner->subscriptions[i].info.id == id) {
      return &owner->subscriptions[i];
    }
  }
  return nullptr;
}

Report inspect(const Options & options) {
  Report report;
  const RootFolder root = look_at_root(options.directory, report.objection);
  report.directory = root.path;
  struct stat status {};
  report.exists = stat(root.path.c_str(), &status) == 0;
  if (!report.exists) {
    report.objection.clear();  // whoever joins first makes it
    return report;
  }
  report.user = status.st_uid;
  report.group = status.st_gid;
  report.mode = status.st_mode & 07777;
  report.is_shared = (status.st_mode & 0020) != 0;
  for (const std::uint32_t number : domains(root, options)) {
    report.domains.push_back(look_at_domain(root, number));
  }
  return report;
}

Cleaned clean(const Options & options) {
  Cleaner cleaner;
  std::string objection;
  const RootFolder root = look_at_root(options.directory, objection);
  for (const std::uint32_t number : domains(root, options)) {
    const FolderLock lock(root.path);
    if (!lock.is_held()) {
      cleaner.cleaned.failed.push_back("domain " + std::to_string(number) + ": a process that starts or ends holds " +
                                       root.path + " for long; try again");
      continue;
    }
    clean_domain(Folder::look(root, number, objection), cleaner);
  }
  return cleaner.cleaned;
}

}  // namespace tandem::inspection
