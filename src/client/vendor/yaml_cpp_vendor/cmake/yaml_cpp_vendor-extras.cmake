find_package(yaml-cpp REQUIRED)

# By the name that it has from 0.8 on.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED)
  set_target_properties(yaml-cpp::yaml-cpp PROPERTIES INTERFACE_LINK_LIBRARIES yaml-cpp)
endif()

# What ament_target_dependencies() links.
set(yaml_cpp_vendor_LIBRARIES yaml-cpp::yaml-cpp)
