find_package(ament_cmake_core REQUIRED)

include("${rmw_implementation_cmake_DIR}/rmw_implementations.cmake")
