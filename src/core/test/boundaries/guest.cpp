#include "guest.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

namespace tandem::test {

void remove_all(const std::string & path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// ---- users ---------------------------------------------------------------------------------------------------------

uid_t some_user(unsigned number) { return 1'000'000'000U + static_cast<uid_t>(getpid()) * 16 + number; }

int run_as_user(const std::vector<std::string> & arguments) {
  std::vector<gid_t> groups;
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    groups.push_back(static_cast<gid_t>(std::stoul(arguments[i])));
  }
  const auto gid = static_cast<gid_t>(std::stoul(arguments.at(1)));
  const auto uid = static_cast<uid_t>(std::stoul(arguments.at(0)));
  umask(static_cast<mode_t>(std::stoul(arguments.at(2), nullptr, 8)));
  if (setgroups(groups.size(), groups.data()) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0) {
    std::cout << "cannot change the user: " << std::strerror(errno) << std::endl;
    return 3;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the change of user has cleared it
  prctl(PR_SET_DUMPABLE, 1);         // as with any program that was started by that user
  return serve();
}

// ---- containers ----------------------------------------------------------------------------------------------------

namespace {

int give_up(const char * what) {
  std::cout << what << ": " << std::strerror(errno) << std::endl;
  return 3;
}

bool write_file(const char * path, const std::string & text) {
  std::ofstream file(path);
  file << text << std::flush;
  return static_cast<bool>(file);
}

/// Namespaces of its own; without root those that a user may make.
bool leave_everything(bool own_time) {
  int kinds = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET | (own_time ? CLONE_NEWTIME : 0);
  const std::string uid = std::to_string(geteuid());
  const bool is_root = geteuid() == 0;
  if (unshare(kinds | (is_root ? 0 : CLONE_NEWUSER)) != 0) {
    return false;
  }
  return is_root ||
         (write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", uid + " " + uid + " 1\n"));
}

/// The shared folder alone, at another place; an empty /dev/shm.
bool mount_shared() {
  const std::string shared = std::getenv("TANDEM_SHM_DIR");
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", "/mnt", "tmpfs", 0, nullptr) != 0 || mkdir("/mnt/shared", 0700) != 0 ||
      mount(shared.c_str(), "/mnt/shared", nullptr, MS_BIND, nullptr) != 0 ||
      mount("tmpfs", "/dev/shm", "tmpfs", 0, nullptr) != 0) {
    return false;
  }
  setenv("TANDEM_SHM_DIR", "/mnt/shared", 1);
  return true;
}

void execute_user(const std::string & program) {
  std::vector<std::string> words;
  if (const char * emulator = std::getenv("TANDEM_TEST_EMULATOR")) {
    std::istringstream stream(emulator);
    for (std::string word; stream >> word;) {
      words.push_back(word);
    }
  }
  words.insert(words.end(), {program, "--role=user", "--parent=0"});
  std::vector<char *> argv;
  for (std::string & word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
}

}  // namespace

int run_container(const std::vector<std::string> & arguments) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  bool has_proc = true;
  std::string ahead;
  for (const std::string & argument : arguments) {
    has_proc = has_proc && argument != "no_proc";
    if (argument.rfind("time=", 0) == 0) {
      ahead = argument.substr(5);
    }
  }
  if (!leave_everything(!ahead.empty())) {
    return give_up("namespaces are needed");
  }
  if (!ahead.empty() &&
      !write_file("/proc/self/timens_offsets", "monotonic " + ahead + " 0\nboottime " + ahead + " 0\n")) {
    return give_up("a clock of its own is needed");
  }
  if (!mount_shared()) {
    return give_up("mounts are needed");
  }
  std::cout << "ready" << std::endl;
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (mount("proc", "/proc", has_proc ? "proc" : "tmpfs", 0, nullptr) != 0) {
      _exit(4);
    }
    execute_user(program);
    _exit(5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 6;
}

}  // namespace tandem::test
