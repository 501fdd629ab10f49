// One file: the same for each storage.
#include "support.hpp"

namespace {

class Storage : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<bag::FileWriter> create(const bag::StorageOptions & options = {}) {
    return bag::FileWriter::create(GetParam(), path_, options);
  }
  std::unique_ptr<bag::FileReader> open() { return bag::FileReader::open(path_); }

  /// Two topics in turn, one message each microsecond, from 1000 on.
  std::vector<Stored> fill(bag::FileWriter & writer, std::int64_t count) {
    std::vector<Stored> all;
    const std::uint32_t a = writer.add_topic(topic("/a"));
    const std::uint32_t b = writer.add_topic(topic("/b"));
    for (std::int64_t i = 0; i < count; ++i) {
      const Stored stored{i % 2 == 0 ? "/a" : "/b", 1000 + i * 1000, "message " + std::to_string(i)};
      writer.write(message(i % 2 == 0 ? a : b, stored.time, stored.bytes));
      all.push_back(stored);
    }
    return all;
  }

  Folder folder_;
  const fs::path path_ = folder_ / "file";
};
INSTANTIATE_TEST_SUITE_P(All, Storage, testing::ValuesIn(storages()));

TEST_P(Storage, GivesBackWhatWasWritten) {
  auto writer = create();
  const auto written = fill(*writer, 1000);
  writer->finish({});
  writer.reset();
  const auto reader = open();
  EXPECT_TRUE(reader->is_complete());
  EXPECT_EQ(reader->storage_id(), GetParam());
  EXPECT_EQ(reader->info().message_count, 1000u);
  EXPECT_EQ(reader->info().start_time, 1000);
  EXPECT_EQ(reader->info().duration, 999 * 1000);
  ASSERT_EQ(reader->topics().size(), 2u);
  EXPECT_EQ(reader->topics()[1].message_count, 500u);
  EXPECT_EQ(reader->topics()[0].definition, "string data\n");
  EXPECT_EQ(reader->topics()[0].definition_encoding, "ros2msg");
  EXPECT_EQ(reader->topics()[0].type_hash, topic("").type_hash);
  EXPECT_EQ(bag::qos_to_yaml(reader->topics()[0].offered_qos), bag::qos_to_yaml({tandem::Qos()}));
  EXPECT_EQ(rest(*reader, reader->topics()), written);
}

TEST_P(Storage, IsReadFromATimeOnAndByTopic) {
  auto writer = create();
  const auto written = fill(*writer, 100);
  writer->finish({});
  const auto reader = open();
  reader->seek(51000, {});
  EXPECT_EQ(rest(*reader, reader->topics()), std::vector<Stored>(written.begin() + 50, written.end()));
  reader->seek(0, {1});
  EXPECT_EQ(rest(*reader, reader->topics()).size(), 50u);
  reader->seek(100001, {});
  EXPECT_TRUE(rest(*reader, reader->topics()).empty());
  reader->seek(0, {});
  EXPECT_EQ(rest(*reader, reader->topics()), written);
}

TEST_P(Storage, SortsByTime) {
  auto writer = create();
  const std::uint32_t a = writer->add_topic(topic("/a"));
  for (const std::int64_t time : {3, 1, 2}) {
    writer->write(message(a, time, "x"));
  }
  writer->finish({});
  const auto reader = open();
  const auto all = rest(*reader, reader->topics());
  EXPECT_EQ(all, (std::vector<Stored>{{"/a", 1, "x"}, {"/a", 2, "x"}, {"/a", 3, "x"}}));
}

TEST_P(Storage, HoldsEmptyAndLargeMessages) {
  auto writer = create();
  const std::uint32_t a = writer->add_topic(topic("/a"));
  const std::string large(20 << 20, 'l');
  writer->write(message(a, 1, ""));
  writer->write(message(a, 2, large));
  writer->finish({});
  const auto reader = open();
  EXPECT_EQ(rest(*reader, reader->topics()), (std::vector<Stored>{{"/a", 1, ""}, {"/a", 2, large}}));
}

