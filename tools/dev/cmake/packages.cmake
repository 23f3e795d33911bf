# Debian packages, one per component (tools/package): cpack in the build folder.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kinemorph)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "kinemorph maintainers <maintainers@kinemorph.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

function(kinemorph_package component name section title text)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${title}\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${title}\n${text}" PARENT_SCOPE)
  # The licence, and what changed, of every package.
  set(documents ${CMAKE_BINARY_DIR}/debian/${name})
  file(MAKE_DIRECTORY ${documents})
  configure_file(${PROJECT_SOURCE_DIR}/tools/dev/cmake/debian/copyright ${documents}/copyright COPYONLY)
  configure_file(${PROJECT_SOURCE_DIR}/tools/dev/cmake/debian/changelog.in ${documents}/changelog @ONLY)
  execute_process(COMMAND gzip -9nf ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${documents}/copyright ${documents}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component})
  if(EXISTS ${PROJECT_SOURCE_DIR}/tools/dev/cmake/debian/${name}.lintian)
    install(FILES ${PROJECT_SOURCE_DIR}/tools/dev/cmake/debian/${name}.lintian DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${name}
            COMPONENT ${component})
  endif()
endfunction()

kinemorph_package(kinemorph kinemorph science "gateway between robot description formats that keeps kinematic loops"
  "Converts robot descriptions between URDF, URDF+, SDFormat, MuJoCo MJCF and\nRobotran MBS, and into USD, without losing the kinematic loops. What a target\ncannot hold is reported with file and line, and the rest is proved.")
kinemorph_package(judges kinemorph-judges science "reference libraries as judges of robot descriptions that kinemorph writes"
  "A helper of kinemorph that asks libsdformat, urdfdom and MuJoCo whether they\naccept a converted robot description.")
kinemorph_package(dev libkinemorph-dev libdevel "gateway between robot description formats, as a C++ library"
  "Static libraries, headers, a CMake package and a pkg-config file of kinemorph:\nload, inspect, convert, verify, drive and simulate robots with kinematic loops.")
if(TARGET kinemorph_python)
  kinemorph_package(python python3-kinemorph python "gateway between robot description formats, for Python"
    "The Python module of kinemorph: load robots, close their loops, compute with\nnumpy arrays, convert and prove.")
endif()

foreach(component KINEMORPH JUDGES PYTHON)
  set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
endforeach()
set(CPACK_DEBIAN_KINEMORPH_PACKAGE_RECOMMENDS kinemorph-judges)
set(CPACK_DEBIAN_KINEMORPH_PACKAGE_SUGGESTS "assimp-utils, gnuplot-nox, graphviz")
# The judge opens MuJoCo itself, which no linker tells: libmujoco.so.2.2.2 is of libmujoco2.2.2.
if(mujoco_library)
  file(REAL_PATH ${mujoco_library} mujoco_file)
  string(REGEX REPLACE "^.*/libmujoco\\.so\\." "libmujoco" CPACK_DEBIAN_JUDGES_PACKAGE_DEPENDS ${mujoco_file})
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libboost-dev, libeigen3-dev, libtinyxml2-dev, libyaml-cpp-dev, pkg-config")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS liburdfdom-dev)
if(TARGET kinemorph_python)
  string(REGEX MATCH "[0-9]+$" minor ${KINEMORPH_PYTHON_VERSION})
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${KINEMORPH_PYTHON_VERSION}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/tools/dev/cmake/debian/python/postinst
      ${PROJECT_SOURCE_DIR}/tools/dev/cmake/debian/python/prerm)  # the compiled modules come and go with it
endif()
include(CPack)
