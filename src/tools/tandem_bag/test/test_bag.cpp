// Bags: folders of files with their metadata.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.hpp"

namespace {

bag::WriterOptions options(const fs::path & folder, const std::string & storage = storages().front()) {
  bag::WriterOptions made;
  made.folder = folder;
  made.storage_id = storage;
  return made;
}

/// One topic, `count` messages of `size` bytes, one a second from the first on.
std::vector<Stored> fill(bag::Writer & writer, int count, std::size_t size = 10, std::int64_t first = 1000000000) {
  std::vector<Stored> all;
  const std::uint32_t a = writer.add_topic(topic("/a"));
  for (int i = 0; i < count; ++i) {
    all.push_back({"/a", first + i * 1000000000LL, std::string(size, static_cast<char>('a' + i % 20))});
    writer.write(message(a, all.back().time, all.back().bytes));
  }
  return all;
}

class Bag : public testing::TestWithParam<std::string> {
 protected:
  Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, Bag, testing::ValuesIn(storages()));

TEST_P(Bag, IsReadAsItWasWritten) {
  bag::WriterOptions made = options(folder_ / "bag", GetParam());
  made.custom_data = {{"weather", "fine"}};
  bag::Writer writer(made);
  const auto written = fill(writer, 10);
  writer.add_topic(topic("/silent"));
  writer.close();
  bag::Reader reader(folder_ / "bag");
  EXPECT_EQ(reader.metadata().message_count, 10u);
  EXPECT_EQ(reader.metadata().start_time, 1000000000);
  EXPECT_EQ(reader.metadata().duration, 9000000000);
  EXPECT_EQ(reader.metadata().topics.size(), 2u);
  EXPECT_EQ(reader.metadata().custom_data, made.custom_data);
  EXPECT_TRUE(reader.incomplete_files().empty());
  EXPECT_EQ(rest(reader), written);
}

TEST_P(Bag, IsSplitByDuration) {
  bag::WriterOptions made = options(folder_ / "bag", GetParam());
  made.max_file_duration = 3000000000;
  bag::Writer writer(made);
  int splits = 0;
  writer.set_split_listener([&](const std::string & closed, const std::string & opened) {
    ++splits;
    EXPECT_NE(closed, opened);
    EXPECT_TRUE(fs::exists(closed));
  });
  const auto written = fill(writer, 10);
  writer.close();
  EXPECT_EQ(splits, 3);
  bag::Reader reader(folder_ / "bag");
  ASSERT_EQ(reader.metadata().files.size(), 4u);
  EXPECT_EQ(reader.metadata().files[0].message_count, 3u);
  EXPECT_EQ(reader.metadata().files[3].message_count, 1u);
  EXPECT_EQ(rest(reader), written);
  EXPECT_EQ(reader.current_file(), "");
  reader.seek(5500000000);
  EXPECT_EQ(rest(reader).size(), 5u);
}

TEST_P(Bag, IsSplitBySize) {
  bag::WriterOptions made = options(folder_ / "bag", GetParam());
  made.max_file_size = 3 << 20;
  bag::Writer writer(made);
  const auto written = fill(writer, 20, 1 << 20);
  writer.close();
  bag::Reader reader(folder_ / "bag");
  EXPECT_EQ(reader.metadata().files.size(), 7u);
  EXPECT_EQ(rest(reader), written);
}

TEST_P(Bag, WithoutMetadataIsReadFromItsFiles) {
  bag::WriterOptions made = options(folder_ / "bag", GetParam());
  made.max_file_duration = 2000000000;
  bag::Writer writer(made);
  const auto written = fill(writer, 30);  // more than ten files: their order is not that of the alphabet
  writer.close();
  fs::remove(folder_ / "bag/metadata.yaml");
  bag::Reader reader(folder_ / "bag");
  EXPECT_EQ(reader.metadata().files.size(), 15u);
  EXPECT_EQ(reader.metadata().files[2].path.find("bag_2."), 0u);
  EXPECT_EQ(rest(reader), written);
}

TEST_P(Bag, OfOneFileIsReadByItsPath) {
  bag::Writer writer(options(folder_ / "bag", GetParam()));
  const auto written = fill(writer, 5);
  writer.close();
  bag::Reader reader(folder_ / "bag" / writer.metadata().files[0].path);
  EXPECT_EQ(rest(reader), written);
}

TEST_P(Bag, MergesFilesThatOverlap) {
  fs::create_directory(folder_ / "bag");
  for (const int first : {0, 1}) {
    bag::Writer writer(options(folder_ / ("part" + std::to_string(first)), GetParam()));
    fill(writer, 5, 10, 1000000000 + first * 500000000);
    writer.close();
    const fs::path file = writer.metadata().files[0].path;
    fs::copy_file(folder_ / ("part" + std::to_string(first)) / file.string(), folder_ / ("bag/" + file.string()));
  }
  bag::Reader reader(folder_ / "bag");
  std::int64_t last = 0;
  const auto all = rest(reader);
  EXPECT_EQ(all.size(), 10u);
  for (const Stored & one : all) {
    EXPECT_EQ(one.time, last == 0 ? 1000000000 : last + 500000000);
    last = one.time;
  }
}

TEST_P(Bag, IsCompletedWhileSomebodyReadsIt) {
  bag::Writer writer(options(folder_ / "bag", GetParam()));
  const auto written = fill(writer, 50, 10000);
  writer.flush();
  bag::Reader reader(folder_ / "bag");
  bag::Message first;
  ASSERT_TRUE(reader.next(first));
  writer.close();
  EXPECT_EQ(rest(reader).size(), 49u);
  bag::Reader later(folder_ / "bag");
  EXPECT_EQ(rest(later), written);
}

TEST_P(Bag, WithAnEmptyFileThatWasNotEmptyIsRefused) {
  bag::WriterOptions made = options(folder_ / "bag", GetParam());
  made.max_file_duration = 3000000000;
  bag::Writer writer(made);
  fill(writer, 10);
  writer.close();
  fs::resize_file(folder_ / "bag" / writer.metadata().files.back().path, 0);
  EXPECT_THROW(bag::Reader(folder_ / "bag"), bag::Error);
}

TEST_P(Bag, WithAFileThatWasJustBegunSaysSo) {
  bag::WriterOptions made = options(folder_ / "bag", GetParam());
  bag::Writer writer(made);
  const auto written = fill(writer, 10);
  writer.close();
  fs::remove(folder_ / "bag/metadata.yaml");
  const fs::path next = folder_ / ("bag/bag_1" + fs::path(writer.metadata().files[0].path).extension().string());
  write(next, "");
  bag::Reader reader(folder_ / "bag");
  EXPECT_EQ(rest(reader), written);
  EXPECT_EQ(reader.incomplete_files(), std::vector<std::string>{next.string()});
}

TEST(Bag, NamesFilesAfterTheFolder) {
  const Folder folder;
  bag::Writer writer(options(folder / "my.bag" / ""));
  writer.close();
  EXPECT_EQ(writer.metadata().files.at(0).path.find("my.bag_0."), 0u);
}

TEST(Bag, RefusesAFolderThatIsThere) {
  const Folder folder;
  fs::create_directory(folder / "bag");
  EXPECT_THROW(bag::Writer(options(folder / "bag")), bag::Error);
  EXPECT_THROW(bag::Writer(options("/proc/bag")), bag::Error);
  EXPECT_THROW(bag::Writer(options(folder / "other", "tape")), bag::Error);
  EXPECT_FALSE(fs::exists(folder / "other"));
}

TEST(Bag, ThatIsNoneIsAnErrorThatNamesIt) {
  const Folder folder;
  const auto error_of = [](const fs::path & path) -> std::string {
    try {
      bag::Reader reader(path);
    } catch (const bag::Error & error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(error_of(folder / "none").find("there is no bag"), std::string::npos);
  fs::create_directory(folder / "empty");
  EXPECT_NE(error_of(folder / "empty").find("no metadata.yaml"), std::string::npos);
  write(folder / "text", "hello");
  EXPECT_NE(error_of(folder / "text").find("is no bag"), std::string::npos);
  write(folder / "empty/metadata.yaml", "a: [");
  EXPECT_NE(error_of(folder / "empty").find("metadata.yaml"), std::string::npos);
}

#ifdef HAS_MCAP

/// Writes until there is no room. What fitted must be whole.
void fill_up(const fs::path & folder) {
  bag::Writer writer(options(folder / "bag"));
  const std::uint32_t a = writer.add_topic(topic("/a"));
  const std::string bytes(300000, 'x');
  std::uint64_t written = 0;
  EXPECT_THROW(
      while (true) {
        writer.write(message(a, static_cast<std::int64_t>(written + 1), bytes));
        ++written;
      },
      bag::DiskFull);
  EXPECT_GT(written, 30u);
  EXPECT_NO_THROW(writer.close());
  bag::Reader reader(folder / "bag");
  EXPECT_TRUE(reader.incomplete_files().empty());
  EXPECT_EQ(rest(reader).size(), written);
}

TEST(Bag, IsWholeWhereFilesCannotGrow) {
  const Folder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{20 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  fill_up(folder / "");
  setrlimit(RLIMIT_FSIZE, &before);
}

TEST(Bag, IsWholeOnAFullDisk) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) {  // in a mount namespace of its own
    constexpr int kCannot = 77;
    const int namespaces = geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    if (unshare(namespaces) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", (folder / "").c_str(), "tmpfs", 0, "size=20m") != 0) {
      _exit(kCannot);
    }
    fill_up(folder / "");
    _exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    GTEST_SKIP() << "this user may not mount";
  }
  EXPECT_EQ(status, 0);
}

#endif

}  // namespace
