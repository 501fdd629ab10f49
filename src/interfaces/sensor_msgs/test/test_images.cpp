// Image encodings, and filling an image.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sensor_msgs/distortion_models.hpp"
#include "sensor_msgs/fill_image.hpp"
#include "sensor_msgs/image_encodings.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace enc = sensor_msgs::image_encodings;

TEST(ImageEncodings, ChannelsAndBits) {
  const struct {
    const char * name;
    int channels;
    int bits;
  } cases[] = {
      {enc::MONO8, 1, 8},       {enc::MONO16, 1, 16},   {enc::RGB8, 3, 8},        {enc::BGR16, 3, 16},
      {enc::RGBA8, 4, 8},       {enc::BGRA16, 4, 16},   {enc::BAYER_RGGB8, 1, 8}, {enc::BAYER_GRBG16, 1, 16},
      {enc::YUYV, 2, 8},        {enc::UYVY, 2, 8},      {enc::NV12, 1, 8},        {enc::NV21, 1, 8},
      {enc::NV24, 2, 8},        {enc::TYPE_8UC1, 1, 8}, {enc::TYPE_16SC4, 4, 16}, {enc::TYPE_32FC2, 2, 32},
      {enc::TYPE_64FC3, 3, 64}, {"8UC", 1, 8},          {"16UC12", 12, 16},       {"32SC0", 0, 32},
  };
  for (const auto & expected : cases) {
    EXPECT_EQ(enc::numChannels(expected.name), expected.channels) << expected.name;
    EXPECT_EQ(enc::bitDepth(expected.name), expected.bits) << expected.name;
  }
}

TEST(ImageEncodings, UnknownNamesAreRefused) {
  for (const char * name : {"", "rgb", "RGB8", "rgb8 ", "8", "8U", "8XC1", "8UC1x", "8UC-1", "24UC1", "8UC99999"}) {
    EXPECT_THROW(enc::numChannels(name), std::runtime_error) << name;
    EXPECT_THROW(enc::bitDepth(name), std::runtime_error) << name;
    EXPECT_FALSE(enc::isColor(name) || enc::isMono(name) || enc::isBayer(name) || enc::hasAlpha(name)) << name;
  }
}

TEST(ImageEncodings, Kinds) {
  EXPECT_TRUE(enc::isColor(enc::RGB8) && enc::isColor(enc::BGRA16) && enc::isColor(enc::NV12) &&
              enc::isColor(enc::YUV422));
  EXPECT_FALSE(enc::isColor(enc::MONO8) || enc::isColor(enc::BAYER_BGGR8) || enc::isColor(enc::TYPE_8UC3));
  EXPECT_TRUE(enc::isMono(enc::MONO8) && enc::isMono(enc::MONO16));
  EXPECT_FALSE(enc::isMono(enc::TYPE_8UC1) || enc::isMono(enc::RGB8));
  EXPECT_TRUE(enc::isBayer(enc::BAYER_GBRG16) && !enc::isBayer(enc::MONO8));
  EXPECT_TRUE(enc::hasAlpha(enc::BGRA8) && !enc::hasAlpha(enc::BGR8));
  EXPECT_TRUE(enc::isPlanar(enc::NV24) && !enc::isPlanar(enc::YUYV));
  EXPECT_EQ(enc::getHeightScaling(enc::NV12), 1.5F);
  EXPECT_EQ(enc::getHeightScaling(enc::RGB8), 1.0F);
}

TEST(ImageEncodings, TakeTheFieldAsItIs) {
  sensor_msgs::msg::Image image;
  image.encoding = enc::BAYER_GRBG16;
  EXPECT_EQ(enc::bitDepth(image.encoding), 16);
  EXPECT_TRUE(enc::isBayer(image.encoding));
  EXPECT_TRUE(image.encoding == enc::BAYER_GRBG16);
  const std::string copy = enc::MONO8;
  EXPECT_TRUE(enc::isMono(copy));
}

TEST(FillImage, CopiesAndClears) {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6, 7, 8};
  sensor_msgs::msg::Image image;
  image.header.frame_id = "camera";
  EXPECT_TRUE(sensor_msgs::fillImage(image, enc::MONO8, 2, 3, 4, pixels.data()));
  EXPECT_EQ(image.encoding, "mono8");
  EXPECT_EQ(image.height, 2U);
  EXPECT_EQ(image.width, 3U);
  EXPECT_EQ(image.step, 4U);
  EXPECT_TRUE(image.data == pixels);
  EXPECT_EQ(image.header.frame_id, "camera");

  sensor_msgs::clearImage(image);
  EXPECT_TRUE(image.data.empty());
  EXPECT_EQ(image.width, 3U);
  EXPECT_TRUE(sensor_msgs::fillImage(image, enc::MONO8, 0, 0, 0, nullptr));
}

TEST(DistortionModels, Names) {
  EXPECT_EQ(std::string(sensor_msgs::distortion_models::PLUMB_BOB), "plumb_bob");
  EXPECT_EQ(std::string(sensor_msgs::distortion_models::EQUIDISTANT), "equidistant");
}
