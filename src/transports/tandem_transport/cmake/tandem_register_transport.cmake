# tandem_register_transport(TARGET [PREFIX dir])
#
# Installs the plug-in library TARGET and registers it under its name as a transport, so that
# RMW_IMPLEMENTATION=TARGET finds it. PREFIX, relative to the install prefix, hides it in a prefix of its own: then only
# those find it who put that prefix into AMENT_PREFIX_PATH (for tests).
function(tandem_register_transport target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PREFIX" "")
  set(prefix "")
  set(rpath "$ORIGIN")
  if(ARG_PREFIX)
    set(prefix "${ARG_PREFIX}/")
    file(RELATIVE_PATH up "/${ARG_PREFIX}/lib" "/lib")
    set(rpath "$ORIGIN/${up}")
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
  install(TARGETS ${target} LIBRARY DESTINATION ${prefix}lib)
  set(marker "${CMAKE_CURRENT_BINARY_DIR}/tandem_transport/${target}")
  file(WRITE "${marker}" "lib/lib${target}.so\n")
  install(FILES "${marker}" DESTINATION ${prefix}share/ament_index/resource_index/tandem_transport)
endfunction()
