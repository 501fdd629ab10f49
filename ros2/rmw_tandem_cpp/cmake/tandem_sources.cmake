# Tandem's sources that the library is made of, and which features of rmw.h there are.
get_filename_component(tandem "${CMAKE_CURRENT_LIST_DIR}/../../../src" ABSOLUTE)
if(NOT EXISTS "${tandem}/core")
  message(FATAL_ERROR "${tandem}/core is missing: build this package where it lies in Tandem's repository, with "
    "`colcon build --base-paths .../tandem/ros2`")
endif()

set(type_support "${tandem}/interfaces/tandem_type_support")
set(transport "${tandem}/transports/tandem_transport")
file(GLOB tandem_sources CONFIGURE_DEPENDS
  "${tandem}/core/src/*/*.cpp"
  "${tandem}/interfaces/tandem_messages/src/*.cpp"
  "${tandem}/transports/tandem_shared_memory/src/*.cpp")
list(APPEND tandem_sources
  "${transport}/src/service.cpp"
  "${transport}/src/time_watch.cpp"
  "${transport}/src/transport.cpp"
  "${type_support}/src/cdr/cdr_read.cpp"
  "${type_support}/src/cdr/cdr_write.cpp"
  "${type_support}/src/cdr/serialized_type.cpp"
  "${type_support}/src/fields/introspection.cpp"
  "${type_support}/src/filter/content_filter.cpp"
  "${type_support}/src/filter/filter_compile.cpp"
  "${type_support}/src/filter/filter_lexer.cpp"
  "${type_support}/src/filter/filter_test.cpp"
  "${type_support}/src/text/parse_number.cpp"
  "${type_support}/src/text/scalar_text.cpp"
  "${type_support}/src/text/unicode.cpp")
# For builds with CMAKE_UNITY_BUILD: these have short names of their own for what others call otherwise.
file(GLOB alone "${tandem}/core/src/layout/matcher.cpp" "${tandem}/core/src/inspect/*.cpp"
  "${type_support}/src/filter/*.cpp" "${tandem}/../ros2/rmw_tandem_cpp/src/service*.cpp")
set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(tandem_include_directories
  "${tandem}/core/include" "${tandem}/core/src" "${tandem}/interfaces/tandem_messages/include" "${type_support}/include"
  "${type_support}/src" "${transport}/include")
# What a message's buffer in shared memory is.
get_filename_component(tandem_buffer_include_directory "${tandem}/../ros2/tandem_buffer_backend/include" ABSOLUTE)

# rmw is 6.1 in Humble, 7.3 in Jazzy, 7.8 in Kilted, 7.10 in Lyrical.
set(rmw_features)
if(rmw_VERSION VERSION_GREATER_EQUAL 7.0)
  list(APPEND rmw_features TANDEM_RMW_HAS_TYPE_HASH TANDEM_RMW_HAS_DISCOVERY_OPTIONS TANDEM_RMW_HAS_DYNAMIC_TYPES
    TANDEM_RMW_HAS_MATCHED_EVENTS TANDEM_RMW_HAS_BEST_AVAILABLE)
endif()
if(rmw_VERSION VERSION_GREATER_EQUAL 7.7)
  list(APPEND rmw_features TANDEM_RMW_HAS_EVENT_TYPE_MAX TANDEM_RMW_NULL_IS_INVALID)
endif()
