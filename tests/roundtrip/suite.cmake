target_link_libraries(roundtrip_tests PRIVATE PkgConfig::tinyxml2)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/corpus_test.cc PROPERTIES COMPILE_OPTIONS "-Wno-array-bounds;-Wno-stringop-overflow")  # ghosts of g++ 12 at -O1
target_include_directories(roundtrip_tests PRIVATE ${PROJECT_SOURCE_DIR}/converters)  # the account of a conversion is private
