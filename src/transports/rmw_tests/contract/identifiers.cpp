// The names of the two introspections, which libraries of ROS 2 have.
extern "C" {
extern const char * rosidl_typesupport_introspection_c__identifier;
const char * rosidl_typesupport_introspection_c__identifier = "rosidl_typesupport_introspection_c";
}

namespace rosidl_typesupport_introspection_cpp {
extern const char * typesupport_identifier;
const char * typesupport_identifier = "rosidl_typesupport_introspection_cpp";
}  // namespace rosidl_typesupport_introspection_cpp
