// lab_peer SPEC.json: one process of a trial (docs/reference/lab.md). Exit status 0; 1: failed; 3: this link cannot do what the spec asks.
#include <fmt/format.h>

#include <exception>

#include "roles/roles.hpp"
#include "tandem/measure/counters.hpp"
#include "trial/measure.hpp"
#include "trial/placement.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kUnsupported = 3;

void run(const std::string & path) {
  tandem::measure::counters();  // of all threads to come
  const lab::Spec spec = lab::read_spec(path);
  lab::Control control;
  lab::apply_placement(spec);
  lab::emit("started", lab::now_ns());
  const auto link = lab::make_link(spec);
  const lab::Trial trial{spec, control, *link};
  switch (spec.role) {
    case lab::Role::kPublish: return lab::publish(trial);
    case lab::Role::kSubscribe: return lab::subscribe(trial);
    case lab::Role::kPing: return lab::ping(trial);
    case lab::Role::kPong: return lab::pong(trial);
    case lab::Role::kJoin: return lab::join(trial);
  }
}

}  // namespace

int main(int argc, char ** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: lab_peer SPEC.json\n");
    return kFailed;
  }
  try {
    run(argv[1]);
    return 0;
  } catch (const lab::Unsupported & error) {
    fmt::print(stderr, "lab_peer: unsupported: {}\n", error.what());
    return kUnsupported;
  } catch (const std::exception & error) {
    fmt::print(stderr, "lab_peer: {}\n", error.what());
    return kFailed;
  }
}
