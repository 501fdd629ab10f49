#include "bag/bag_disk.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "bag/bag_messages.hpp"
#include "common/measure.hpp"
#include "common/processors.hpp"

namespace bench {
namespace {

class File {
 public:
  File(const std::string & path, int flags) : file_(open(path.c_str(), flags | O_CLOEXEC)) {
    if (file_ < 0) {
      throw std::system_error(errno, std::generic_category(), "cannot open " + path);
    }
  }
  ~File() { close(file_); }
  File(const File &) = delete;
  File & operator=(const File &) = delete;
  int get() const { return file_; }

 private:
  const int file_;
};

/// Ends with an exit status of 0, or throws.
void run_program(const std::vector<std::string> & words) {
  std::vector<char *> arguments;
  for (const std::string & word : words) {
    arguments.push_back(const_cast<char *>(word.c_str()));
  }
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    unpin();
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    throw std::runtime_error(words[0] + " failed");
  }
}

}  // namespace

std::string disk_folder() {
  const char * const folder = std::getenv("TANDEM_BENCH_DISK");
  struct statfs system {};
  if (folder == nullptr || statfs(folder, &system) != 0) {
    throw std::runtime_error("the folder for bags is not there");
  }
  if (system.f_type == TMPFS_MAGIC) {
    throw std::runtime_error(std::string(folder) + " is in memory; set TANDEM_BENCH_DISK to a folder on a disk");
  }
  return folder;
}

void sync_file(const std::string & file) {
  if (fdatasync(File(file, O_RDONLY).get()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + file);
  }
}

void clear_disk(const std::string & path) {
  std::filesystem::remove_all(path);
  syncfs(File(std::filesystem::path(path).parent_path(), O_RDONLY | O_DIRECTORY).get());
}

Dd::Dd(std::uint64_t bytes)
    : source_(disk_folder() + "/dd_source_" + std::to_string(bytes)), target_(disk_folder() + "/dd_target") {
  const std::vector<std::uint8_t> block = make_picture(std::size_t{4} << 20);
  std::ofstream file(source_, std::ios::binary | std::ios::trunc);
  for (std::uint64_t written = 0; written < bytes && file; written += block.size()) {
    file.write(reinterpret_cast<const char *>(block.data()), static_cast<std::streamsize>(block.size()));
  }
  file.close();
  if (!file) {
    throw std::runtime_error("there is no room for " + source_);
  }
  sync_file(source_);
}

WritingTime Dd::run() const {
  const auto begin = Clock::now();
  run_program({"dd", "if=" + source_, "of=" + target_, "bs=4M", "status=none"});
  const auto written = Clock::now();
  sync_file(target_);
  const WritingTime time{nanoseconds_between(begin, written), nanoseconds_between(begin, Clock::now())};
  clear_disk(target_);
  return time;
}

}  // namespace bench
