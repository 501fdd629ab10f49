find_package(launch_testing_ament_cmake REQUIRED)

include("${ros_testing_DIR}/add_ros_test.cmake")
