# Toolchain: wasm32-wasi by Debian's clang 19, without exceptions.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19 CACHE FILEPATH "")
set(CMAKE_RANLIB llvm-ranlib-19 CACHE FILEPATH "")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(BOOST_ROOT /usr)  # header-only libraries are the host's
# Boost 1.74's container_hash derives from std::unary_function, which C++17 took away.
# Debian's libc++ for it is built without the operations of std::filesystem: include/filesystem has those that are used.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION -Wno-unknown-warning-option -isystem ${CMAKE_CURRENT_LIST_DIR}/include")
