find_package(orocos_kdl REQUIRED)
