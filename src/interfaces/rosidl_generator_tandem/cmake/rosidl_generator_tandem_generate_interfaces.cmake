# Included by rosidl_generate_interfaces() in its caller's scope: generates headers and the type support library.
#   <target>__rosidl_generator_cpp    the headers
#   <target>__rosidl_typesupport_cpp  the library, which brings the headers
# and Python modules.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(ament_cmake_python REQUIRED)
find_package(rosidl_runtime_cpp REQUIRED)
find_package(tandem_messages REQUIRED)

set(_tandem_include "${CMAKE_CURRENT_BINARY_DIR}/rosidl_generator_tandem/include")
set(_tandem_output "${_tandem_include}/${PROJECT_NAME}")
set(_tandem_python "${CMAKE_CURRENT_BINARY_DIR}/rosidl_generator_tandem/python/${PROJECT_NAME}")
set(_tandem_source
    "${CMAKE_CURRENT_BINARY_DIR}/rosidl_generator_tandem/${rosidl_generate_interfaces_TARGET}__type_support.cpp")

# Without messages in C, their headers' names are there for C++ sources that include them, and lead to those for C++.
set(_tandem_c_names "--c-names")
if(TANDEM_C_MESSAGES)
  set(_tandem_c_names "")
endif()

set(_tandem_headers "")
foreach(_idl IN LISTS rosidl_generate_interfaces_ABS_IDL_FILES)
  get_filename_component(_folder "${_idl}" DIRECTORY)
  get_filename_component(_folder "${_folder}" NAME)
  get_filename_component(_name "${_idl}" NAME_WE)
  string_camel_case_to_lower_case_underscore("${_name}" _name)
  list(APPEND _tandem_headers "${_tandem_output}/${_folder}/${_name}.hpp")
  if(_tandem_c_names)
    list(APPEND _tandem_headers "${_tandem_output}/${_folder}/${_name}.h")
  endif()
  foreach(_part struct builder traits type_support)
    list(APPEND _tandem_headers "${_tandem_output}/${_folder}/detail/${_name}__${_part}.hpp")
  endforeach()
endforeach()

# Each service has an event message, whose package users need not name.
set(_tandem_packages ${rosidl_generate_interfaces_DEPENDENCY_PACKAGE_NAMES})
if("${rosidl_generate_interfaces_ABS_IDL_FILES}" MATCHES "/(srv|action)/[^/;]*[.]idl")
  find_package(service_msgs REQUIRED)
  ament_export_dependencies(service_msgs)
  list(APPEND _tandem_packages builtin_interfaces service_msgs)
  list(REMOVE_DUPLICATES _tandem_packages)
endif()

set(_tandem_dependency_files "")
set(_tandem_dependencies "")
foreach(_pkg IN LISTS _tandem_packages)
  foreach(_idl IN LISTS ${_pkg}_IDL_FILES)
    get_filename_component(_idl "${${_pkg}_DIR}/../${_idl}" ABSOLUTE)
    list(APPEND _tandem_dependency_files "${_idl}")
    list(APPEND _tandem_dependencies "${_pkg}:${_idl}")
  endforeach()
endforeach()

# _interface_tuples is rosidl_generate_interfaces()'s own: the files as the user named them, for error messages.
set(_tandem_arguments
    "${CMAKE_CURRENT_BINARY_DIR}/rosidl_generator_tandem/${rosidl_generate_interfaces_TARGET}__arguments.json")
rosidl_write_generator_arguments(
  "${_tandem_arguments}.new"
  PACKAGE_NAME "${PROJECT_NAME}"
  IDL_TUPLES "${rosidl_generate_interfaces_IDL_TUPLES}"
  NON_IDL_TUPLES "${_interface_tuples}"
  ROS_INTERFACE_DEPENDENCIES "${_tandem_dependencies}"
  OUTPUT_DIR "${_tandem_output}")
# Configuring again must not make everything that includes the headers out of date.
file(COPY_FILE "${_tandem_arguments}.new" "${_tandem_arguments}" ONLY_IF_DIFFERENT)

