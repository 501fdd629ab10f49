# rclcpp_components_register_node(<target> PLUGIN <class> EXECUTABLE <name> [EXECUTOR <class>] [RESOURCE_INDEX <index>])
#
# <target> is a library with RCLCPP_COMPONENTS_REGISTER_NODE(<class>) in a source. Makes and installs the program <name>,
# which loads the library and spins such a node, and registers the class in the ament index.
#
# rclcpp_components_register_nodes(<target> <class>...) only registers.
set(_RCLCPP_COMPONENTS_NODE_MAIN "${rclcpp_components_DIR}/../node_main.cpp.in" CACHE INTERNAL "")

# ament_package() runs it. Registered here, and what it writes kept in global properties: nodes may be registered in a function,
# whose variables end with it.
ament_register_extension("ament_package" "rclcpp_components" "rclcpp_components-package-hook.cmake")

# Adds to the file that the package installs into the index when ament_package() is called.
function(_rclcpp_components_register index target classes)
  set_property(GLOBAL APPEND PROPERTY RCLCPP_COMPONENTS_INDICES ${index})
  foreach(class ${classes})
    set_property(GLOBAL APPEND_STRING PROPERTY RCLCPP_COMPONENTS_OF_${index}
      "${class};lib/$<TARGET_FILE_NAME:${target}>\n")
  endforeach()
endfunction()

macro(rclcpp_components_register_nodes target)
  cmake_parse_arguments(_ARG "" "RESOURCE_INDEX" "" ${ARGN})
  if(NOT _ARG_RESOURCE_INDEX)
    set(_ARG_RESOURCE_INDEX rclcpp_components)
  endif()
  _rclcpp_components_register(${_ARG_RESOURCE_INDEX} ${target} "${_ARG_UNPARSED_ARGUMENTS}")
endmacro()

macro(rclcpp_components_register_node target)
  cmake_parse_arguments(_ARG "" "PLUGIN;EXECUTABLE;EXECUTOR;RESOURCE_INDEX" "" ${ARGN})
  if(NOT _ARG_PLUGIN OR NOT _ARG_EXECUTABLE OR _ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rclcpp_components_register_node(${target} ...) takes PLUGIN <class> EXECUTABLE <name>, and may "
      "take EXECUTOR <class> and RESOURCE_INDEX <index>; unknown: '${_ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT _ARG_EXECUTOR)
    set(_ARG_EXECUTOR SingleThreadedExecutor)
  endif()
  if(NOT _ARG_RESOURCE_INDEX)
    set(_ARG_RESOURCE_INDEX rclcpp_components)
  endif()
  _rclcpp_components_register(${_ARG_RESOURCE_INDEX} ${target} ${_ARG_PLUGIN})

  set(_RCLCPP_COMPONENTS_TARGET ${target})
  set(_RCLCPP_COMPONENTS_CLASS ${_ARG_PLUGIN})
  set(_RCLCPP_COMPONENTS_EXECUTOR ${_ARG_EXECUTOR})
  set(_main ${CMAKE_CURRENT_BINARY_DIR}/rclcpp_components/node_main_${_ARG_EXECUTABLE}.cpp)
  configure_file(${_RCLCPP_COMPONENTS_NODE_MAIN} ${_main}.in @ONLY)
  file(GENERATE OUTPUT ${_main} INPUT ${_main}.in TARGET ${target})
  add_executable(${_ARG_EXECUTABLE} ${_main})
  # Not by target_link_libraries(): the package may link more, with or without keywords.
  set_property(TARGET ${_ARG_EXECUTABLE} APPEND PROPERTY LINK_LIBRARIES rclcpp_components::component)
  add_dependencies(${_ARG_EXECUTABLE} ${target})
  install(TARGETS ${_ARG_EXECUTABLE} DESTINATION lib/${PROJECT_NAME})
endmacro()
