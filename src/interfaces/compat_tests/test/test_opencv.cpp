// Idioms of docs/reference/compat.md, by number: OpenCV's functions, with a namespace cv that has their signatures and no more.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sensor_msgs/msg/compressed_image.hpp"

namespace cv {

constexpr int IMREAD_COLOR = 1;

class Mat {
 public:
  Mat() = default;
  Mat(int rows_, int columns, int type, void * elements)
      : rows(rows_), data(static_cast<unsigned char *>(elements)), is_bytes(columns == 1 && type == 0) {}
  template <class T>
  explicit Mat(const std::vector<T> & elements) : Mat(static_cast<int>(elements.size()), 1, 0, nullptr) {}

  int rows = 0;
  unsigned char * data = nullptr;
  bool is_bytes = false;
};

template <>
class DataType<unsigned char> {
 public:
  enum { type = 0 };
};

/// What a function of OpenCV takes: made of a Mat.
class InputArray {
 public:
  InputArray(const Mat & mat) : mat_(&mat) {}
  const Mat & mat() const { return *mat_; }

 private:
  const Mat * mat_;
};

bool imencode(const std::string & extension, const InputArray & image, std::vector<unsigned char> & bytes,
              const std::vector<int> & parameters = {}) {
  bytes.assign(static_cast<std::size_t>(image.mat().rows), static_cast<unsigned char>(parameters.size()));
  bytes.insert(bytes.end(), extension.begin(), extension.end());
  return true;
}

Mat imdecode(const InputArray & bytes, int) { return bytes.mat(); }

}  // namespace cv

namespace {

using sensor_msgs::msg::CompressedImage;

TEST(Compat126, EncodesIntoAMessage) {
  CompressedImage compressed;
  const cv::Mat image(2, 1, 0, nullptr);
  const std::vector<int> params = {1, 95};
  std::size_t sent = 0;
  if (cv::imencode(".jpg", image, compressed.data, params)) {
    sent = compressed.data.size();
  }
  EXPECT_EQ(sent, 6u);
  EXPECT_EQ(compressed.data, (std::vector<unsigned char>{2, 2, '.', 'j', 'p', 'g'}));
}

TEST(Compat127, EncodesWithoutParameters) {
  CompressedImage compressed;
  const cv::Mat image(1, 1, 0, nullptr);
  const std::string format = "png";
  cv::imencode("." + format, image, compressed.data);
  EXPECT_EQ(compressed.data, (std::vector<unsigned char>{0, '.', 'p', 'n', 'g'}));
}

TEST(Compat128, DecodesFromAMessageWithoutACopy) {
  const auto message = std::make_shared<CompressedImage>();
  message->data = {1, 2, 3};
  const cv::Mat image = cv::imdecode(cv::Mat(message->data), cv::IMREAD_COLOR);
  EXPECT_EQ(image.rows, 3);
  EXPECT_EQ(image.data, message->data.data());
  EXPECT_TRUE(image.is_bytes);
}

}  // namespace
