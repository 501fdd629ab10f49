// A SIGSEGV handler that knows where read-only messages were delivered.
//
// Every guarded subscription has a record of the last addresses it delivered. The records form a list that only grows
// and is never freed, so that the handler can walk it at any instant.
#include "rclcpp/detail/write_guard.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace rclcpp::detail {
namespace {

constexpr std::size_t kRemembered = 32;  // more than a subscription keeps without costing others

struct Record {
  std::string line;  // written by the handler
  std::size_t size = 0;
  std::array<std::atomic<std::uintptr_t>, kRemembered> addresses{};
  std::atomic<std::uint32_t> next_address{0};
  Record * next = nullptr;

  bool covers(std::uintptr_t address) const {
    for (const auto & remembered : addresses) {
      const std::uintptr_t begin = remembered.load(std::memory_order_relaxed);
      if (begin != 0 && address >= begin && address - begin < size) return true;
    }
    return false;
  }
};

std::atomic<Record *> records{nullptr};
struct sigaction former;

void on_fault(int number, siginfo_t * info, void * context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Record * record = records.load(std::memory_order_acquire); record; record = record->next) {
    if (info->si_code != SEGV_ACCERR || !record->covers(address)) continue;
    const auto written = ::write(STDERR_FILENO, record->line.data(), record->line.size());
    (void)written;
    break;
  }
  if ((former.sa_flags & SA_SIGINFO) != 0 && former.sa_sigaction) {
    former.sa_sigaction(number, info, context);
  } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
    former.sa_handler(number);
  } else {
    ::signal(number, SIG_DFL);  // the instruction runs again and the signal takes its course
  }
}

void install() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, nullptr, &former);
  sigaction(SIGSEGV, &action, nullptr);
}

Record * add_record(const std::string & topic, std::size_t size) {
  static auto * mutex = new std::mutex;
  static bool installed = false;
  const std::lock_guard<std::mutex> lock(*mutex);
  if (!installed) install();
  installed = true;
  auto * record = new Record;
  record->line =
      "rclcpp: a message of topic '" + topic +
      "' was written to through the SharedPtr of an _hbmem callback, but it is shared read-only memory; copy "
      "the message and write to the copy\n";
  record->size = size;
  record->next = records.load(std::memory_order_relaxed);
  records.store(record, std::memory_order_release);
  return record;
}

}  // namespace

SampleCallback guard_against_writes(const std::string & topic, std::size_t size, SampleCallback deliver) {
  return [record = add_record(topic, size), deliver = std::move(deliver)](tandem::transport::Sample & sample) {
    if (sample.is_read_only_memory) {
      const std::uint32_t index = record->next_address.fetch_add(1, std::memory_order_relaxed) % kRemembered;
      record->addresses[index].store(reinterpret_cast<std::uintptr_t>(sample.message), std::memory_order_relaxed);
    }
    deliver(sample);
  };
}

}  // namespace rclcpp::detail
