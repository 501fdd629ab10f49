// Roles of other processes in the hostile tests.
#include "harness.hpp"
#include "roles.hpp"

namespace tandem::test {
namespace {

Role roles(const std::string & name) {
  if (name == "scribbler") {
    return scribbler;
  }
  return name == "guarded" ? Role(guarded) : Role();
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
