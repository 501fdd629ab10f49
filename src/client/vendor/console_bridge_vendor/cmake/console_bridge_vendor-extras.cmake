find_package(console_bridge REQUIRED)
