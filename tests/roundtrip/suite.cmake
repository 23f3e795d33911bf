target_link_libraries(roundtrip_tests PRIVATE PkgConfig::tinyxml2)
