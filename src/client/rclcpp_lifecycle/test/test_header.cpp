// Each header by itself.
#include RCLCPP_LIFECYCLE_TEST_HEADER
