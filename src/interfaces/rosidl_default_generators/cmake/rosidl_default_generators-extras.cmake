# Messages in C beside those in C++, by rosidl's own generator, if -DTANDEM_C_MESSAGES=ON asks for them.
if(TANDEM_C_MESSAGES)
  find_package(rosidl_generator_c QUIET)
  if(NOT rosidl_generator_c_FOUND)
    message(FATAL_ERROR "TANDEM_C_MESSAGES needs rosidl_generator_c: install Debian's rosidl-generator-c-cpp")
  endif()
  enable_language(C)
endif()
