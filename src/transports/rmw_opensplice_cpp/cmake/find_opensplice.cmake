# Sets OPENSPLICE_FOUND, and then OPENSPLICE_INCLUDES and OPENSPLICE_LIBRARIES, for an installed OpenSplice below $OSPL_HOME.
set(OPENSPLICE_FOUND FALSE)
set(home "$ENV{OSPL_HOME}")
if(NOT home STREQUAL "" AND EXISTS "${home}/include/dcps/C++/SACPP/ccpp_dds_dcps.h" AND EXISTS "${home}/lib/libdcpssacpp.so")
  set(OPENSPLICE_INCLUDES "${home}/include" "${home}/include/sys" "${home}/include/dcps/C++/SACPP")
  set(OPENSPLICE_LIBRARIES "${home}/lib/libdcpssacpp.so" "${home}/lib/libddskernel.so")
  set(OPENSPLICE_FOUND TRUE)
endif()
