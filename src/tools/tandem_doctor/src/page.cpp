#include "page.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "connections_text.hpp"

namespace tandem::doctor {
namespace {

using inspection::Domain;
using inspection::Region;
using inspection::State;

constexpr std::size_t kLabel = 12;

class Page {
 public:
  Page(const View & view, std::size_t width, const Brush & brush) : view_(view), width_(width), brush_(brush) {}
  std::string whole(const std::vector<Finding> & findings);

 private:
  void item(const std::string & label, const std::string & text) {
    const std::string start = fmt::format("{:<{}}", label, kLabel);
    text_ += brush_(Paint::kBold, start) + wrap(text, width_, kLabel) + '\n';
  }
  void lines(const std::vector<std::string> & all) {
    for (const std::string & line : all) {
      text_ += line + '\n';
    }
  }
  void host();
  void domain(const Domain & domain);
  void processes(const Domain & domain);
  void findings(const std::vector<Finding> & findings);

  const View & view_;
  const std::size_t width_;
  const Brush & brush_;
  std::string text_;
};

std::string limit(const std::optional<std::uint64_t> & value) { return value ? std::to_string(*value) : "unlimited"; }

void Page::host() {
  const auto & report = view_.report;
  const Host & host = view_.host;
  const FileSystem & files = host.file_system;
  item("directory", report.exists
                        ? fmt::format("{}, mode {:04o}, of {}{}", report.directory, report.mode, user_name(report.user),
                                      report.is_shared ? ", shared with its group" : "")
                        : report.directory + ", not there yet: the first process makes it");
  item("", fmt::format("{} of {}, {} used, {} free", files.type.empty() ? "unknown file system" : files.type,
                       bytes(static_cast<double>(files.size)), percent(files.used()),
                       bytes(static_cast<double>(files.free))));
  item("limits",
       fmt::format("files {} (at most {}), mappings {}, addresses {}", limit(host.limits.files),
                   limit(host.limits.files_most), host.limits.mappings,
                   host.limits.address_space ? bytes(static_cast<double>(*host.limits.address_space)) : "unlimited"));
  std::string settings;
  for (const Setting & setting : host.settings) {
    settings += (settings.empty() ? "" : " ") + printable(setting.name + "=" + setting.value);
  }
  item("settings", settings.empty() ? "none" : settings);
  std::string there;
  std::string missing;
  for (const Feature & feature : host.features) {
    std::string & list = feature.there ? there : missing;
    list += (list.empty() ? "" : ", ") + feature.name;
  }
  item("kernel", host.kernel + ": " + there + (missing.empty() ? "" : "; without " + missing));
  item("", fmt::format("huge pages of shared memory: {}; cpu governor: {}",
                       host.huge_pages.empty() ? "unknown" : host.huge_pages,
                       host.governor.empty() ? "unknown" : host.governor));
  if (!host.other_directories.empty()) {
    std::string others;
    for (const std::string & path : host.other_directories) {
      others += (others.empty() ? "" : ", ") + path;
    }
    item("others", others + ": of other users, not looked at; TANDEM_SHM_DIR chooses one");
  }
}

Cell state_cell(const Region & region, Activity activity) {
  if (region.state == State::kAlive && activity.is_stopped()) {
    return {"stopped", Paint::kBad};
  }
  if (region.state == State::kAlive && region.since_housekeeping > 5) {
    return {"stuck", Paint::kBad};
  }
  if (region.state == State::kOtherVersion) {
    return {fmt::format("version {}", region.version), Paint::kBad};
  }
  const Paint paint = region.state == State::kAlive  ? Paint::kGood
                      : region.state == State::kDead ? Paint::kWarning
                                                     : Paint::kBad;
  return {inspection::to_string(region.state), paint};
}

void Page::processes(const Domain & domain) {
  Table table({"process", ">pid", "user", ">age", ">memory", ">in use", ">of", "state"});
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  for (const Region & region : domain.regions) {
    const std::string name = region.executable.empty() ? base_name(region.path) : base_name(region.executable);
    const double seconds = static_cast<double>(now.tv_sec) - static_cast<double>(region.created) * 1e-9;
    const bool is_read = region.reserved != 0;
    table.add(
        {{printable(name)},
         {region.pid != 0 ? fmt::format("{}{}", region.pid, is_read && !region.same_pid_namespace ? "*" : "") : "-"},
         {user_name(region.user)},
         {is_read ? age(seconds) : "-"},
         {bytes(static_cast<double>(region.memory))},
         {is_read ? bytes(static_cast<double>(region.heap_in_use)) : "-"},
         {is_read ? bytes(static_cast<double>(region.reserved)) : "-"},
         state_cell(region, view_.activity_of(region.incarnation))});
  }
  lines(table.lines(width_, 2, brush_));
  if (std::any_of(domain.regions.begin(), domain.regions.end(),
                  [](const Region & each) { return each.reserved != 0 && !each.same_pid_namespace; })) {
    text_ += "  * a number in another PID namespace\n";
  }
}

void Page::domain(const Domain & domain) {
  const Traffic traffic = traffic_of(domain);
  const auto dead = static_cast<std::size_t>(std::count_if(
      domain.regions.begin(), domain.regions.end(), [](const Region & each) { return each.state == State::kDead; }));
  text_ +=
      '\n' + brush_(Paint::kBold, fmt::format("domain {}", domain.number)) +
      fmt::format(": {}, {} dead, {}{}\n", number_of(domain.regions.size() - dead, "process", "processes"), dead,
                  number_of(traffic.topics.size(), "topic", "topics"),
                  traffic.services.empty() ? "" : ", " + number_of(traffic.services.size(), "service", "services"));
  if (!domain.regions.empty()) {
    processes(domain);
  }
  text_ += to_text(domain, traffic, width_, brush_);
}

void Page::findings(const std::vector<Finding> & findings) {
  text_ += '\n';
  if (findings.empty()) {
    text_ += brush_(Paint::kGood, "healthy: nothing was found") + '\n';
    return;
  }
  text_ += brush_(Paint::kBad, number_of(findings.size(), "finding", "findings")) + '\n';
  for (const Finding & each : findings) {
    text_ += "  " + brush_(Paint::kWarning, each.code) + "  " + printable(each.where) + '\n';
    text_ += "    " + wrap(printable(each.what) + ".", width_, 4) + '\n';
    text_ += "    " + wrap("To do: " + each.remedy + ".", width_, 4) + '\n';
  }
}

std::string Page::whole(const std::vector<Finding> & all) {
  host();
  for (const Domain & each : view_.report.domains) {
    domain(each);
  }
  if (view_.report.domains.empty()) {
    text_ += "\nnobody is here\n";
  }
  findings(all);
  return std::move(text_);
}

}  // namespace

std::string to_text(const View & view, const std::vector<Finding> & findings, std::size_t width, const Brush & brush) {
  return Page(view, width, brush).whole(findings);
}

std::string to_text(const inspection::Cleaned & cleaned) {
  std::string text;
  std::uint64_t memory = 0;
  for (const auto & file : cleaned.removed) {
    text += fmt::format("removed {} ({})\n", file.path, bytes(static_cast<double>(file.memory)));
    memory += file.memory;
  }
  for (const std::string & failure : cleaned.failed) {
    text += failure + '\n';
  }
  return text + (cleaned.removed.empty()
                     ? "nothing to clean\n"
                     : fmt::format("freed {} bytes ({})\n", memory, bytes(static_cast<double>(memory))));
}

}  // namespace tandem::doctor
