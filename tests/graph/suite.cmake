target_include_directories(graph_tests PRIVATE ${PROJECT_SOURCE_DIR}/graph/src)  # rooms have private parts worth a test of their own
