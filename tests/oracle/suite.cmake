# Each judge brings its own libraries: judge_<library>.cmake.
file(GLOB judges CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/judge_*.cmake)
foreach(judge ${judges})
  include(${judge})
endforeach()
