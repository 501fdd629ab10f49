// The messages of ROS 2 that the tests know, in C and in C++.
#pragma once

#include <interface_tests/msg/arrays.h>
#include <interface_tests/msg/bounded.h>
#include <interface_tests/msg/defaults.h>
#include <interface_tests/msg/empty.h>
#include <interface_tests/msg/nested.h>
#include <interface_tests/msg/padded.h>
#include <interface_tests/msg/primitives.h>
#include <interface_tests/msg/sequences.h>
#include <interface_tests/msg/strings.h>
#include <interface_tests/msg/variable_defaults.h>
#include <sensor_msgs/msg/image.h>
#include <sensor_msgs/msg/point_cloud2.h>
#include <std_msgs/msg/header.h>
#include <std_srvs/srv/set_bool.h>
#include <interface_tests/msg/arrays.hpp>
#include <interface_tests/msg/bounded.hpp>
#include <interface_tests/msg/defaults.hpp>
#include <interface_tests/msg/empty.hpp>
#include <interface_tests/msg/nested.hpp>
#include <interface_tests/msg/padded.hpp>
#include <interface_tests/msg/primitives.hpp>
#include <interface_tests/msg/sequences.hpp>
#include <interface_tests/msg/strings.hpp>
#include <interface_tests/msg/variable_defaults.hpp>
#include <rosidl_typesupport_introspection_cpp/message_type_support_decl.hpp>
#include <rosidl_typesupport_introspection_cpp/service_type_support_decl.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <std_msgs/msg/header.hpp>
#include <std_msgs/msg/string.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <std_srvs/srv/set_bool.hpp>

template <class T>
const rosidl_message_type_support_t * type_support() {
  return rosidl_typesupport_introspection_cpp::get_message_type_support_handle<T>();
}
