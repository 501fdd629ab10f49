// Between two processes an image's pixels are not touched by anybody: while it is published and taken, their pages are
// inaccessible in both.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "../../tandem_transport/test/transport_test.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "tandem/plugin.hpp"

namespace {

using tandem::test::eventually;
using namespace tandem::transport;  // NOLINT: the interface under test
using sensor_msgs::msg::Image;

constexpr std::size_t kPixels = std::size_t{1920} * 1080 * 3;
constexpr std::size_t kPage = 65536;  // a multiple of any

/// A place in a file, which processes map at different addresses.
struct Place {
  unsigned long inode = 0;
  unsigned long offset = 0;
};

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool writable = false;
  Place place;
};

std::vector<Mapping> mappings() {
  std::vector<Mapping> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char permissions[8] = {};
    Place place;
    if (std::sscanf(line.c_str(), "%lx-%lx %7s %lx %*s %lu", &begin, &end, permissions, &place.offset, &place.inode) ==
        5) {
      found.push_back({begin, end, permissions[1] == 'w', place});
    }
  }
  return found;
}

Place place_of(const void * memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  for (const Mapping & mapping : mappings()) {
    if (address >= mapping.begin && address < mapping.end) {
      return {mapping.place.inode, mapping.place.offset + (address - mapping.begin)};
    }
  }
  return {};
}

std::byte * read_only_address_of(const Place & place) {
  for (const Mapping & mapping : mappings()) {
    const std::uintptr_t size = mapping.end - mapping.begin;
    if (mapping.place.inode == place.inode && !mapping.writable && place.offset >= mapping.place.offset &&
        place.offset - mapping.place.offset < size) {
      return reinterpret_cast<std::byte *>(mapping.begin + (place.offset - mapping.place.offset));
    }
  }
  return nullptr;
}

/// Changes the access to the whole pages among the pixels that begin at `pixels`.
bool protect(const void * pixels, int protection) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(pixels) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(pixels) + kPixels) / kPage * kPage;
  return mprotect(reinterpret_cast<void *>(begin), end - begin, protection) == 0;
}

void fill(Image & image, std::uint8_t first) {
  image.header.frame_id = "camera";
  image.encoding = "rgb8";
  image.data.resize(kPixels);
  std::iota(image.data.begin(), image.data.end(), first);
}

bool holds(const Image & image, std::uint8_t first) {
  return image.header.frame_id == "camera" && image.encoding == "rgb8" && image.data.size() == kPixels &&
         std::all_of(image.data.begin(), image.data.end(), [&first](std::uint8_t pixel) { return pixel == first++; });
}

TopicOptions options() { return {{"/", "test"}, "/camera", Qos{}}; }

/// Both ends of a conversation in lines of one word or two numbers.
struct Talk {
  std::FILE * in;
  std::FILE * out;
  void say(const Place & place) const {
    std::fprintf(out, "%lu %lu\n", place.inode, place.offset);
    std::fflush(out);
  }
  Place hear() const {
    Place place;
    return std::fscanf(in, "%lu %lu", &place.inode, &place.offset) == 2 ? place : Place{};
  }
};
constexpr Place kYes{1, 1};
constexpr Place kNo{0, 0};

/// The other process: makes the place that it is told inaccessible, takes, and looks at last.
void read_blindly(const Talk & talk) {
  const auto context = load("rmw_tandem_cpp").create_context(0);
  const auto sub = context->create_subscription(tandem::message_type<Image>(), options());
  eventually([&] { return sub->publisher_count() == 1; });
  talk.say(kYes);
  std::uint8_t value = 0;
  for (Place place; (place = talk.hear()).inode != 0; ++value) {
    const std::byte * pixels = read_only_address_of(place);
    talk.say(pixels != nullptr && protect(pixels, PROT_NONE) ? kYes : kNo);
    Sample sample;
    eventually([&] { return static_cast<bool>(sample = sub->take()); });
    const auto * image = static_cast<const Image *>(sample.message);
    const bool same = image != nullptr && static_cast<const void *>(image->data.data()) == pixels;
    protect(pixels, PROT_READ);
    talk.say(same && holds(*image, value) && sub->copied() == 0 ? kYes : kNo);
  }
}

