# Runs in ament_package() of a package that registered nodes: writes them into the ament index.
list(REMOVE_DUPLICATES _RCLCPP_COMPONENTS_INDICES)
foreach(_index ${_RCLCPP_COMPONENTS_INDICES})
  set(_file ${CMAKE_CURRENT_BINARY_DIR}/rclcpp_components/${_index}/${PROJECT_NAME})
  file(GENERATE OUTPUT ${_file} CONTENT "${_RCLCPP_COMPONENTS_OF_${_index}}")
  install(FILES ${_file} DESTINATION share/ament_index/resource_index/${_index})
endforeach()
