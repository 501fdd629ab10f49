#include "shared_counters.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace tandem::test {

SharedCounters & map_counters(const std::string & path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void * memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof(SharedCounters)) == 0) {
    memory = mmap(nullptr, sizeof(SharedCounters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (memory == MAP_FAILED) {
    std::perror(path.c_str());
    std::exit(2);
  }
  close(file);
  return *static_cast<SharedCounters *>(memory);
}

std::uint64_t SharedCounters::sum(std::atomic<std::uint64_t> WorkerCounters::*count) const {
  std::uint64_t sum = 0;
  for (const WorkerCounters & worker : workers) {
    sum += (worker.*count).load(std::memory_order_relaxed);
  }
  return sum;
}

std::string SharedCounters::text() const {
  std::ostringstream out;
  out << sum(&WorkerCounters::reused) << " reuses, " << sum(&WorkerCounters::sent) << " sent, "
      << sum(&WorkerCounters::taken) << " taken, " << sum(&WorkerCounters::opened) << " endpoints, "
      << sum(&WorkerCounters::torn) << " torn, " << sum(&WorkerCounters::disordered) << " disordered, "
      << sum(&WorkerCounters::missed) << " missed, " << sum(&WorkerCounters::refused) << " refused";
  return out.str();
}

}  // namespace tandem::test
