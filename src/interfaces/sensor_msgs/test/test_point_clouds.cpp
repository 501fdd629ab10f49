// Layout of point clouds, and walking over them.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sensor_msgs/msg/point_cloud2.hpp"
#include "sensor_msgs/point_cloud2_iterator.hpp"
#include "sensor_msgs/point_field_conversion.hpp"

using sensor_msgs::PointCloud2ConstIterator;
using sensor_msgs::PointCloud2Iterator;
using sensor_msgs::PointCloud2Modifier;
using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

TEST(PointCloud2, FieldsAreAddedByHand) {
  sensor_msgs::msg::PointCloud2 cloud;
  int offset = addPointField(cloud, "intensity", 2, sensor_msgs::msg::PointField::FLOAT32, 4);
  EXPECT_EQ(offset, 4 + 2 * sizeOfPointField(sensor_msgs::msg::PointField::FLOAT32));
  offset = addPointField(cloud, std::string("ring"), 1, sensor_msgs::msg::PointField::UINT16, offset);
  EXPECT_EQ(offset, 14);
  ASSERT_EQ(cloud.fields.size(), 2u);
  EXPECT_EQ(cloud.fields[1].name, "ring");
  EXPECT_EQ(cloud.fields[1].offset, 12u);
  EXPECT_EQ(cloud.fields[1].count, 1u);
  EXPECT_THROW(addPointField(cloud, "odd", 1, 77, offset), std::runtime_error);
  EXPECT_EQ(cloud.fields.size(), 2u);
}

TEST(PointCloud2Modifier, UsualFieldsArePadded) {
  PointCloud2 cloud;
  cloud.height = 1;
  cloud.width = 4;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2FieldsByString(2, "xyz", "rgb");
  ASSERT_EQ(cloud.fields.size(), 4U);
  EXPECT_EQ(cloud.fields[2].name, "z");
  EXPECT_EQ(cloud.fields[2].offset, 8U);
  EXPECT_EQ(cloud.fields[3].name, "rgb");
  EXPECT_EQ(cloud.fields[3].offset, 16U);
  EXPECT_EQ(cloud.fields[3].datatype, PointField::FLOAT32);
  EXPECT_EQ(cloud.point_step, 32U);
  EXPECT_EQ(cloud.row_step, 128U);
  EXPECT_EQ(modifier.size(), 4U);
  EXPECT_EQ(cloud.data.size(), 128U);
}

TEST(PointCloud2Modifier, FieldsByHandArePacked) {
  PointCloud2 cloud;
  cloud.height = 2;
  cloud.width = 3;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2Fields(3, "id", 1, PointField::UINT16, "normal", 3, PointField::FLOAT64, "valid", 1,
                                PointField::BOOL);
  ASSERT_EQ(cloud.fields.size(), 3U);
  EXPECT_EQ(cloud.fields[1].offset, 2U);
  EXPECT_EQ(cloud.fields[1].count, 3U);
  EXPECT_EQ(cloud.fields[2].offset, 26U);
  EXPECT_EQ(cloud.point_step, 27U);
  EXPECT_EQ(cloud.row_step, 81U);
  EXPECT_EQ(cloud.data.size(), 162U);
}

TEST(PointCloud2Modifier, WrongFieldsAreRefused) {
  PointCloud2 cloud;
  PointCloud2Modifier modifier(cloud);
  EXPECT_THROW(modifier.setPointCloud2FieldsByString(1, "xy"), std::runtime_error);
  EXPECT_THROW(modifier.setPointCloud2FieldsByString(2, "xyz"), std::runtime_error);
  EXPECT_THROW(modifier.setPointCloud2Fields(1, "x", 1, 99), std::runtime_error);
  EXPECT_THROW(modifier.setPointCloud2Fields(2, "x", 1, PointField::INT8), std::runtime_error);
  EXPECT_EQ(PointCloud2Modifier(cloud).size(), 0U);
}

TEST(PointCloud2Modifier, SizesStayConsistent) {
  PointCloud2 cloud;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2FieldsByString(1, "xyz");
  modifier.reserve(100);
  EXPECT_EQ(modifier.size(), 0U);
  modifier.resize(10);
  EXPECT_EQ(cloud.width, 10U);
  EXPECT_EQ(cloud.height, 1U);
  EXPECT_EQ(cloud.row_step, 160U);
  modifier.resize(4, 5);
  EXPECT_EQ(cloud.width, 4U);
  EXPECT_EQ(cloud.height, 5U);
  EXPECT_EQ(cloud.row_step, 64U);
  modifier.resize(20);
  EXPECT_EQ(cloud.height, 5U);
  modifier.resize(1, 7);
  modifier.resize(8);
  EXPECT_EQ(cloud.width, 1U);
  EXPECT_EQ(cloud.height, 8U);
  modifier.clear();
  EXPECT_EQ(modifier.size(), 0U);
  EXPECT_EQ(cloud.width * cloud.height, 0U);
}

