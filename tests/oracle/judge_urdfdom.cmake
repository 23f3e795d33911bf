# urdfdom judges URDF; where it is not installed its test is left out.
pkg_check_modules(urdfdom QUIET IMPORTED_TARGET urdfdom)
if(urdfdom_FOUND)
  target_link_libraries(oracle_tests PRIVATE PkgConfig::urdfdom)
else()
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/urdfdom_differential_test.cc PROPERTIES HEADER_FILE_ONLY ON)
endif()
