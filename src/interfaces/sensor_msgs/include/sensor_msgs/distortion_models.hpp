// Values of CameraInfo's field distortion_model: how a lens bends straight lines.
#pragma once

namespace sensor_msgs {
namespace distortion_models {

inline constexpr char PLUMB_BOB[] = "plumb_bob";                      ///< d: k1, k2, t1, t2, k3 (Brown-Conrady)
inline constexpr char RATIONAL_POLYNOMIAL[] = "rational_polynomial";  ///< d: k1, k2, t1, t2, k3, k4, k5, k6
inline constexpr char EQUIDISTANT[] = "equidistant";                  ///< d: k1, k2, k3, k4 (fisheye)

}  // namespace distortion_models
}  // namespace sensor_msgs
