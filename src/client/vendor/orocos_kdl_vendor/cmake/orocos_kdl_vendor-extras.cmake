find_package(orocos_kdl REQUIRED)
# Packages link the target that KDL's own build exports, and Debian's does not. KDL's headers include Eigen's.
if(NOT TARGET orocos-kdl)
  find_library(orocos_kdl_LIBRARY orocos-kdl REQUIRED)
  add_library(orocos-kdl SHARED IMPORTED)
  set_target_properties(orocos-kdl PROPERTIES
    IMPORTED_LOCATION "${orocos_kdl_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${orocos_kdl_INCLUDE_DIRS}")
endif()
