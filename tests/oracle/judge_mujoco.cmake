# MuJoCo judges what the MJCF reader and writer say. The library (Debian's libmujoco) is optional, and so is the Node module.
find_package(nlohmann_json REQUIRED)
target_sources(oracle_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/compiled_mujoco.cc ${CMAKE_CURRENT_LIST_DIR}/mujoco_judge.cc)
target_link_libraries(oracle_tests PRIVATE nlohmann_json::nlohmann_json)
find_library(LIBMUJOCO mujoco)
find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
if(LIBMUJOCO AND MUJOCO_INCLUDE)
  target_include_directories(oracle_tests SYSTEM PRIVATE ${MUJOCO_INCLUDE})
  target_link_libraries(oracle_tests PRIVATE ${LIBMUJOCO})
  target_compile_definitions(oracle_tests PRIVATE KINEMORPH_LIBMUJOCO)
endif()
target_compile_definitions(oracle_tests PRIVATE KINEMORPH_COMMAND="$<TARGET_FILE:kinemorph>")  # its keyframes are judged
add_dependencies(oracle_tests kinemorph)
