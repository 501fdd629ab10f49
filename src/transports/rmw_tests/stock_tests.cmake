# The tests, in C++ and in Python, and what they run.
find_package(action_msgs REQUIRED)
find_package(ament_cmake_test REQUIRED)
find_package(builtin_interfaces REQUIRED)
find_package(rclcpp REQUIRED)
find_package(rclcpp_action REQUIRED)
find_package(rosidl_default_generators REQUIRED)
find_package(sensor_msgs REQUIRED)
find_package(std_msgs REQUIRED)
find_package(std_srvs REQUIRED)

add_subdirectory(native/test_msgs)
rosidl_get_typesupport_target(test_msgs test_msgs rosidl_typesupport_cpp)
add_executable(native_peer native/native_peer.cpp)
target_compile_features(native_peer PRIVATE cxx_std_17)
target_compile_options(native_peer PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
target_link_libraries(native_peer PRIVATE rclcpp::rclcpp rclcpp_action::rclcpp_action ${test_msgs} ${sensor_msgs_TARGETS}
  ${std_msgs_TARGETS} ${std_srvs_TARGETS})

# The library, in the environment of the wheels and for it, and the tests in C++. Nothing of the native one may be found there.
file(GLOB site ${stock}/lib/python3*/site-packages)
set(environment ${CMAKE_COMMAND} -E env --unset=AMENT_PREFIX_PATH --unset=CMAKE_PREFIX_PATH PYTHONPATH=${site})
set(output ${CMAKE_CURRENT_BINARY_DIR}/stock)
include(ExternalProject)
ExternalProject_Add(stock
  SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/stock
  BINARY_DIR ${output}
  CONFIGURE_COMMAND ${environment} ${CMAKE_COMMAND} -S <SOURCE_DIR> -B <BINARY_DIR> -G ${CMAKE_GENERATOR}
    -DCMAKE_PREFIX_PATH=${stock} -DCMAKE_INSTALL_PREFIX=${stock} -DPython3_EXECUTABLE=/usr/bin/python3
    -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=${CMAKE_CXX_FLAGS_RELWITHDEBINFO}
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    -DSTOCK=${stock} -DNATIVE=${CMAKE_INSTALL_PREFIX} -DNATIVE_PEER=$<TARGET_FILE:native_peer>
  BUILD_COMMAND ${environment} ${CMAKE_COMMAND} --build <BINARY_DIR>
  INSTALL_COMMAND ${CMAKE_COMMAND} --install <BINARY_DIR>
  BUILD_ALWAYS ON)

# Types that are installed nowhere are found in a prefix of this package's own.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
file(MAKE_DIRECTORY ${prefix}/lib)
foreach(folder rmw_tests/native/test_msgs interface_tests)
  get_filename_component(package ${folder} NAME)
  set(types lib${package}__rosidl_typesupport_cpp.so)
  file(CREATE_LINK ${CMAKE_CURRENT_BINARY_DIR}/../${folder}/${types} ${prefix}/lib/${types} SYMBOLIC)
endforeach()
set(prefixes "${prefix}:$ENV{AMENT_PREFIX_PATH}:${CMAKE_INSTALL_PREFIX}")

set(results "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}")
file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/stock/test/test_*.cpp)
foreach(source IN LISTS tests)
  get_filename_component(test ${source} NAME_WE)
  add_test(NAME ${test} COMMAND ${output}/${test} --gtest_output=xml:${results}/${test}.gtest.xml)
  set_tests_properties(${test} PROPERTIES TIMEOUT 200 ENVIRONMENT "AMENT_PREFIX_PATH=${prefixes}")
endforeach()

file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/test_*.py)
foreach(source IN LISTS tests)
  get_filename_component(test ${source} NAME_WE)
  string(REPLACE test_ rclpy_ test ${test})
  ament_add_test(${test}
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/../../../scripts/isolated.sh" /usr/bin/python3 -B -m pytest -rs -p no:cacheprovider
      "${source}" "--junit-xml=${results}/${test}.xunit.xml"
    ENV "STOCK=${stock}" "NATIVE_PEER=$<TARGET_FILE:native_peer>" "INSTALL_PREFIX=${CMAKE_INSTALL_PREFIX}"
      "AMENT_PREFIX_PATH=${prefixes}"
      "PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}/../wire_tests/test" # line_process.py
    RESULT_FILE "${results}/${test}.xunit.xml"
    OUTPUT_FILE "${CMAKE_CURRENT_BINARY_DIR}/${test}.txt"
    TIMEOUT 300)
endforeach()
