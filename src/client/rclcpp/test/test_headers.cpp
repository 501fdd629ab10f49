// What sources written for rclcpp use without including it. No precompiled header: RCLCPP_TEST_HEADER is all there is. Compiling is
// the test.
#include RCLCPP_TEST_HEADER

void logs_from_any_header() {
  RCLCPP_ERROR(rclcpp::get_logger("headers"), "%d", 1);
  RCUTILS_LOG_WARN("%d", 2);
}

#ifdef RCLCPP_TEST_STANDARD
std::mutex mutex;

char * demangles(const char * name, int & status) { return abi::__cxa_demangle(name, nullptr, nullptr, &status); }

int uses_the_standard_library(const char * text) {
  const std::lock_guard<std::mutex> lock(mutex);
  assert(std::strlen(text) != 0);
  const int numbers[] = {1, 2};
  std::cout << text << std::min(1, 2) << std::endl;
  return std::accumulate(std::begin(numbers), std::end(numbers), 0);
}
#endif
