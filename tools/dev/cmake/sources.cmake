# The libraries of tools/dev/sources, under the names of those that a system brings.
add_library(tinyxml2 STATIC ${KINEMORPH_SOURCES}/tinyxml2/tinyxml2.cpp)
target_include_directories(tinyxml2 SYSTEM PUBLIC $<BUILD_INTERFACE:${KINEMORPH_SOURCES}/tinyxml2>)
add_library(PkgConfig::tinyxml2 ALIAS tinyxml2)

file(GLOB sources ${KINEMORPH_SOURCES}/yaml-cpp/src/*.cpp)
add_library(yaml-cpp STATIC EXCLUDE_FROM_ALL ${sources})
target_include_directories(yaml-cpp SYSTEM PUBLIC $<BUILD_INTERFACE:${KINEMORPH_SOURCES}/yaml-cpp/include>)
target_compile_definitions(yaml-cpp PUBLIC YAML_CPP_STATIC_DEFINE)
target_compile_options(yaml-cpp PRIVATE -w)
