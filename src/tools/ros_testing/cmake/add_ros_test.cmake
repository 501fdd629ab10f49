# add_ros_test(FILE [arguments of add_launch_test]...)
#
# As add_launch_test(), run by `ros2 test`: in a ROS_DOMAIN_ID of its own, unless that is set.
function(add_ros_test filename)
  launch_testing_add_test("${filename}" ros_test "ros2;test" ${ARGN})
endfunction()
