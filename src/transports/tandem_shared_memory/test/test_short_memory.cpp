// In a region of 32 MiB: what does not fit is refused with a reason, and everything goes on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <new>

#include "sensor_msgs/msg/image.hpp"
#include "tandem/plugin.hpp"

namespace {

using namespace tandem::transport;  // NOLINT: the interface under test
using sensor_msgs::msg::Image;

constexpr std::size_t kMebi = std::size_t{1} << 20;

class ShortMemory : public testing::Test {
 protected:
  /// Publishes an image made by `new` and takes it.
  void pass(std::size_t size) {
    auto image = std::make_unique<Image>();
    image->data.resize(size, 3);
    auto owned = tandem::erase_type(std::move(image));
    ASSERT_EQ(pub_->publish(owned), PublishResult::kOk);
    ASSERT_FALSE(owned);
    const Sample sample = sub_->take();
    ASSERT_TRUE(sample);
    EXPECT_EQ(static_cast<const Image *>(sample.message)->data.size(), size);
  }

  std::shared_ptr<Context> context_ = load("rmw_tandem_cpp").create_context(0);
  const TopicOptions options_{{"/", "test"}, "/camera", Qos{}};
  std::shared_ptr<Publisher> pub_ = context_->create_publisher(tandem::message_type<Image>(), options_);
  std::shared_ptr<Subscription> sub_ = context_->create_subscription(tandem::message_type<Image>(), options_);
};

TEST_F(ShortMemory, ResizeBeyondTheRoomThrows) {
  auto image = std::make_unique<Image>();
  image->data.resize(20 * kMebi, 1);
  Image second;
  EXPECT_THROW(second.data.resize(20 * kMebi), std::bad_alloc);
  EXPECT_TRUE(second.data.empty());
  EXPECT_EQ(image->data.back(), 1);
  pass(kMebi);
  image.reset();
  pass(20 * kMebi);
}

TEST_F(ShortMemory, ARequestWithoutHopeLosesNothing) {
  Image image;
  image.data.resize(kMebi);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(pub_->publish(&image), PublishResult::kOk);
  }
  EXPECT_THROW(Image().data.resize(31 * kMebi), std::bad_alloc);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(sub_->take()) << i;
  }
}

TEST_F(ShortMemory, CopyBeyondTheRoomIsRefused) {
  auto image = std::make_unique<Image>();
  image->data.resize(20 * kMebi);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pub_->publish(image.get()), PublishResult::kNoMemory);
  }
  EXPECT_FALSE(sub_->take());
  image->data.resize(kMebi);
  image->data.shrink_to_fit();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(pub_->publish(image.get()), PublishResult::kOk);
    ASSERT_TRUE(sub_->take());
  }
}

// Three of them fit at one time, fewer than a publisher with plenty of memory uses in turn.
TEST_F(ShortMemory, MemoryOfMessagesThatNobodyNeedsIsFound) {
  for (int i = 0; i < 20; ++i) {
    pass(9 * kMebi);
  }
  for (int i = 0; i < 20; ++i) {
    auto loan = pub_->borrow();
    ASSERT_TRUE(loan);
    static_cast<Image *>(loan.data())->data.resize(9 * kMebi);
    ASSERT_EQ(pub_->publish(std::move(loan)), PublishResult::kOk);
    ASSERT_TRUE(sub_->take());
  }
  Image image;
  image.data.resize(9 * kMebi);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(pub_->publish(&image), PublishResult::kOk);
    ASSERT_TRUE(sub_->take());
  }
}

TEST_F(ShortMemory, AReaderThatLagsIsLapped) {
  Image image;
  image.data.resize(6 * kMebi);
  for (std::uint32_t i = 0; i < 20; ++i) {
    image.height = i;
    ASSERT_EQ(pub_->publish(&image), PublishResult::kOk) << i;
  }
  std::uint32_t last = 0;
  while (const Sample sample = sub_->take()) {
    last = static_cast<const Image *>(sample.message)->height;
  }
  EXPECT_EQ(last, 19u);
  EXPECT_GT(sub_->lost(), 10u);
}

}  // namespace

int main(int argc, char ** argv) {
  std::string folder = "/dev/shm/tandem_short_XXXXXX";
  setenv("TANDEM_SHM_DIR", mkdtemp(folder.data()), 1);
  setenv("TANDEM_REGION_SIZE", "32", 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return result;
}
