# Installs the libraries, their headers and a CMake package `kinemorph`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries kinemorph_graph kinemorph_formats_api ${kinemorph_format_libraries} kinemorph_formats kinemorph_converters kinemorph_gateway)
if(KINEMORPH_FILES)
  list(APPEND libraries kinemorph_files)
endif()
if(KINEMORPH_YAML)
  list(APPEND libraries kinemorph_hyrodyn)
endif()
target_compile_features(kinemorph_graph PUBLIC $<INSTALL_INTERFACE:cxx_std_20>)
set_target_properties(kinemorph_formats PROPERTIES EXPORT_NAME formats)
set_target_properties(kinemorph_converters PROPERTIES EXPORT_NAME converters)
set_target_properties(kinemorph_gateway PROPERTIES EXPORT_NAME gateway)
install(TARGETS ${libraries} EXPORT kinemorph-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT kinemorph-targets NAMESPACE kinemorph:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph)
if(TARGET kinemorph_urdfdom_bridge)  # an export of its own: its users need urdfdom, the others do not
  set_target_properties(kinemorph_urdfdom_bridge PROPERTIES EXPORT_NAME urdfdom_bridge)
  install(TARGETS kinemorph_urdfdom_bridge EXPORT kinemorph-urdfdom-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT kinemorph-urdfdom-targets NAMESPACE kinemorph:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph)
endif()
foreach(layer graph formats converters)
  install(DIRECTORY ${layer}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
configure_package_config_file(tools/cmake/kinemorph-config.cmake.in ${CMAKE_BINARY_DIR}/kinemorph-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/kinemorph-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/kinemorph-config.cmake ${CMAKE_BINARY_DIR}/kinemorph-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph)
