# add_launch_test(FILE [TARGET name] [TIMEOUT seconds] [ARGS name:=value...] [LABELS label...] [PYTHON_EXECUTABLE path]
#                 [further arguments of ament_add_test: ENV, APPEND_ENV, APPEND_LIBRARY_DIRS, RUNNER, SKIP_TEST, ...])
#
# Makes a launch test a test of CTest. FILE is absolute, or relative to the current source folder. Without TARGET, the
# test is named after the path of the file in the project; without TIMEOUT, it has 60 seconds; its label is
# launch_test. Its results go to AMENT_TEST_RESULTS_DIR, where `colcon test-result` finds them, and what it prints to
# launch_test/NAME.txt in the build folder.
function(add_launch_test filename)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PYTHON_EXECUTABLE" "")
  if(NOT ARG_PYTHON_EXECUTABLE)
    get_executable_path(ARG_PYTHON_EXECUTABLE Python3::Interpreter BUILD)
  endif()
  launch_testing_add_test("${filename}" launch_test "${ARG_PYTHON_EXECUTABLE};-m;launch_testing.launch_test"
    ${ARG_UNPARSED_ARGUMENTS})
endfunction()

# launch_testing_add_test(FILE FOLDER COMMAND [arguments of add_launch_test]...)
#
# For functions such as add_launch_test: the test runs COMMAND, a list, with FILE and ARGS, and the options of the
# program launch_test. FOLDER, in the build folder, gets what it prints.
function(launch_testing_add_test filename folder command)
  # Those of ament_add_test() are named here so that they end the lists before them.
  set(options GENERATE_RESULT_FOR_RETURN_CODE_ZERO SKIP_TEST)
  set(values RUNNER SKIP_RETURN_CODE WORKING_DIRECTORY)
  set(lists APPEND_ENV APPEND_LIBRARY_DIRS ENV)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "${options}" "TARGET;TIMEOUT;${values}" "ARGS;LABELS;${lists}")
  set(forwarded ${ARG_UNPARSED_ARGUMENTS})
  foreach(name IN LISTS options)
    if(ARG_${name})
      list(APPEND forwarded ${name})
    endif()
  endforeach()
  foreach(name IN LISTS values lists)
    if(DEFINED ARG_${name})
      list(APPEND forwarded ${name} ${ARG_${name}})
    endif()
  endforeach()
  get_filename_component(file "${filename}" ABSOLUTE)
  # An absolute one may be generated later.
  if(NOT IS_ABSOLUTE "${filename}" AND NOT EXISTS "${file}")
    message(FATAL_ERROR "there is no launch test '${filename}' in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  if(NOT ARG_TARGET)
    foreach(root "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
      string(FIND "${file}" "${root}/" position)
      if(position EQUAL 0)
        file(RELATIVE_PATH ARG_TARGET "${root}" "${file}")
        break()
      endif()
    endforeach()
    if(NOT ARG_TARGET)
      set(ARG_TARGET "${file}")
    endif()
    string(REPLACE "/" "_" ARG_TARGET "${ARG_TARGET}")
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS launch_test)
  endif()
  set(result_file "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/${ARG_TARGET}.xunit.xml")
  ament_add_test("${ARG_TARGET}"
    COMMAND ${command} "${file}" ${ARG_ARGS} "--junit-xml=${result_file}" "--package-name=${PROJECT_NAME}"
    OUTPUT_FILE "${CMAKE_BINARY_DIR}/${folder}/${ARG_TARGET}.txt"
    RESULT_FILE "${result_file}"
    TIMEOUT "${ARG_TIMEOUT}"
    ${forwarded})
  set_tests_properties("${ARG_TARGET}" PROPERTIES LABELS "${ARG_LABELS}")
endfunction()
