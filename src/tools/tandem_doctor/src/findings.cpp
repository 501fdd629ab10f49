#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "format.hpp"
#include "traffic.hpp"

namespace tandem::doctor {
namespace {

using inspection::Connection;
using inspection::Domain;
using inspection::Means;
using inspection::Publisher;
using inspection::Region;
using inspection::State;

constexpr double kFull = 0.9;
constexpr double kStuck = 5;  ///< seconds; housekeeping runs every second

class Examination {
 public:
  explicit Examination(const View & view) : view_(view) {}
  std::vector<Finding> run();

 private:
  void add(const char * code, std::string where, std::string what, std::string remedy) {
    findings_.push_back({code, std::move(where), std::move(what), std::move(remedy)});
  }
  void look_at_directory();
  void look_at_file_system();
  void look_at_host();
  void look_at_domain(const Domain & domain);
  void look_at_dead(const Domain & domain);
  void look_at_region(const Domain & domain, const Region & region);
  void look_at_process(const Domain & domain, const Region & region);
  void look_at_publisher(const Domain & domain, const Region & region, const Publisher & publisher);
  void look_at_connection(const Domain & domain, const Connection & connection);

  const View & view_;
  std::vector<Finding> findings_;
  std::set<std::string> mismatches_;
};

std::vector<Finding> Examination::run() {
  look_at_directory();
  look_at_file_system();
  look_at_host();
  for (const Domain & domain : view_.report.domains) {
    look_at_domain(domain);
  }
  return std::move(findings_);
}

void Examination::look_at_directory() {
  const auto & report = view_.report;
  if (!report.objection.empty()) {
    add("unsafe-directory", report.directory, "processes of this user refuse the directory: " + report.objection,
        "as the sentence says, or set TANDEM_SHM_DIR to another directory on a tmpfs");
  }
}

void Examination::look_at_file_system() {
  const FileSystem & files = view_.host.file_system;
  const std::string & where = view_.report.directory;
  if (files.size == 0) {
    return;
  }
  if (files.type != "tmpfs") {
    add("not-tmpfs", where, "the directory is not on a tmpfs, so messages are written to a disk",
        "set TANDEM_SHM_DIR to a directory on a tmpfs, as /dev/shm is");
  }
  if (files.used() > kFull) {
    add("shm-full", where,
        fmt::format("the file system is {} full: {} of {} are left", percent(files.used()),
                    bytes(static_cast<double>(files.free)), bytes(static_cast<double>(files.size))),
        "remove what is not needed there (`tandem doctor --clean` removes what dead processes left), or make it "
        "larger: "
        "`mount -o remount,size=...`, `docker run --shm-size=...`");
  }
  if (files.files != 0 && files.files_free < files.files / 10) {
    add("shm-full", where, fmt::format("the file system has only {} of {} files left", files.files_free, files.files),
        "remove files there, or remount it with a greater nr_inodes");
  }
}

void Examination::look_at_host() {
  for (const Setting & setting : view_.host.settings) {
    if (!setting.objection.empty()) {
      add("bad-setting", setting.name, fmt::format("{}={}: {}", setting.name, setting.value, setting.objection),
          "correct the variable or unset it");
    }
  }
  const auto & rclpy = view_.host.rclpy;
  const auto own = std::find_if(rclpy.begin(), rclpy.end(), [](const RclpyPackage & one) { return one.is_tandem; });
  if (own != rclpy.end() && own != rclpy.begin()) {
    add("other-rclpy", rclpy.front().folder,
        fmt::format("Python imports the rclpy of another ROS 2 from here, not Tandem's, which is in {}", own->folder),
        "source Tandem's setup file after that of the other ROS 2, or use a shell of its own for each");
  }
  for (const Feature & feature : view_.host.features) {
    if (feature.needed && !feature.there) {
      add("missing-feature", view_.host.kernel, fmt::format("the kernel refuses {}", feature.name),
          "use Linux 5.10 or later; in a container, look at its seccomp profile");
    }
  }
  std::size_t most = 0;
  for (const Domain & domain : view_.report.domains) {
    most = std::max(most, domain.regions.size());
  }
  const Limits & limits = view_.host.limits;
  if (limits.files && *limits.files < most + 64) {
    add("low-limit", "RLIMIT_NOFILE",
        fmt::format("a process may open {} files, and needs one for each of the {} processes of its domain",
                    *limits.files, most),
        "raise it: `ulimit -n`, LimitNOFILE= in a unit");
  }
  if (limits.mappings != 0 && limits.mappings < 3 * most + 1000) {
    add("low-limit", "vm.max_map_count",
        fmt::format("a process may have {} mappings, and needs three for each of the {} processes of its domain",
                    limits.mappings, most),
        "raise it: `sysctl vm.max_map_count=...`");
  }
  for (const Domain & domain : view_.report.domains) {
    std::uint64_t reserved = 0;
    for (const Region & region : domain.regions) {
      reserved += region.state == State::kAlive ? region.reserved : 0;
    }
    if (limits.address_space && *limits.address_space < reserved + reserved / 4) {
      add("low-limit", "RLIMIT_AS",
          fmt::format("a process may use {} of addresses, and the regions of domain {} take {}",
                      bytes(static_cast<double>(*limits.address_space)), domain.number,
                      bytes(static_cast<double>(reserved))),
          "raise it (`ulimit -v unlimited`), or reduce TANDEM_REGION_SIZE");
    }
  }
}

void Examination::look_at_domain(const Domain & domain) {
  const std::string where = fmt::format("domain {}", domain.number);
  if (!domain.objection.empty() && view_.report.objection.empty()) {
    add("unsafe-directory", domain.path, "processes of this user refuse the domain's folder: " + domain.objection,
        "as the sentence says");
  }
  look_at_dead(domain);
  for (const Region & region : domain.regions) {
    look_at_region(domain, region);
  }
  mismatches_.clear();
  for (const Connection & connection : domain.connections) {
    look_at_connection(domain, connection);
  }
}

void Examination::look_at_dead(const Domain & domain) {
  const std::string where = fmt::format("domain {}", domain.number);
  std::size_t dead = 0;
  std::uint64_t memory = 0;
  std::string names;
  for (const Region & region : domain.regions) {
    if (region.state == State::kDead) {
      memory += region.memory;
      names += ++dead > 4 ? "" : (names.empty() ? "" : ", ") + process_name(region);
    }
  }
  if (dead != 0) {
    add("dead-regions", where,
        fmt::format("{} left {} behind: {}{}",
                    dead == 1 ? "a process that ended" : fmt::format("{} processes that ended", dead),
                    bytes(static_cast<double>(memory)), names, dead > 4 ? " and others" : ""),
        "nothing, if somebody joins that domain; or `tandem doctor --clean`");
  }
  if (!domain.stray.empty()) {
    add("stray-files", where, number_of(domain.stray.size(), "bell has", "bells have") + " no region",
        "`tandem doctor --clean`");
  }
  if (domain.is_empty) {
    add("empty-folder", domain.path, "the domain's folder is there, but nobody is in it", "`tandem doctor --clean`");
  }
}

void Examination::look_at_region(const Domain & domain, const Region & region) {
  const std::string where = fmt::format("{} in domain {}", process_name(region), domain.number);
  switch (region.state) {
    case State::kAlive: look_at_process(domain, region); break;
    case State::kDead: break;
    case State::kForeign:
      add("foreign-region", region.path,
          fmt::format(
              "the region of a process of user {} cannot be read, so it is not connected to processes of this user: {}",
              user_name(region.user), region.reason),
          "share a directory between the users: one with mode 2770 and a group of both, named by TANDEM_SHM_DIR");
      break;
    case State::kOtherVersion:
      add("other-version", where, "it is not connected to processes of this version: " + region.reason,
          "build both with the same version of Tandem");
      break;
    case State::kDamaged:
      add("damaged-region", region.path, "it is no region that others can use: " + region.reason,
          "remove it if it is no process's; else restart the process");
      break;
    case State::kUnreachable:
      add("unreachable-region", region.path, region.reason, "restart the process if it lives; else remove the link");
      break;
  }
}

void Examination::look_at_process(const Domain & domain, const Region & region) {
  const std::string where = fmt::format("{} in domain {}", process_name(region), domain.number);
  std::set<std::uint64_t> others;
  for (const Connection & each : domain.connections) {
    const bool is_reader = each.subscription.incarnation == region.incarnation;
    if (is_reader || each.publisher.incarnation == region.incarnation) {
      others.insert(is_reader ? each.publisher.incarnation : each.subscription.incarnation);
    }
  }
  others.erase(region.incarnation);
  const std::string waiting =
      others.empty() ? "" : ", and " + number_of(others.size(), "other is", "others are") + " connected to it";
  if (view_.activity_of(region.incarnation).is_stopped()) {
    add("stopped-process", where, "the process is stopped (SIGSTOP, Ctrl-Z or a debugger)" + waiting,
        fmt::format("`kill -CONT {0}` lets it go on, `kill -9 {0}` frees what it holds", region.pid));
  } else if (region.since_housekeeping > kStuck) {
    add("stuck-process", where,
        fmt::format("its housekeeping has not run for {}, so it takes up no new connections{}",
                    age(region.since_housekeeping), waiting),
        "see what its thread `tandem` waits for (`gdb -p`, `cat /proc/PID/task/*/wchan`), or restart it");
  }
  if (region.reserved != 0 && static_cast<double>(region.heap_in_use) > kFull * static_cast<double>(region.reserved)) {
    add("heap-full", where,
        fmt::format("{} of its region of {} are in use", bytes(static_cast<double>(region.heap_in_use)),
                    bytes(static_cast<double>(region.reserved))),
        "raise TANDEM_REGION_SIZE (MiB), or keep fewer messages");
  }
  if (region.directory_used * 10 > region.directory_size * 9) {
    add("directory-full", where,
        fmt::format("it has {} endpoints, nodes and matches, of {} at most", region.directory_used,
                    region.directory_size),
        "use fewer endpoints in one process");
  }
  for (const std::string & damage : region.damage) {
    add("damaged-region", where, damage,
        "restart the process; if that happens again, something writes into its memory");
  }
  for (const Publisher & publisher : region.publishers) {
    look_at_publisher(domain, region, publisher);
  }
}

void Examination::look_at_publisher(const Domain & domain, const Region & region, const Publisher & publisher) {
  const std::string where = fmt::format("{} in domain {}", subject_of(publisher.info.topic), domain.number);
  const std::string who = endpoint_name(publisher.info, &region);
  if (publisher.failed_borrows != 0) {
    add("failed-borrows", where,
        fmt::format("{} got no memory for {}", who, nouns_of(publisher.info.topic, publisher.failed_borrows)),
        "drop or publish loans sooner, keep fewer received messages, or raise TANDEM_REGION_SIZE");
  }
  if (publisher.timeouts != 0 && channel_of(publisher.info.topic) == Channel::kReply) {
    add("dropped-replies", where,
        fmt::format("{} dropped the replies that a client had not taken within max_blocking_time, {}", who,
                    number_of(publisher.timeouts, "time", "times")),
        "let the client spin as long as it waits for replies, or destroy it");
  } else if (publisher.timeouts != 0) {
    add("publish-timeouts", where,
        fmt::format("{} of {} failed, as a keep-all reader did not keep up",
                    number_of(publisher.timeouts, "publish", "publishes"), who),
        "make the reader with the greatest backlog faster, or let one of both sides keep the last N only");
  }
  if (publisher.forgotten != 0) {
    add("forgotten-history", where,
        fmt::format("{} of {}'s keep-all history: it holds 16,000",
                    number_of(publisher.forgotten, "message was dropped out", "messages were dropped out"), who),
        "keep the last N instead, or publish less");
  }
}

void Examination::look_at_connection(const Domain & domain, const Connection & connection) {
  const std::string where = fmt::format("{} in domain {}", subject_of(connection.topic), domain.number);
  const auto * publisher = domain.publisher(connection.publisher);
  const auto * subscription = domain.subscription(connection.subscription);
  if (publisher == nullptr || subscription == nullptr) {
    return;
  }
  const std::string from = endpoint_name(publisher->info, domain.region(connection.publisher.incarnation));
  const std::string to = endpoint_name(subscription->info, domain.region(connection.subscription.incarnation));
  const bool is_reliable = subscription->info.qos.reliability == Reliability::kReliable;
  if (connection.means == Means::kMismatch && mismatches_.insert(where + connection.why).second) {
    add("mismatch", where,
        fmt::format("no {} passes from {} to {}: {}", noun_of(connection.topic), from, to, connection.why),
        "make both sides agree");
  }
  if (connection.means == Means::kPending) {
    add("not-connected", where,
        fmt::format("{} and {} have not been connected for two seconds: {}", from, to, connection.why),
        "see whether one of the two is stopped or stuck, and what its log says");
  }
  if (connection.lost != 0 && is_reliable) {
    add("lost-messages", where,
        fmt::format("{} lost {} of {}, overwritten before it took them (its depth is {})", to,
                    nouns_of(connection.topic, connection.lost), from, subscription->info.qos.depth),
        "raise its depth, make it faster, or let both sides keep all");
  }
}

}  // namespace

std::vector<Finding> examine(const View & view) { return Examination(view).run(); }

}  // namespace tandem::doctor
