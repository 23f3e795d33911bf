# libsdformat judges what the SDFormat reader and writer say. Optional: its tests skip without it.
find_package(sdformat12 QUIET)
target_sources(oracle_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/sdformat_judge.cc ${CMAKE_CURRENT_LIST_DIR}/sdf_bodies.cc
               ${CMAKE_CURRENT_LIST_DIR}/in_child.cc)
if(sdformat12_FOUND)
  target_link_libraries(oracle_tests PRIVATE sdformat12::sdformat12)
  target_compile_definitions(oracle_tests PRIVATE KINEMORPH_LIBSDFORMAT)
endif()
