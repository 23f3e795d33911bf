# Passes are run alone here, so their private headers are visible.
target_include_directories(converters_tests PRIVATE ${PROJECT_SOURCE_DIR}/converters)
