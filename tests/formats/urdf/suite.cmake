# The bridge is tested where urdfdom is installed.
if(TARGET kinemorph_urdfdom_bridge)
  pkg_check_modules(urdfdom QUIET IMPORTED_TARGET urdfdom)
  target_link_libraries(formats_urdf_tests PRIVATE kinemorph_urdfdom_bridge PkgConfig::urdfdom)
else()
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/urdfdom_bridge_test.cc PROPERTIES HEADER_FILE_ONLY ON)
endif()
