# rosidl_adapt_interfaces(), which rosidl_generate_interfaces() calls, in place of rosidl_adapter's: what is wrong with a .msg,
# .srv or .action file is told by file and line, of all files at once, and without a traceback.
function(rosidl_adapt_interfaces idl_var arguments_file)
  cmake_parse_arguments(ARG "" "TARGET" "" ${ARGN})
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(_output "${CMAKE_CURRENT_BINARY_DIR}/rosidl_adapter/${ARG_TARGET}.idls")
  execute_process(
    COMMAND
      "${Python3_EXECUTABLE}" -B "${rosidl_generator_tandem_ADAPTER}" --package-name ${PROJECT_NAME} --arguments-file
      "${arguments_file}" --output-dir "${CMAKE_CURRENT_BINARY_DIR}/rosidl_adapter/${PROJECT_NAME}" --output-file
      "${_output}"
    ERROR_VARIABLE _errors
    RESULT_VARIABLE _result)
  if(NOT _result EQUAL 0)
    # CMake leaves lines that begin with a blank as they are.
    string(REPLACE "\n" "\n  " _errors "  ${_errors}")
    message(FATAL_ERROR "rosidl_generate_interfaces() found mistakes in interfaces of ${PROJECT_NAME}:\n${_errors}")
  endif()
  # Another version of the generator begins here again.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rosidl_generator_tandem_GENERATOR_FILES})
  file(STRINGS "${_output}" _tuples)
  set(${idl_var} ${_tuples} PARENT_SCOPE)
endfunction()
