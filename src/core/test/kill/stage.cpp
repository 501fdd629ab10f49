#include "stage.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>

#include "crew.hpp"
#include "roster.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t kBeyondRing = 10;

}  // namespace

Stage::Stage()
    : board_(static_cast<Board *>(
          mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
      writer_("writer"),
      reader_("reader") {
  clear_board();
  writer("matched 2");
  reader("matched 2");
  // As many blocks as it will ever need for a guest that stands still.
  publish(250);
  note(writer("stock 400"));
  drain();
}

Stage::~Stage() { munmap(board_, sizeof(Board)); }

void Stage::clear_board() { new (board_) Board{}; }

std::string Stage::ask(Child & child, const char * name, const std::string & line) {
  child.tell(line);
  const std::string answer = child.read_line(120);
  if (answer.rfind("ok", 0) != 0) {
    throw Fault(std::string(name) + ", told '" + line + "': " + (answer.empty() ? "no answer" : answer));
  }
  return answer;
}

void Stage::note(const std::string & answer) { counts_ = answer.substr(3); }

void Stage::drain() {
  const std::uint64_t least = board_->published;
  const std::string answer = reader("drain " + counts_ + " " + std::to_string(least));
  const std::uint64_t seen = std::stoull(answer.substr(3));
  if (seen < least || seen > board_->attempted) {
    throw Fault("the reader has " + std::to_string(seen) + " messages of the guest, which had published " +
                std::to_string(least) + " and begun " + std::to_string(board_->attempted));
  }
}

void Stage::fill() {
  writer_.tell("fill " + std::to_string(kWriterLead + kBeyondRing));
  reader("await " + std::to_string(kWriterLead));
}

void Stage::end_fill() {
  reader("await " + std::to_string(kBeyondRing));
  const std::string answer = writer_.read_line(120);
  if (answer.rfind("ok", 0) != 0) {
    throw Fault("writer, waiting for the guest: " + answer);
  }
  note(answer);
}

void Stage::verify_flow() {
  publish(3);
  drain();
  publish(20);
  drain();
  reader("check");
}

void Stage::verify_lap() {
  for (int round = 0; round < 3; ++round) {
    publish(100);
    drain();
  }
}

void Stage::verify_wake() {
  if (reader("peek") == "ok no") {
    publish(1);
  }
  reader("woken");
}

void Stage::verify_clean() {
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
