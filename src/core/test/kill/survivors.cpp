#include "survivors.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>

#include "roster.hpp"
#include "survivor_roles.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t kBeyondRing = 10;

}  // namespace

Survivors::Survivors()
    : state_(static_cast<VictimState *>(
          mmap(nullptr, sizeof(VictimState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
      writer_("writer"),
      reader_("reader") {
  reset_state();
  writer("matched 2");
  reader("matched 2");
  // As many blocks as it will ever need for a victim that stands still.
  publish(250);
  note(writer("stock 400"));
  drain();
}

Survivors::~Survivors() { munmap(state_, sizeof(VictimState)); }

void Survivors::reset_state() { new (state_) VictimState{}; }

std::string Survivors::ask(Child & child, const char * name, const std::string & line) {
  child.tell(line);
  const std::string answer = child.read_line(120);
  if (answer.rfind("ok", 0) != 0) {
    throw Fault(std::string(name) + ", told '" + line + "': " + (answer.empty() ? "no answer" : answer));
  }
  return answer;
}

void Survivors::note(const std::string & answer) { counts_ = answer.substr(3); }

void Survivors::drain() {
  const std::uint64_t least = state_->published;
  const std::string answer = reader("drain " + counts_ + " " + std::to_string(least));
  const std::uint64_t seen = std::stoull(answer.substr(3));
  if (seen < least || seen > state_->attempted) {
    throw Fault("the reader has " + std::to_string(seen) + " messages of the victim, which had published " +
                std::to_string(least) + " and begun " + std::to_string(state_->attempted));
  }
}

void Survivors::fill() {
  writer_.tell("fill " + std::to_string(kWriterMaxSamples + kBeyondRing));
  reader("await " + std::to_string(kWriterMaxSamples));
}

void Survivors::end_fill() {
  reader("await " + std::to_string(kBeyondRing));
  const std::string answer = writer_.read_line(120);
  if (answer.rfind("ok", 0) != 0) {
    throw Fault("writer, waiting for the victim: " + answer);
  }
  note(answer);
}

void Survivors::verify_flow() {
  publish(3);
  drain();
  publish(20);
  drain();
  reader("check");
}

void Survivors::verify_lap() {
  for (int round = 0; round < 3; ++round) {
    publish(100);
    drain();
  }
}

void Survivors::verify_wake() {
  if (reader("peek") == "ok no") {
    publish(1);
  }
  reader("woken");
}

void Survivors::verify_clean() {
  announce(0);  // the dead are looked for
  reader("drop");
  reader("clean");
  writer("clean");
  std::map<std::string, int> files;
  const std::string folder = std::string(std::getenv("TANDEM_SHM_DIR")) + "/0";
  for (const auto & entry : std::filesystem::directory_iterator(folder)) {
    ++files[entry.path().extension().string()];
  }
  if (files != std::map<std::string, int>{{"", 1}, {".bell", 2}, {".region", 2}}) {
    std::string list;
    for (const auto & [ending, count] : files) {
      list += " " + std::to_string(count) + " '" + ending + "'";
    }
    throw Fault("files are left behind in " + folder + ":" + list);
  }
}

}  // namespace tandem::test
