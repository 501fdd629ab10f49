// PointCloud2 as a container: its layout and size (PointCloud2Modifier), and walking over one field of all points
// (PointCloud2Iterator, PointCloud2ConstIterator).
//
//   sensor_msgs::PointCloud2Modifier modifier(cloud);
//   modifier.setPointCloud2FieldsByString(2, "xyz", "rgb");
//   modifier.resize(100);
//   sensor_msgs::PointCloud2Iterator<float> x(cloud, "x");
//   sensor_msgs::PointCloud2Iterator<std::uint8_t> r(cloud, "r");
//   for (; x != x.end(); ++x, ++r) {
//     x[0] = 1.0F;  // x[1] is y, x[2] is z
//     *r = 255;
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "sensor_msgs/msg/point_cloud2.hpp"
#include "sensor_msgs/point_field_conversion.hpp"

namespace sensor_msgs {
namespace impl {

inline std::uint32_t size_of_point_field(int datatype) {
  std::uint32_t size = 0;
  with_datatype(datatype, [&](auto known) { size = sizeof(typename pointFieldTypeAsType<known.value>::type); });
  if (size == 0) {
    throw std::runtime_error("PointField of type " + std::to_string(datatype) + " does not exist");
  }
  return size;
}

[[noreturn]] inline void throw_no_field(const std::string & name) {
  throw std::runtime_error("Field " + name + " does not exist");
}

}  // namespace impl
}  // namespace sensor_msgs

// Without a namespace, as packages call them.

/// Bytes of one value. \throws std::runtime_error for a datatype that does not exist.
inline int sizeOfPointField(int datatype) { return static_cast<int>(sensor_msgs::impl::size_of_point_field(datatype)); }

/// Adds a field that begins at `offset` of a point. \return where the next one may begin. \throws as sizeOfPointField().
inline int addPointField(sensor_msgs::msg::PointCloud2 & cloud_msg, std::string_view name, int count, int datatype,
                         int offset) {
  const int end = offset + count * sizeOfPointField(datatype);
  auto & field = cloud_msg.fields.emplace_back();
  field.name = name;
  field.offset = static_cast<std::uint32_t>(offset);
  field.datatype = static_cast<std::uint8_t>(datatype);
  field.count = static_cast<std::uint32_t>(count);
  return end;
}

namespace sensor_msgs {

/// Changes layout and size of a PointCloud2, and keeps its sizes and steps consistent. Holds a reference to the cloud.
/// Not thread-safe. Errors: std::bad_alloc; std::runtime_error for a field or datatype that does not exist.
class PointCloud2Modifier {
 public:
  explicit PointCloud2Modifier(msg::PointCloud2 & cloud_msg) : cloud_msg_(cloud_msg) {}

  /// Points in the cloud; 0 while it has no fields.
  std::size_t size() const { return cloud_msg_.point_step == 0 ? 0 : cloud_msg_.data.size() / cloud_msg_.point_step; }

  /// Makes room for `size` points without changing how many there are.
  void reserve(std::size_t size) { cloud_msg_.data.reserve(size * cloud_msg_.point_step); }

  /// Makes the cloud one of `size` points: in one row, or in one column if it is one; an ordered cloud of that many stays
  /// one. New points are zero.
  void resize(std::size_t size) {
    cloud_msg_.data.resize(size * cloud_msg_.point_step);
    if (std::size_t{cloud_msg_.height} * cloud_msg_.width == size) {
      return;
    }
    const bool is_column = cloud_msg_.height != 1 && cloud_msg_.width == 1;
    set_shape(is_column ? 1 : size, is_column ? size : 1);
  }

  /// Makes the cloud an ordered one.
  void resize(std::uint32_t width, std::uint32_t height) {
    cloud_msg_.data.resize(std::size_t{width} * height * cloud_msg_.point_step);
    set_shape(width, height);
  }

  /// Removes all points; the fields stay.
  void clear() { resize(0); }

  /// Replaces the fields by `n_fields` new ones, given by three arguments each: name, count, datatype. They follow
  /// each other without padding. Points are zero afterwards where there were none.
  template <typename... Arguments>
  void setPointCloud2Fields(int n_fields, Arguments &&... arguments) {
    static_assert(sizeof...(Arguments) % 3 == 0, "three arguments per field: name, count, datatype");
    check_count(n_fields, sizeof...(Arguments) / 3);
    cloud_msg_.fields.clear();
    cloud_msg_.point_step = 0;
    add_fields(std::forward_as_tuple(arguments...), std::make_index_sequence<sizeof...(Arguments) / 3>());
    update_size();
  }

  /// Replaces the fields by `n_fields` usual ones, padded to 16 bytes each: "xyz" are three floats, "rgb" and "rgba" bytes
  /// in one float.
  template <typename... Names>
  void setPointCloud2FieldsByString(int n_fields, const Names &... names) {
    check_count(n_fields, sizeof...(Names));
    cloud_msg_.fields.clear();
    cloud_msg_.point_step = 0;
    (add_usual_field(names), ...);
    update_size();
  }

 private:
  static void check_count(int n_fields, std::size_t given) {
    if (n_fields < 0 || static_cast<std::size_t>(n_fields) != given) {
      throw std::runtime_error("Number of fields is " + std::to_string(n_fields) + ", but " + std::to_string(given) +
                               " are given");
    }
  }

