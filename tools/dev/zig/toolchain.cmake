# Toolchain: clang, libc++ and another C library, by zig (PyPI: ziglang). KINEMORPH_TARGET is zig's name of the system, as x86_64-linux-gnu.2.28;
# KINEMORPH_ZIG is the folder of programs that tools/dev/zig/build wrote.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KINEMORPH_TARGET KINEMORPH_ZIG)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${KINEMORPH_TARGET})
set(CMAKE_SYSTEM_NAME Linux)
if(KINEMORPH_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
endif()
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # the first program that is linked costs a C library, which nothing asks for before
set(CMAKE_C_COMPILER ${KINEMORPH_ZIG}/cc)
set(CMAKE_CXX_COMPILER ${KINEMORPH_ZIG}/c++)
set(CMAKE_AR ${KINEMORPH_ZIG}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${KINEMORPH_ZIG}/ranlib CACHE FILEPATH "")
set(BOOST_ROOT /usr)  # header-only libraries are the host's
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Boost 1.74's container_hash derives from std::unary_function, which C++17 took away. zig would trap on what it holds for undefined.
# Equal numbers on every processor: none may take a product and a sum as one.
set(CMAKE_CXX_FLAGS_INIT "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION -fno-sanitize=undefined -ffp-contract=off -ffunction-sections -fdata-sections -Wno-unknown-warning-option -isystem ${KINEMORPH_ZIG}/include")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
set(KINEMORPH_OPTIMISE -Os)  # a wheel with module and command has 8 MB at most
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections -s")
if(NOT WIN32)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -pie")
endif()
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-Wl,--gc-sections -s")
if(KINEMORPH_TARGET MATCHES "musl")  # tinyxml2 calls what this one shows on request
  string(APPEND CMAKE_CXX_FLAGS_INIT " -D_LARGEFILE64_SOURCE")
endif()

# kinemorph_manifest(<program>): Windows gives and takes its texts in UTF-8, and as much stack as Linux.
function(kinemorph_manifest program)
  set(manifest ${CMAKE_CURRENT_BINARY_DIR}/${program}.res)
  add_custom_command(OUTPUT ${manifest} COMMAND ${KINEMORPH_ZIG}/rc ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/windows.rc ${manifest}
                     DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/windows.rc ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/windows.manifest VERBATIM)
  target_sources(${program} PRIVATE ${manifest})
  set_source_files_properties(${manifest} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_link_options(${program} PRIVATE -Wl,--stack,8388608)
endfunction()
