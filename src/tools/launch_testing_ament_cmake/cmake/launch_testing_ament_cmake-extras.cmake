find_package(ament_cmake_test REQUIRED)
find_package(ament_cmake_python REQUIRED) # the interpreter

include("${launch_testing_ament_cmake_DIR}/add_launch_test.cmake")