add_custom_command(
  OUTPUT ${_tandem_headers} "${_tandem_source}"
  COMMAND Python3::Interpreter -B "${rosidl_generator_tandem_GENERATOR}" --arguments "${_tandem_arguments}" --source
          "${_tandem_source}" --python "${_tandem_python}" ${_tandem_c_names}
  DEPENDS ${rosidl_generator_tandem_GENERATOR_FILES} ${rosidl_generate_interfaces_ABS_IDL_FILES}
          ${_tandem_dependency_files} "${_tandem_arguments}"
  COMMENT "Generating C++ code for the interfaces of ${PROJECT_NAME}"
  VERBATIM)
add_custom_target(${rosidl_generate_interfaces_TARGET}__cpp DEPENDS ${_tandem_headers} "${_tandem_source}")

set(_tandem_headers_target ${rosidl_generate_interfaces_TARGET}__rosidl_generator_cpp)
add_library(${_tandem_headers_target} INTERFACE)
add_library(${PROJECT_NAME}::${_tandem_headers_target} ALIAS ${_tandem_headers_target})
target_compile_features(${_tandem_headers_target} INTERFACE cxx_std_17)
target_include_directories(
  ${_tandem_headers_target} INTERFACE "$<BUILD_INTERFACE:${_tandem_include}>"
                                      "$<INSTALL_INTERFACE:include/${PROJECT_NAME}>")
target_link_libraries(${_tandem_headers_target} INTERFACE rosidl_runtime_cpp::rosidl_runtime_cpp
                                                          tandem_messages::tandem_messages)
add_dependencies(${_tandem_headers_target} ${rosidl_generate_interfaces_TARGET}__cpp)

set(_tandem_library_target ${rosidl_generate_interfaces_TARGET}__rosidl_typesupport_cpp)
add_library(${_tandem_library_target} SHARED "${_tandem_source}")
add_library(${PROJECT_NAME}::${_tandem_library_target} ALIAS ${_tandem_library_target})
target_link_libraries(${_tandem_library_target} PUBLIC ${_tandem_headers_target})
set_target_properties(${_tandem_library_target} PROPERTIES INSTALL_RPATH "$ORIGIN")
if(rosidl_generate_interfaces_LIBRARY_NAME)
  set_target_properties(
    ${_tandem_library_target} PROPERTIES OUTPUT_NAME
                                         "${rosidl_generate_interfaces_LIBRARY_NAME}__rosidl_typesupport_cpp")
endif()

foreach(_pkg IN LISTS _tandem_packages)
  target_link_libraries(${_tandem_headers_target} INTERFACE ${${_pkg}_TARGETS__rosidl_generator_cpp})
  target_link_libraries(${_tandem_library_target} PUBLIC ${${_pkg}_TARGETS__rosidl_typesupport_cpp})
endforeach()
add_dependencies(${rosidl_generate_interfaces_TARGET} ${_tandem_headers_target} ${_tandem_library_target})

if(NOT rosidl_generate_interfaces_SKIP_INSTALL)
  install(
    DIRECTORY "${_tandem_output}"
    DESTINATION "include/${PROJECT_NAME}"
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.hpp")
  # Beside what a package of the same name has in Python itself, if it has.
  _ament_cmake_python_register_environment_hook()
  install(DIRECTORY "${_tandem_python}" DESTINATION "${PYTHON_INSTALL_DIR}")
  install(TARGETS ${_tandem_headers_target} ${_tandem_library_target}
          EXPORT export_${rosidl_generate_interfaces_TARGET}__rosidl_typesupport_cpp)

  # Where programs that know only a type's name look for it, unless the library is named after the package.
  if(NOT "${_tandem_library_target};${rosidl_generate_interfaces_LIBRARY_NAME}" STREQUAL
     "${PROJECT_NAME}__rosidl_typesupport_cpp;")
    ament_index_register_resource("tandem_interfaces" CONTENT "lib/$<TARGET_FILE_NAME:${_tandem_library_target}>\n")
  endif()

  ament_export_include_directories("include/${PROJECT_NAME}")
  ament_export_targets(export_${rosidl_generate_interfaces_TARGET}__rosidl_typesupport_cpp HAS_LIBRARY_TARGET)
  ament_export_dependencies(rosidl_runtime_cpp tandem_messages)
  rosidl_export_typesupport_targets(__rosidl_generator_cpp ${_tandem_headers_target})
  rosidl_export_typesupport_targets(__rosidl_typesupport_cpp ${_tandem_library_target})
endif()