  void add_field(std::string_view name, std::uint32_t count, int datatype) {
    cloud_msg_.point_step = static_cast<std::uint32_t>(
        addPointField(cloud_msg_, name, static_cast<int>(count), datatype, static_cast<int>(cloud_msg_.point_step)));
  }

  template <typename Arguments, std::size_t... Indices>
  void add_fields(const Arguments & arguments, std::index_sequence<Indices...> /*fields*/) {
    (add_field(std::get<3 * Indices>(arguments), static_cast<std::uint32_t>(std::get<3 * Indices + 1>(arguments)),
               static_cast<int>(std::get<3 * Indices + 2>(arguments))),
     ...);
  }

  void add_usual_field(std::string_view name) {
    const std::uint32_t begin = cloud_msg_.point_step;
    if (name == "xyz") {
      for (const char * axis : {"x", "y", "z"}) {
        add_field(axis, 1, msg::PointField::FLOAT32);
      }
    } else if (name == "rgb" || name == "rgba") {
      add_field(name, 1, msg::PointField::FLOAT32);
    } else {
      impl::throw_no_field(std::string(name));
    }
    cloud_msg_.point_step = begin + 16;
  }

  void set_shape(std::size_t width, std::size_t height) {
    cloud_msg_.width = static_cast<std::uint32_t>(width);
    cloud_msg_.height = static_cast<std::uint32_t>(height);
    cloud_msg_.row_step = cloud_msg_.width * cloud_msg_.point_step;
  }

  void update_size() { resize(cloud_msg_.width, cloud_msg_.height); }

  msg::PointCloud2 & cloud_msg_;
};

namespace impl {

/// Bytes from the start of a point to the field, or to a byte of the packed colour: "r", "g", "b", "a".
inline std::size_t offset_of_field(const msg::PointCloud2 & cloud, const std::string & name) {
  for (const auto & field : cloud.fields) {
    if (field.name == name) {
      return field.offset;
    }
  }
  const std::size_t channel = std::string_view("bgra").find(name);  // in little-endian order
  if (name.size() == 1 && channel != std::string_view::npos) {
    for (const auto & field : cloud.fields) {
      if (field.name == "rgb" || field.name == "rgba") {
        return field.offset + (cloud.is_bigendian ? 3 - channel : channel);
      }
    }
  }
  throw_no_field(name);
}

/// What both iterators are. Derived is the iterator itself, T the value with its constness.
/// The value may lie unaligned, as PointCloud2 packs it.
template <typename Derived, typename T, typename Byte, typename Cloud>
class PointCloud2IteratorBase {
 public:
  PointCloud2IteratorBase() = default;

  PointCloud2IteratorBase(Cloud & cloud_msg, const std::string & field_name) : point_step_(cloud_msg.point_step) {
    const std::size_t offset = offset_of_field(cloud_msg, field_name);
    const std::size_t points = point_step_ == 0 ? 0 : cloud_msg.data.size() / point_step_;
    if (points == 0) {
      return;
    }
    if (offset >= point_step_ || point_step_ - offset < sizeof(T)) {
      throw std::runtime_error("Field " + field_name + " at offset " + std::to_string(offset) +
                               " does not fit into a point of " + std::to_string(point_step_) + " bytes");
    }
    data_ = cloud_msg.data.data() + offset;
    end_ = data_ + points * point_step_;
  }

  T & operator*() const { return *value(); }
  T * operator->() const { return value(); }
  /// The i-th value from here, for fields that lie behind one another such as x, y, z.
  T & operator[](std::size_t i) const { return value()[i]; }

  Derived & operator++() { return *this += 1; }
  Derived & operator+=(int i) {
    data_ += i * static_cast<std::ptrdiff_t>(point_step_);
    return self();
  }
  Derived operator+(int i) const {
    Derived result = self();
    return result += i;
  }

  bool operator==(const Derived & other) const { return data_ == other.data_; }
  bool operator!=(const Derived & other) const { return data_ != other.data_; }

  /// Behind the last point.
  Derived end() const {
    Derived result = self();
    result.data_ = end_;
    return result;
  }

 private:
  T * value() const { return reinterpret_cast<T *>(data_); }
  Derived & self() { return static_cast<Derived &>(*this); }
  const Derived & self() const { return static_cast<const Derived &>(*this); }

  std::size_t point_step_ = 0;
  Byte * data_ = nullptr;
  Byte * end_ = nullptr;
};

}  // namespace impl

/// Walks over a field of all points. Valid as long as the cloud's data is not resized. T need not be the field's type:
/// "r", "g", "b" and "a" are the bytes of a field "rgb" or "rgba".
/// \throws std::runtime_error if the cloud has no such field, or its points are too small for it.
template <typename T>
class PointCloud2Iterator
    : public impl::PointCloud2IteratorBase<PointCloud2Iterator<T>, T, unsigned char, msg::PointCloud2> {
 public:
  using impl::PointCloud2IteratorBase<PointCloud2Iterator<T>, T, unsigned char,
                                      msg::PointCloud2>::PointCloud2IteratorBase;
};

/// The same, for reading only.
template <typename T>
class PointCloud2ConstIterator : public impl::PointCloud2IteratorBase<PointCloud2ConstIterator<T>, const T,
                                                                      const unsigned char, const msg::PointCloud2> {
 public:
  using impl::PointCloud2IteratorBase<PointCloud2ConstIterator<T>, const T, const unsigned char,
                                      const msg::PointCloud2>::PointCloud2IteratorBase;
};

}  // namespace sensor_msgs
