target_include_directories(graph_tests PRIVATE ${PROJECT_SOURCE_DIR}/graph/src)  # rooms have private parts worth a test of their own
target_link_libraries(graph_tests PRIVATE ${CMAKE_DL_LIBS})
