# Registers the generator with rosidl_generate_interfaces().
find_package(ament_cmake_core QUIET REQUIRED)
ament_register_extension("rosidl_generate_idl_interfaces" "rosidl_generator_tandem"
                         "rosidl_generator_tandem_generate_interfaces.cmake")

get_filename_component(rosidl_generator_tandem_GENERATOR "${rosidl_generator_tandem_DIR}/../generator/main.py" ABSOLUTE)
file(GLOB_RECURSE rosidl_generator_tandem_GENERATOR_FILES "${rosidl_generator_tandem_DIR}/../generator/*.py")

get_filename_component(rosidl_generator_tandem_ADAPTER "${rosidl_generator_tandem_DIR}/../generator/adapt.py" ABSOLUTE)
include("${rosidl_generator_tandem_DIR}/rosidl_generator_tandem_adapt_interfaces.cmake")
