# add_test_over_transport(NAME TRANSPORT FILTER): runs the GoogleTest program test_NAME over a transport. One that is not
# built is reported as skipped. iceoryx has one daemon on a machine, at fixed names, and runs in a sandbox.
function(add_test_over_transport name transport filter)
  set(sandbox ${CMAKE_INSTALL_PREFIX}/lib/rmw_iceoryx_cpp/iceoryx_sandbox)
  set(before)
  if(transport STREQUAL "rmw_iceoryx_cpp" AND EXISTS ${sandbox})
    set(before ${sandbox})
  endif()
  add_test(NAME ${name}_over_${transport} COMMAND ${before} $<TARGET_FILE:test_${name}> --gtest_filter=${filter}
    --gtest_output=xml:${CMAKE_BINARY_DIR}/test_results/${PROJECT_NAME}/${name}_over_${transport}.gtest.xml)
  set_tests_properties(${name}_over_${transport} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT RMW_IMPLEMENTATION=${transport})
endfunction()
