# generate_ros_messages(TARGET PACKAGE FILE...): messages and services of a package in src/interfaces as ROS 2 generates
# them, in C and C++, with their introspection, by Debian's rosidl.
function(generate_ros_messages target package)
  set(root ${CMAKE_CURRENT_BINARY_DIR}/ros_messages)
  set(out ${root}/${package})
  set(interfaces ${CMAKE_CURRENT_SOURCE_DIR}/../../interfaces/${package})
  set(files ${ARGN})
  list(TRANSFORM files PREPEND "${interfaces}:" OUTPUT_VARIABLE inputs)
  list(TRANSFORM files PREPEND "${interfaces}/" OUTPUT_VARIABLE depends)

  set(sources)
  foreach(file IN LISTS files)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(name ${file} NAME_WE)
    string_camel_case_to_lower_case_underscore("${name}" name)
    set(base ${out}/${folder}/detail/${name})
    list(APPEND sources ${base}__functions.c ${base}__introspection_c.c ${base}__introspection_cpp.cpp)
  endforeach()
  add_custom_command(
    OUTPUT ${sources}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cmake/generate.sh ${package} ${out} ${inputs}
    DEPENDS ${depends} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/generate.sh
    COMMENT "ROS 2's messages of ${package}"
    VERBATIM)
  target_sources(${target} PRIVATE ${sources})
endfunction()
