// A file system in memory that is full, of pages or of names, at every stage of a process's life.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "small_shm.hpp"
#include "subject.hpp"
#include "sweep.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kPages = 4096;  ///< of the file system: 16 MiB

/// Pages that are left to the subject: all numbers of them in torture, else some and those around which things change.
std::set<std::size_t> amounts() {
  std::set<std::size_t> chosen;
  if (const char * text = std::getenv("TANDEM_RESOURCES_STRIDE"); text != nullptr && std::string(text) == "1") {
    for (std::size_t pages = 0; pages < 900; ++pages) {
      chosen.insert(pages);
    }
    return chosen;
  }
  const unsigned random = seed();
  const double part = scale() < 0.06 ? 8 : scale() < 1 ? 16 : 60;
  for (std::size_t i = 0; i < static_cast<std::size_t>(part); ++i) {
    chosen.insert((random % 97 + i * 900 / static_cast<std::size_t>(part)) % 900);
  }
  chosen.insert({0, 1, 2, 257, 258, 259, 260});  // the bells, the roster, the header and the directory
  return chosen;
}

TEST(Full, OfPagesAtEveryStageIsAnError) {
  SmallShm shm("size=16m");
  if (!shm.reason().empty()) {
    GTEST_SKIP() << shm.reason();
  }
  Observer observer(shm.folder());
  const std::size_t committed_before = observer.process().call<committed>();
  std::size_t refusals = 0;
  for (const std::size_t pages : amounts()) {
    SCOPED_TRACE(std::to_string(pages) + " pages left");
    shm.leave(pages);
    Station subject(Place::kElsewhere);
    const auto said = live_through(subject, observer, [&] { shm.clear(); });
    shm.clear();
    for (const std::string & text : said) {
      EXPECT_TRUE(names_a_remedy(text) || is_of_a_message(text)) << text;
    }
    refusals += said.size();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(refusals, 0U);
  std::cout << "figures: refusals and lines where the pages run out: " << refusals << std::endl;
  EXPECT_TRUE(wait_until([&] { return observer.process().call<committed>() <= committed_before; }))
      << observer.process().call<committed>() << " and before " << committed_before;
}

TEST(Full, OfNamesIsAnError) {
  SmallShm shm("size=16m,nr_inodes=60");
  if (!shm.reason().empty()) {
    GTEST_SKIP() << shm.reason();
  }
  Observer observer(shm.folder());
  shm.use_up_inodes();
  Station subject(Place::kElsewhere);
  const auto said = live_through(subject, observer, [&] { shm.clear(); });
  ASSERT_FALSE(said.empty());
  EXPECT_TRUE(names_a_remedy(said[0])) << said[0];
}

/// Somebody deletes everything while there is no room to put it back: it is put back once there is.
TEST(Full, WhileFilesAreDeletedIsMendedOnceThereIsRoom) {
  SmallShm shm("size=16m,nr_inodes=60");
  if (!shm.reason().empty()) {
    GTEST_SKIP() << shm.reason();
  }
  Observer observer(shm.folder());
  std::filesystem::remove_all(shm.folder().path() + "/0");
  shm.leave(0);
  shm.use_up_inodes();
  for (int round = 0; round < 30; ++round) {
    observer.check();
    EXPECT_TRUE(observer.process().settle());
    wait_until([] { return false; }, 0.1);  // it must live on for longer than its housekeeping sleeps
  }
  shm.clear();
  EXPECT_TRUE(wait_until([&] { return shm.folder().files(0, ".region").size() == 1; }));
  Station subject(Place::kElsewhere);
  live_through(subject, observer, [] {});
}

}  // namespace
}  // namespace tandem::test
