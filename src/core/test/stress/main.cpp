// Names the children of the stress tests.
#include "harness.hpp"
#include "roles.hpp"

namespace {

tandem::test::Role roles(const std::string & name) {
  using namespace tandem::test;
  if (name == "reading") {
    return reading;
  }
  if (name == "flooding") {
    return flooding;
  }
  if (name == "draining") {
    return draining;
  }
  if (name == "storm_writer") {
    return storm_writer;
  }
  if (name == "storm_reader") {
    return storm_reader;
  }
  return name == "steps" ? Role(step_rounds) : Role();
}

}  // namespace

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, roles); }
