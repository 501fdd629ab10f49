# Libraries with a fault each, which a test must find. They are made of the library's own objects but for one source, in
# which some text is replaced. (Sanitizers want to be loaded first, and the emulator preloads nothing.)
# add_mutant(test name source from to [from to]...), made in mutants/name, below the test's folder
function(add_mutant test name source)
  set(original ${PROJECT_SOURCE_DIR}/src/${source}.cpp)
  set(mutated ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name}/${source}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${original})
  file(READ ${original} text)
  set(pairs "${ARGN}")
  while(pairs)
    list(POP_FRONT pairs from to)
    string(REPLACE "@" ";" from "${from}")  # a semicolon would end the argument
    string(REPLACE "@" ";" to "${to}")
    string(FIND "${text}" "${from}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "mutant ${name}: ${source}.cpp has no '${from}' any more")
    endif()
    string(REPLACE "${from}" "${to}" text "${text}")
  endwhile()
  file(CONFIGURE OUTPUT ${mutated} CONTENT "${text}" @ONLY)
  add_library(${test}_${name} SHARED ${mutated}
    "$<FILTER:$<TARGET_OBJECTS:tandem_core>,EXCLUDE,/${source}\\.cpp\\.o$>")
  target_include_directories(${test}_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${test}_${name} PRIVATE tl::expected Threads::Threads)
  target_link_options(${test}_${name} PRIVATE LINKER:-z,nodelete)
  set_target_properties(${test}_${name} PROPERTIES OUTPUT_NAME tandem_core_open SOVERSION 0
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name})
  add_dependencies(${test} ${test}_${name})
endfunction()
