// The names of the message types, for those who need no types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace performance_test {

// One line per type and group; the groups are compiled separately.
#define PERFORMANCE_TEST_ARRAYS(X) \
  X(Array1k)                       \
  X(Array4k) X(Array16k) X(Array32k) X(Array60k) X(Array64k) X(Array256k) X(Array1m) X(Array2m) X(Array4m) X(Array8m)
// clang-format off
#define PERFORMANCE_TEST_BOUNDED(X) \
  X(BoundedSequence1k) X(BoundedSequence4k) X(BoundedSequence16k) X(BoundedSequence32k) X(BoundedSequence64k) \
  X(BoundedSequence256k) X(BoundedSequence1m) X(BoundedSequence2m) X(BoundedSequence4m) X(BoundedSequence8m)
// clang-format on
#define PERFORMANCE_TEST_UNBOUNDED(X) X(UnboundedSequence) X(UnboundedString)
#define PERFORMANCE_TEST_STRUCTS(X) \
  X(Struct16) X(Struct256) X(Struct4k) X(Struct32k) X(NavSatFix) X(RadarDetection) X(RadarTrack) X(Range)
#define PERFORMANCE_TEST_POINT_CLOUDS(X) \
  X(PointCloud512k) X(PointCloud1m) X(PointCloud2m) X(PointCloud4m) X(PointCloud8m)

inline const std::vector<std::string> & message_names() {
#define PERFORMANCE_TEST_NAME(TYPE) #TYPE,
  static const std::vector<std::string> names = {
      PERFORMANCE_TEST_ARRAYS(PERFORMANCE_TEST_NAME)  //
      PERFORMANCE_TEST_BOUNDED(PERFORMANCE_TEST_NAME) PERFORMANCE_TEST_UNBOUNDED(PERFORMANCE_TEST_NAME)
          PERFORMANCE_TEST_STRUCTS(PERFORMANCE_TEST_NAME) PERFORMANCE_TEST_POINT_CLOUDS(PERFORMANCE_TEST_NAME)};
#undef PERFORMANCE_TEST_NAME
  return names;
}

/// Whether the type's messages are as large as --unbounded-msg-size says.
inline bool is_unbounded(std::string_view name) { return name.starts_with("Unbounded"); }

}  // namespace performance_test
