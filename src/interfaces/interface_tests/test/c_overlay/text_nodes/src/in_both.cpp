// The message in C and that in C++ in one source.
#include <cstdio>

#include "rosidl_runtime_c/string_functions.h"
#include "text_msgs/msg/line.h"
#include "text_msgs/msg/line.hpp"

int main() {
  text_msgs__msg__Line * in_c = text_msgs__msg__Line__create();
  text_msgs::msg::Line in_cpp;
  in_cpp.words = "from C++";
  if (!rosidl_runtime_c__String__assignn(&in_c->words, in_cpp.words.data(), in_cpp.words.size())) return 1;
  std::printf("%s %u %u\n", in_c->words.data, static_cast<unsigned>(in_c->number), in_cpp.number);
  text_msgs__msg__Line__destroy(in_c);
}