pid_t child = -1;
Talk child_talk{};

class ZeroCopy : public testing::Test {
 protected:
  /// Publishes with `publish(image)` while nobody can touch the pixels.
  template <class Publish>
  void publish_blindly(const Image & image, const Publish & publish) {
    const void * const pixels = image.data.data();
    child_talk.say(place_of(pixels));
    ASSERT_EQ(child_talk.hear().inode, kYes.inode) << "the reader cannot protect the pixels";
    ASSERT_TRUE(protect(pixels, PROT_NONE));
    EXPECT_EQ(publish(), PublishResult::kOk);
    EXPECT_EQ(child_talk.hear().inode, kYes.inode) << "the reader has taken something else";
    ASSERT_TRUE(protect(pixels, PROT_READ | PROT_WRITE));
  }
};

TEST_F(ZeroCopy, PixelsAreNotTouchedBetweenProcesses) {
  const auto context = load("rmw_tandem_cpp").create_context(0);
  const auto pub = context->create_publisher(tandem::message_type<Image>(), options());
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
  ASSERT_EQ(child_talk.hear().inode, kYes.inode);
  for (std::uint8_t value = 0; value < 8; ++value) {
    if (value % 2 == 0) {
      auto image = std::make_unique<Image>();
      fill(*image, value);
      publish_blindly(*image, [&] {
        auto owned = tandem::erase_type(std::move(image));
        const auto result = pub->publish(owned);
        EXPECT_FALSE(owned);
        return result;
      });
    } else {
      auto loan = pub->borrow();
      ASSERT_TRUE(loan);
      auto & image = *static_cast<Image *>(loan.data());
      fill(image, value);
      publish_blindly(image, [&] { return pub->publish(std::move(loan)); });
    }
  }
  EXPECT_EQ(pub->copied(), 0u);
  child_talk.say(kNo);
  int status = -1;
  waitpid(child, &status, 0);
  child = -1;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// As a message that was made before a fork(2): its pixels lie where no reader can see them.
TEST_F(ZeroCopy, MessageWithPartsElsewhereIsCopied) {
  const auto context = load("rmw_tandem_cpp").create_context(0);
  const TopicOptions topic{{"/", "test"}, "/elsewhere", Qos{}};
  const auto pub = context->create_publisher(tandem::message_type<Image>(), topic);
  const auto sub = context->create_subscription(tandem::message_type<Image>(), topic);
  const std::vector<std::uint8_t> pixels(1000, 5);
  auto image = std::make_unique<Image>();
  auto * words = reinterpret_cast<std::intptr_t *>(&image->data);  // begin, end and limit, from here
  words[0] = reinterpret_cast<std::intptr_t>(pixels.data()) - reinterpret_cast<std::intptr_t>(words);
  words[1] = words[2] = words[0] + static_cast<std::intptr_t>(pixels.size());
  auto & data = image->data;
  auto owned = tandem::erase_type(std::move(image));
  EXPECT_EQ(pub->publish(owned), PublishResult::kOk);
  ASSERT_TRUE(owned);
  new (&data) std::remove_reference_t<decltype(data)>();
  EXPECT_EQ(pub->copied(), 1u);
  const Sample sample = sub->take();
  ASSERT_TRUE(sample);
  EXPECT_EQ(static_cast<const Image *>(sample.message)->data, pixels);
}

/// Before there is any thread, and before either process has a region.
void start_child() {
  int down[2];
  int up[2];
  if (pipe(down) != 0 || pipe(up) != 0) {
    std::abort();
  }
  child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(down[1]);
    read_blindly({fdopen(down[0], "r"), fdopen(up[1], "w")});
    _exit(0);
  }
  close(down[0]);
  close(up[1]);
  child_talk = {fdopen(up[0], "r"), fdopen(down[1], "w")};
}

}  // namespace

int main(int argc, char ** argv) {
  std::string folder = "/dev/shm/tandem_zero_copy_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  testing::InitGoogleTest(&argc, argv);
  start_child();
  const int result = RUN_ALL_TESTS();
  if (child > 0) {
    kill(child, SIGKILL);
  }
  std::filesystem::remove_all(folder);
  return result;
}
