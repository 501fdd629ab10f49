// The fuzz targets where there is no libFuzzer: their corpus, and changed copies of it, the same for the same seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "harness.hpp"
#include "targets.hpp"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus(const std::string & name) {
  std::vector<fs::path> files;
  for (const auto & entry : fs::directory_iterator(fs::path(TANDEM_FUZZ_CORPUS) / name)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Bytes> inputs;
  for (const fs::path & file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void mutate(Bytes & bytes, const std::vector<Bytes> & others, std::mt19937_64 & random) {
  const std::size_t place = bytes.empty() ? 0 : random() % bytes.size();
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(place);
  switch (random() % 6) {
    case 0:
      if (!bytes.empty()) {
        *at = static_cast<std::uint8_t>(random());
      }
      break;
    case 1:
      if (!bytes.empty()) {
        *at ^= static_cast<std::uint8_t>(1U << random() % 8);
      }
      break;
    case 2: bytes.insert(at, static_cast<std::uint8_t>(random())); break;
    case 3: bytes.resize(place); break;
    case 4: {
      const Bytes & other = others[random() % others.size()];
      bytes.insert(at, other.begin(), other.end());
      break;
    }
    default: {
      Bytes some(1 + random() % 16);
      std::generate(some.begin(), some.end(), [&] { return static_cast<std::uint8_t>(random()); });
      bytes.insert(at, some.begin(), some.end());
      break;
    }
  }
  bytes.resize(std::min<std::size_t>(bytes.size(), 2000));
}

void fuzz(const fuzz::Target & target, unsigned seed, int rounds) {
  const auto inputs = corpus(target.name);
  for (const Bytes & input : inputs) {
    target.run(input.data(), input.size());
  }
  std::mt19937_64 random(seed);
  for (int i = 0; i < rounds; ++i) {
    Bytes input = inputs[random() % inputs.size()];
    for (std::uint64_t changes = 1 + random() % 6; changes > 0; --changes) {
      mutate(input, inputs, random);
    }
    target.run(input.data(), input.size());
  }
}

class Fuzz : public testing::TestWithParam<fuzz::Target> {};

std::string name_of(const testing::TestParamInfo<fuzz::Target> & info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(, Fuzz, testing::ValuesIn(fuzz::kTargets), name_of);

TEST_P(Fuzz, KeepsItsPromises) {
  ASSERT_FALSE(corpus(GetParam().name).empty());
  fuzz(GetParam(), seed(), std::max(100, static_cast<int>(GetParam().rounds * scale())));
}

#ifdef TANDEM_MUTANTS
/// Libraries with a fault each.
class Mutant : public Fuzz {
 protected:
  Mutant() {
    setenv("LD_PRELOAD", (std::string(TANDEM_MUTANTS "/") + GetParam().name + "/libtandem_core_open.so.0").c_str(), 1);
  }
  ~Mutant() override { unsetenv("LD_PRELOAD"); }
};

INSTANTIATE_TEST_SUITE_P(Fuzz, Mutant, testing::ValuesIn(fuzz::kTargets), name_of);

TEST_P(Mutant, IsCaught) {
  const Folder folder;
  Child child("fuzz", {GetParam().name, std::to_string(seed())});
  EXPECT_LT(child.finish(120), 0);  // ended by a signal: a broken promise or a touch of foreign memory
}
#endif

int run_target(const std::vector<std::string> & arguments) {
  const auto target = std::find_if(fuzz::kTargets.begin(), fuzz::kTargets.end(),
                                   [&](const fuzz::Target & each) { return arguments[0] == each.name; });
  fuzz(*target, static_cast<unsigned>(std::stoul(arguments[1])), 100 * target->rounds);
  return 0;
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) {
  return tandem::test::run(
      argc, argv, [](const std::string & name) { return name == "fuzz" ? tandem::test::run_target : nullptr; });
}
