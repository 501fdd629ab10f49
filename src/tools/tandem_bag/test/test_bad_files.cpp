// Files that are cut off or damaged: an error at most, never a crash, and what is whole before the damage is found.
#include <random>

#include "support.hpp"

namespace {

/// Reads all that can be read. \return messages, or -1 for an error.
int try_to_read(const fs::path & path) {
  try {
    bag::Reader reader(path);
    return static_cast<int>(rest(reader).size());
  } catch (const bag::Error &) {
    return -1;
  }
}

class BadFile : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bag::WriterOptions options;
    options.folder = folder_ / "good";
    options.storage_id = GetParam();
    options.storage.chunk_size = 2000;
    options.storage.compression = GetParam() == "mcap" ? bag::Compression::kZstd : bag::Compression::kNone;
    bag::Writer writer(options);
    const std::uint32_t a = writer.add_topic(topic("/a"));
    for (std::int64_t time = 1; time <= 200; ++time) {
      writer.write(message(a, time, std::string(100, static_cast<char>(time))));
    }
    writer.close();
    good_ = content(folder_ / "good" / writer.metadata().files[0].path);
    ASSERT_FALSE(good_.empty());
  }

  fs::path bad(const std::string & bytes) {
    write(folder_ / "bad", bytes);
    return folder_ / "bad";
  }

  Folder folder_;
  std::string good_;
};
INSTANTIATE_TEST_SUITE_P(All, BadFile, testing::ValuesIn(storages()));

TEST_P(BadFile, CutOffAnywhere) {
  int last = -1;
  for (std::size_t size = 0; size < good_.size(); size += good_.size() / 150 + 1) {
    const int count = try_to_read(bad(good_.substr(0, size)));
    EXPECT_GE(count, -1);
    if (GetParam() == "mcap" && size > 100) {
      EXPECT_GE(count, last) << "more bytes, fewer messages, at " << size;
      last = count;
    }
  }
  EXPECT_EQ(try_to_read(bad(good_)), 200);
}

TEST_P(BadFile, WithDamagedBytes) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (int i = 0; i < 400; ++i) {
    std::string bytes = good_;
    for (int changes = std::uniform_int_distribution(1, 8)(random); changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    EXPECT_LE(try_to_read(bad(bytes)), 400);
  }
}

TEST_P(BadFile, OfGarbageBehindItsFirstBytes) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (int i = 0; i < 100; ++i) {
    std::string bytes = good_.substr(0, 20 + random() % 200);
    for (std::size_t more = random() % 3000; more > 0; --more) {
      bytes += static_cast<char>(random());
    }
    EXPECT_LE(try_to_read(bad(bytes)), 200);
  }
}

}  // namespace
