// A message in C: its functions, its strings and its sequences.
#include <stdio.h>

#include "rosidl_runtime_c/string_functions.h"
#include "text_msgs/msg/line.h"
#include "text_msgs/msg/text.h"

int main(void) {
  text_msgs__msg__Text text;
  if (!text_msgs__msg__Text__init(&text) || !text_msgs__msg__Line__Sequence__init(&text.lines, 2)) return 1;
  if (!rosidl_runtime_c__String__assign(&text.lines.data[1].words, "some words")) return 1;
  text.box[2] = 2.5;
  text_msgs__msg__Text * copy = text_msgs__msg__Text__create();
  if (!copy || !text_msgs__msg__Text__copy(&text, copy) || !text_msgs__msg__Text__are_equal(&text, copy)) return 1;
  printf("%s %u %zu %s %g\n", copy->title.words.data, (unsigned)copy->title.number, copy->lines.size,
         copy->lines.data[1].words.data, copy->box[2]);
  text_msgs__msg__Text__destroy(copy);
  text_msgs__msg__Text__fini(&text);
  return 0;
}
