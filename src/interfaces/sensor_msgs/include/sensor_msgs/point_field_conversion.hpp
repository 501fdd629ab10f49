// PointField's datatypes as C++ types, and reading values of a PointCloud2 whatever their datatype.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sensor_msgs/msg/point_field.hpp"

namespace sensor_msgs {

/// pointFieldTypeAsType<msg::PointField::FLOAT32>::type is float.
template <int>
struct pointFieldTypeAsType {};

/// typeAsPointFieldType<float>::value is msg::PointField::FLOAT32.
template <typename>
struct typeAsPointFieldType {};

namespace impl {

template <typename T>
struct PointFieldType {
  using type = T;
};

template <std::uint8_t Datatype>
using PointFieldValue = std::integral_constant<std::uint8_t, Datatype>;

}  // namespace impl

// clang-format off
template <> struct pointFieldTypeAsType<msg::PointField::INT8> : impl::PointFieldType<std::int8_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::UINT8> : impl::PointFieldType<std::uint8_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::INT16> : impl::PointFieldType<std::int16_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::UINT16> : impl::PointFieldType<std::uint16_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::INT32> : impl::PointFieldType<std::int32_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::UINT32> : impl::PointFieldType<std::uint32_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::INT64> : impl::PointFieldType<std::int64_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::UINT64> : impl::PointFieldType<std::uint64_t> {};
template <> struct pointFieldTypeAsType<msg::PointField::FLOAT32> : impl::PointFieldType<float> {};
template <> struct pointFieldTypeAsType<msg::PointField::FLOAT64> : impl::PointFieldType<double> {};
template <> struct pointFieldTypeAsType<msg::PointField::BOOL> : impl::PointFieldType<bool> {};

template <> struct typeAsPointFieldType<std::int8_t> : impl::PointFieldValue<msg::PointField::INT8> {};
template <> struct typeAsPointFieldType<std::uint8_t> : impl::PointFieldValue<msg::PointField::UINT8> {};
template <> struct typeAsPointFieldType<std::int16_t> : impl::PointFieldValue<msg::PointField::INT16> {};
template <> struct typeAsPointFieldType<std::uint16_t> : impl::PointFieldValue<msg::PointField::UINT16> {};
template <> struct typeAsPointFieldType<std::int32_t> : impl::PointFieldValue<msg::PointField::INT32> {};
template <> struct typeAsPointFieldType<std::uint32_t> : impl::PointFieldValue<msg::PointField::UINT32> {};
template <> struct typeAsPointFieldType<std::int64_t> : impl::PointFieldValue<msg::PointField::INT64> {};
template <> struct typeAsPointFieldType<std::uint64_t> : impl::PointFieldValue<msg::PointField::UINT64> {};
template <> struct typeAsPointFieldType<float> : impl::PointFieldValue<msg::PointField::FLOAT32> {};
template <> struct typeAsPointFieldType<double> : impl::PointFieldValue<msg::PointField::FLOAT64> {};
template <> struct typeAsPointFieldType<bool> : impl::PointFieldValue<msg::PointField::BOOL> {};
// clang-format on

/// The value of datatype `Datatype` at `data` as a T. `data` need not be aligned; values are in the machine's byte order.
template <int Datatype, typename T>
inline T readPointCloud2BufferValue(const unsigned char * data) {
  using Stored = typename pointFieldTypeAsType<Datatype>::type;
  if constexpr (std::is_same_v<Stored, bool>) {
    return static_cast<T>(*data != 0);
  } else {
    Stored value;
    std::memcpy(&value, data, sizeof(value));
    return static_cast<T>(value);
  }
}

namespace impl {

/// Calls f with PointFieldValue<datatype>. \return false if there is no such datatype.
template <typename F>
inline bool with_datatype(int datatype, F && f) {
  using Type = msg::PointField;
  // clang-format off
  switch (datatype) {
    case Type::INT8: f(PointFieldValue<Type::INT8>()); return true;
    case Type::UINT8: f(PointFieldValue<Type::UINT8>()); return true;
    case Type::INT16: f(PointFieldValue<Type::INT16>()); return true;
    case Type::UINT16: f(PointFieldValue<Type::UINT16>()); return true;
    case Type::INT32: f(PointFieldValue<Type::INT32>()); return true;
    case Type::UINT32: f(PointFieldValue<Type::UINT32>()); return true;
    case Type::INT64: f(PointFieldValue<Type::INT64>()); return true;
    case Type::UINT64: f(PointFieldValue<Type::UINT64>()); return true;
    case Type::FLOAT32: f(PointFieldValue<Type::FLOAT32>()); return true;
    case Type::FLOAT64: f(PointFieldValue<Type::FLOAT64>()); return true;
    case Type::BOOL: f(PointFieldValue<Type::BOOL>()); return true;
    default: return false;
  }
  // clang-format on
}

}  // namespace impl

/// The same with a datatype known at run time only; T() for one that does not exist.
template <typename T>
inline T readPointCloud2BufferValue(const unsigned char * data, unsigned char datatype) {
  T value{};
  impl::with_datatype(datatype, [&](auto known) { value = readPointCloud2BufferValue<known.value, T>(data); });
  return value;
}

}  // namespace sensor_msgs
