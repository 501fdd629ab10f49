#include "board.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace tandem::test {

Board & open_board(const std::string & path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void * memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof(Board)) == 0) {
    memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (memory == MAP_FAILED) {
    std::perror(path.c_str());
    std::exit(2);
  }
  close(file);
  return *static_cast<Board *>(memory);
}

std::uint64_t Board::sum(std::atomic<std::uint64_t> Seat::*count) const {
  std::uint64_t sum = 0;
  for (const Seat & seat : seats) {
    sum += (seat.*count).load(std::memory_order_relaxed);
  }
  return sum;
}

std::string Board::text() const {
  std::ostringstream out;
  out << sum(&Seat::reused) << " reuses, " << sum(&Seat::sent) << " sent, " << sum(&Seat::taken) << " taken, "
      << sum(&Seat::opened) << " endpoints, " << sum(&Seat::torn) << " torn, " << sum(&Seat::disordered)
      << " disordered, " << sum(&Seat::missed) << " missed, " << sum(&Seat::refused) << " refused";
  return out.str();
}

}  // namespace tandem::test
