// The fuzz targets where there is no libFuzzer: their corpus, and changed copies of it, the same for the same seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
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

class Fuzz : public testing::TestWithParam<fuzz::Target> {};

INSTANTIATE_TEST_SUITE_P(, Fuzz, testing::ValuesIn(fuzz::kTargets),
                         [](const auto & info) { return std::string(info.param.name); });

TEST_P(Fuzz, KeepsItsPromises) {
  const auto inputs = corpus(GetParam().name);
  ASSERT_FALSE(inputs.empty());
  for (const Bytes & input : inputs) {
    GetParam().run(input.data(), input.size());
  }
  std::mt19937_64 random(seed());
  const int rounds = std::max(100, static_cast<int>(GetParam().rounds * scale()));
  for (int i = 0; i < rounds; ++i) {
    Bytes input = inputs[random() % inputs.size()];
    for (std::uint64_t changes = 1 + random() % 6; changes > 0; --changes) {
      mutate(input, inputs, random);
    }
    GetParam().run(input.data(), input.size());
  }
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv); }
