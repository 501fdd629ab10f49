#include "guest.hpp"

namespace {

tandem::test::Role roles(const std::string & name) {
  using namespace tandem::test;
  if (name == "other_user") {
    return run_as_user;
  }
  if (name == "container") {
    return run_container;
  }
  if (name == "fork") {
    return run_forks;
  }
  return {};
}

}  // namespace

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, roles); }
