# tandem_register_transport(TARGET [NAME name] [PREFIX dir])
#
# Installs the plug-in library TARGET and registers it as a transport, so that RMW_IMPLEMENTATION=NAME finds it; without
# NAME it is called as the library. PREFIX, relative to the install prefix, hides it in a prefix of its own: then only
# those find it who put that prefix into AMENT_PREFIX_PATH (for tests).
function(tandem_register_transport target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "NAME;PREFIX" "")
  set(name "${target}")
  if(ARG_NAME)
    set(name "${ARG_NAME}")
  endif()
  set(prefix "")
  set(rpath "$ORIGIN")
  if(ARG_PREFIX)
    set(prefix "${ARG_PREFIX}/")
    file(RELATIVE_PATH up "/${ARG_PREFIX}/lib" "/lib")
    set(rpath "$ORIGIN/${up}")
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
  install(TARGETS ${target} LIBRARY DESTINATION ${prefix}lib)
  set(marker "${CMAKE_CURRENT_BINARY_DIR}/tandem_transport/${name}")
  file(WRITE "${marker}" "lib/lib${target}.so\n")
  install(FILES "${marker}" DESTINATION ${prefix}share/ament_index/resource_index/tandem_transport)
endfunction()
