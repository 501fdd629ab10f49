# get_available_rmw_implementations(VARIABLE)
#
# The names of the transports that are to be used by tests, such as rmw_tandem_cpp. These are the ones named by
# RMW_IMPLEMENTATIONS, a variable of CMake (a list) or of the environment (separated by colons); all that are installed
# if it is 'all'; and the default one alone if it is not set. It is an error to name one that is not installed.
function(get_available_rmw_implementations variable)
  ament_index_get_resources(installed tandem_transport)
  set(wanted "${RMW_IMPLEMENTATIONS}")
  if(NOT "$ENV{RMW_IMPLEMENTATIONS}" STREQUAL "")
    string(REPLACE ":" ";" wanted "$ENV{RMW_IMPLEMENTATIONS}")
  endif()
  if(wanted STREQUAL "all")
    set(wanted "${installed}")
  elseif(wanted STREQUAL "")
    set(wanted rmw_tandem_cpp)
    if(NOT "$ENV{RMW_IMPLEMENTATION}" STREQUAL "")
      set(wanted "$ENV{RMW_IMPLEMENTATION}")
    endif()
  endif()
  foreach(name IN LISTS wanted)
    if(NOT name IN_LIST installed)
      message(FATAL_ERROR "there is no transport '${name}'; RMW_IMPLEMENTATIONS can name these: ${installed}")
    endif()
  endforeach()
  list(SORT wanted)
  set(${variable} "${wanted}" PARENT_SCOPE)
endfunction()

# get_default_rmw_implementation(VARIABLE)
#
# The transport of programs that choose none: that of RMW_IMPLEMENTATION, a variable of CMake or of the environment, or
# rmw_tandem_cpp.
function(get_default_rmw_implementation variable)
  set(name "${RMW_IMPLEMENTATION}")
  if(name STREQUAL "")
    set(name "$ENV{RMW_IMPLEMENTATION}")
  endif()
  if(name STREQUAL "")
    set(name rmw_tandem_cpp)
  endif()
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# call_for_each_rmw_implementation(MACRO [GENERATE_DEFAULT])
#
# Calls a macro or function for each transport of get_available_rmw_implementations(). It finds the name in
# rmw_implementation, and '__' with the name, for names of targets, in target_suffix. With GENERATE_DEFAULT it is called
# for the default transport first, with an empty target_suffix.
macro(call_for_each_rmw_implementation macro_name)
  get_available_rmw_implementations(_rmw_implementations)
  if("${ARGN}" STREQUAL "GENERATE_DEFAULT")
    get_default_rmw_implementation(rmw_implementation)
    set(target_suffix "")
    cmake_language(CALL ${macro_name})
  elseif(NOT "${ARGN}" STREQUAL "")
    message(FATAL_ERROR "call_for_each_rmw_implementation() does not know '${ARGN}'")
  endif()
  foreach(rmw_implementation IN LISTS _rmw_implementations)
    set(target_suffix "__${rmw_implementation}")
    cmake_language(CALL ${macro_name})
  endforeach()
endmacro()
