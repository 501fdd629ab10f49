# Sets CONNEXT_FOUND, and then CONNEXT_INCLUDES, CONNEXT_LIBRARIES and CONNEXT_DEFINITIONS, for RTI Connext Professional
# below $CONNEXTDDS_DIR or $NDDSHOME.
set(CONNEXT_FOUND FALSE)
foreach(variable CONNEXTDDS_DIR NDDSHOME)
  set(home "$ENV{${variable}}")
  if(CONNEXT_FOUND OR NOT EXISTS "${home}/include/ndds/hpp/dds/dds.hpp")
    continue()
  endif()
  # One folder for each architecture; $CONNEXTDDS_ARCH chooses among several.
  file(GLOB candidates "${home}/lib/$ENV{CONNEXTDDS_ARCH}*/libnddscpp2.so")
  if(candidates)
    list(GET candidates 0 library)
    get_filename_component(folder "${library}" DIRECTORY)
    set(CONNEXT_INCLUDES "${home}/include" "${home}/include/ndds" "${home}/include/ndds/hpp")
    set(CONNEXT_LIBRARIES "${folder}/libnddscpp2.so" "${folder}/libnddsc.so" "${folder}/libnddscore.so")
    set(CONNEXT_DEFINITIONS RTI_UNIX RTI_LINUX RTI_64BIT)
    set(CONNEXT_FOUND TRUE)
  endif()
endforeach()
