# The published loaders' rules, as a checker of its own (tests/formats/robotran).
target_include_directories(oracle_tests PRIVATE ${PROJECT_SOURCE_DIR}/formats/robotran ${PROJECT_SOURCE_DIR}/formats/xml)
target_link_libraries(oracle_tests PRIVATE kinemorph_format_robotran kinemorph_format_xml PkgConfig::tinyxml2)