TEST(PointCloud2Iterator, WritesAndReads) {
  PointCloud2 cloud;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2FieldsByString(2, "xyz", "rgba");
  modifier.resize(3);
  PointCloud2Iterator<float> x(cloud, "x");
  PointCloud2Iterator<float> y(cloud, "y");
  PointCloud2Iterator<std::uint8_t> r(cloud, "r");
  PointCloud2Iterator<std::uint8_t> a(cloud, "a");
  int points = 0;
  for (; x != x.end(); ++x, ++y, ++r, ++a) {
    *x = static_cast<float>(points);
    *y = static_cast<float>(10 * points);
    x[2] = static_cast<float>(100 * points);
    *r = static_cast<std::uint8_t>(points);
    *a = 255;
    ++points;
  }
  EXPECT_EQ(points, 3);

  const PointCloud2 & sent = cloud;
  PointCloud2ConstIterator<float> z(sent, "z");
  static_assert(std::is_same_v<decltype(*z), const float &>);
  z += 2;
  EXPECT_EQ(*z, 200.0F);
  EXPECT_EQ(*(PointCloud2ConstIterator<float>(sent, "y") + 1), 10.0F);
  EXPECT_EQ(PointCloud2ConstIterator<float>(sent, "x")[1], 0.0F);
  EXPECT_EQ(cloud.data[2 * 32 + 16 + 2], 2);    // red
  EXPECT_EQ(cloud.data[2 * 32 + 16 + 3], 255);  // alpha

  PointCloud2ConstIterator<float> assigned(sent, "x");
  assigned = z;
  EXPECT_FALSE(assigned != z);
}

TEST(PointCloud2Iterator, PackedColoursFollowTheByteOrder) {
  PointCloud2 cloud;
  cloud.is_bigendian = true;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2FieldsByString(1, "rgb");
  modifier.resize(1);
  for (std::uint8_t i = 0; i < 4; ++i) {
    cloud.data[i] = i;
  }
  EXPECT_EQ(*PointCloud2ConstIterator<std::uint8_t>(cloud, "a"), 0);
  EXPECT_EQ(*PointCloud2ConstIterator<std::uint8_t>(cloud, "r"), 1);
  EXPECT_EQ(*PointCloud2ConstIterator<std::uint8_t>(cloud, "g"), 2);
  EXPECT_EQ(*PointCloud2ConstIterator<std::uint8_t>(cloud, "b"), 3);
}

TEST(PointCloud2Iterator, CloudsThatLieAreRefused) {
  PointCloud2 cloud;
  EXPECT_THROW(PointCloud2Iterator<float>(cloud, "x"), std::runtime_error);
  EXPECT_THROW(PointCloud2Iterator<float>(cloud, "r"), std::runtime_error);
  PointCloud2Modifier(cloud).setPointCloud2FieldsByString(1, "xyz");
  PointCloud2Iterator<float> none(cloud, "x");
  EXPECT_FALSE(none != none.end());

  cloud.data.resize(40);  // two and a half points
  PointCloud2Iterator<float> some(cloud, "z");
  EXPECT_FALSE(some + 2 != some.end());
  cloud.fields[2].offset = 13;
  EXPECT_THROW(PointCloud2Iterator<float>(cloud, "z"), std::runtime_error);
  cloud.fields[2].offset = 0xFFFFFFFF;
  EXPECT_THROW(PointCloud2Iterator<float>(cloud, "z"), std::runtime_error);
  cloud.point_step = 0;
  PointCloud2Iterator<float> empty(cloud, "x");
  EXPECT_FALSE(empty != empty.end());
}

template <typename T>
void expect_read(T written, std::uint8_t datatype) {
  unsigned char bytes[sizeof(double) + 1] = {};  // room for any: the compiler sees all that might be read
  std::memcpy(bytes + 1, &written, sizeof(T));
  EXPECT_EQ(sensor_msgs::readPointCloud2BufferValue<double>(bytes + 1, datatype), static_cast<double>(written));
  EXPECT_EQ(sensor_msgs::typeAsPointFieldType<T>::value, datatype);
}

TEST(PointFieldConversion, EveryDatatype) {
  expect_read<std::int8_t>(-100, PointField::INT8);
  expect_read<std::uint8_t>(200, PointField::UINT8);
  expect_read<std::int16_t>(-30000, PointField::INT16);
  expect_read<std::uint16_t>(60000, PointField::UINT16);
  expect_read<std::int32_t>(-2000000000, PointField::INT32);
  expect_read<std::uint32_t>(4000000000U, PointField::UINT32);
  expect_read<std::int64_t>(-4000000000000, PointField::INT64);
  expect_read<std::uint64_t>(4000000000000U, PointField::UINT64);
  expect_read<float>(1.5F, PointField::FLOAT32);
  expect_read<double>(-2.25, PointField::FLOAT64);
  expect_read<bool>(true, PointField::BOOL);
  const unsigned char bytes[8] = {7};
  EXPECT_EQ(sensor_msgs::readPointCloud2BufferValue<int>(bytes, 99), 0);
  EXPECT_EQ(sensor_msgs::readPointCloud2BufferValue<int>(bytes, PointField::BOOL), 1);
}
