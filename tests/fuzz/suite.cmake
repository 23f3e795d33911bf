target_sources(fuzz_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/promises.cc)
target_link_libraries(fuzz_tests PRIVATE kinemorph_format_xml)
