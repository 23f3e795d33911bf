# Installs the libraries, their headers, a CMake package `kinemorph` and a pkg-config file. Components: kinemorph (the command), judges, dev, python.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries ${kinemorph_graph_libraries} kinemorph_formats_api ${kinemorph_format_libraries} kinemorph_formats ${kinemorph_converter_libraries})
if(KINEMORPH_FILES)
  list(APPEND libraries kinemorph_files)
endif()
if(KINEMORPH_YAML)
  list(APPEND libraries kinemorph_side_cars)
endif()
set_target_properties(kinemorph_formats PROPERTIES EXPORT_NAME formats)
install(TARGETS ${libraries} EXPORT kinemorph-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT kinemorph-targets NAMESPACE kinemorph:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph COMPONENT dev)
if(TARGET kinemorph_urdfdom_bridge)  # an export of its own: its users need urdfdom, the others do not
  set_target_properties(kinemorph_urdfdom_bridge PROPERTIES EXPORT_NAME urdfdom_bridge)
  install(TARGETS kinemorph_urdfdom_bridge EXPORT kinemorph-urdfdom-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  install(EXPORT kinemorph-urdfdom-targets NAMESPACE kinemorph:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph COMPONENT dev)
endif()
foreach(layer graph formats converters)
  install(DIRECTORY ${layer}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
endforeach()
configure_package_config_file(tools/dev/cmake/kinemorph-config.cmake.in ${CMAKE_BINARY_DIR}/kinemorph-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/kinemorph-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/kinemorph-config.cmake ${CMAKE_BINARY_DIR}/kinemorph-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kinemorph COMPONENT dev)

# pkg-config: the libraries name each other in a circle.
set(kinemorph_archives "")
foreach(library ${libraries})
  get_target_property(kind ${library} TYPE)
  if(NOT kind STREQUAL INTERFACE_LIBRARY)
    string(APPEND kinemorph_archives " -l${library}")
  endif()
endforeach()
set(kinemorph_requires "eigen3, tinyxml2")
if(KINEMORPH_YAML)
  string(APPEND kinemorph_requires ", yaml-cpp")
endif()
# The prefix is found from where the file stands, so that an installed tree can be moved.
set(kinemorph_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  string(REGEX REPLACE "[^/]+" ".." up ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  set(kinemorph_prefix "\${pcfiledir}/${up}")
endif()
configure_file(tools/dev/cmake/kinemorph.pc.in ${CMAKE_BINARY_DIR}/kinemorph.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/kinemorph.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/kinemorph COMPONENT dev)  # where ament looks for it