TEST_P(Storage, KeepsWhatMetadataSays) {
  auto writer = create();
  bag::Metadata metadata;
  metadata.storage_id = GetParam();
  metadata.custom_data = {{"robot", "r2"}};
  writer->finish(metadata);
  EXPECT_EQ(bag::metadata_from_yaml(open()->metadata(), "file").custom_data, metadata.custom_data);
}

TEST_P(Storage, RefusesAFileThatIsThere) {
  write(path_, "precious");
  EXPECT_THROW(create(), bag::Error);
  EXPECT_EQ(content(path_), "precious");
}

#ifdef HAS_MCAP

struct McapOptions {
  const char * name;
  bag::StorageOptions options;
};

class Mcap : public testing::TestWithParam<McapOptions> {};

INSTANTIATE_TEST_SUITE_P(All, Mcap,
                         testing::Values(McapOptions{"Plain", {}},
                                         McapOptions{"NoChunks", bag::storage_options("fastwrite", "")},
                                         McapOptions{"ZstdFast", bag::storage_options("zstd_fast", "")},
                                         McapOptions{"ZstdSmall", bag::storage_options("zstd_small", "")},
                                         McapOptions{"Lz4", {1 << 16, bag::Compression::kLz4}}),
                         [](const auto & info) { return info.param.name; });

TEST_P(Mcap, OfAnyOptionsIsReadAlsoUnfinished) {
  const Folder folder;
  auto writer = bag::FileWriter::create("mcap", folder / "file", GetParam().options);
  const std::uint32_t a = writer->add_topic(topic("/a"));
  std::vector<Stored> written;
  for (std::int64_t time = 1; time <= 3000; ++time) {
    written.push_back({"/a", time, std::string(200, static_cast<char>('a' + time % 20))});
    writer->write(message(a, time, written.back().bytes));
  }
  writer->flush();
  fs::copy_file(folder / "file", folder / "unfinished");  // what a killed recorder leaves
  const std::string end(1000, 'e');
  writer->write(message(a, 3001, end));
  writer->finish({});
  const auto unfinished = bag::FileReader::open(folder / "unfinished");
  EXPECT_FALSE(unfinished->is_complete());
  EXPECT_EQ(unfinished->info().message_count, 3000u);
  EXPECT_EQ(unfinished->topics().at(0).message_count, 3000u);
  EXPECT_EQ(rest(*unfinished, unfinished->topics()), written);
  unfinished->seek(2000, {});
  EXPECT_EQ(rest(*unfinished, unfinished->topics()).size(), 1001u);
  written.push_back({"/a", 3001, end});
  const auto finished = bag::FileReader::open(folder / "file");
  EXPECT_TRUE(finished->is_complete());
  EXPECT_EQ(rest(*finished, finished->topics()), written);
}

TEST(Mcap, CompressedIsSmaller) {
  const Folder folder;
  const auto size = [&](const char * profile) {
    auto writer = bag::FileWriter::create("mcap", folder / profile, bag::storage_options(profile, ""));
    const std::uint32_t a = writer->add_topic(topic("/a"));
    for (std::int64_t time = 1; time <= 1000; ++time) {
      writer->write(message(a, time, std::string(1000, 'a')));
    }
    writer->finish({});
    writer.reset();
    return fs::file_size(folder / profile);
  };
  EXPECT_LT(size("zstd_fast"), size("none") / 10);
}

#endif

TEST(StorageOptions, ComeFromAFileOfRosbag2s) {
  const Folder folder;
  write(folder / "o.yaml", "noChunkCRC: true\nchunkSize: 4096\ncompression: Lz4\ncompressionLevel: Fastest\n");
  const bag::StorageOptions options = bag::storage_options("none", folder / "o.yaml");
  EXPECT_FALSE(options.chunk_crcs);
  EXPECT_EQ(options.chunk_size, 4096u);
  EXPECT_EQ(options.compression, bag::Compression::kLz4);
  write(folder / "bad.yaml", "compression: Rar\n");
  EXPECT_THROW(bag::storage_options("", folder / "bad.yaml"), bag::Error);
  EXPECT_THROW(bag::storage_options("fast", ""), bag::Error);
  EXPECT_THROW(bag::storage_options("", folder / "none.yaml"), bag::Error);
}

}  // namespace
