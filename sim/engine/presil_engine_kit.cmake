# Of an installed presil: what an engine is built with, compiled in its own project where something links it.
get_property(presil_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(TARGET presil::engine_kit OR NOT CXX IN_LIST presil_languages)
  return()
endif()

set(presil_kit_sources models/common/attribution.cpp models/common/callers.cpp models/common/queue_frontend.cpp
                       models/common/timeline.cpp models/sync/sync_unit.cpp)
list(TRANSFORM presil_kit_sources PREPEND ${PRESIL_ENGINE_ROOT}/)
add_library(presil_engine_kit STATIC EXCLUDE_FROM_ALL ${presil_kit_sources})
add_library(presil::engine_kit ALIAS presil_engine_kit)
set_target_properties(presil_engine_kit PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_features(presil_engine_kit PUBLIC cxx_std_17)
target_compile_options(presil_engine_kit PUBLIC -ffp-contract=off)
target_include_directories(presil_engine_kit SYSTEM PUBLIC ${PRESIL_ENGINE_ROOT})
target_link_libraries(presil_engine_kit PUBLIC presil::driver)

# What an engine tells the compiler is made of: rules, works, the graph.
file(GLOB presil_compiler_sources ${PRESIL_ENGINE_ROOT}/compiler_bridge/ir/*.cpp
     ${PRESIL_ENGINE_ROOT}/compiler_bridge/common/*.cpp)
list(APPEND presil_compiler_sources
     ${PRESIL_ENGINE_ROOT}/compiler_bridge/rules/rule.cpp ${PRESIL_ENGINE_ROOT}/compiler_bridge/rules/image.cpp)
foreach(source fields operand work)
  list(APPEND presil_compiler_sources ${PRESIL_ENGINE_ROOT}/compiler_bridge/layer/${source}.cpp)
endforeach()
add_library(presil_engine_compiler_kit STATIC EXCLUDE_FROM_ALL ${presil_compiler_sources})
add_library(presil::engine_compiler_kit ALIAS presil_engine_compiler_kit)
set_target_properties(presil_engine_compiler_kit PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(presil_engine_compiler_kit PUBLIC presil_engine_kit)

set(presil_check_sources engine_library.cpp engine_probe.cpp engine_check.cpp)
list(TRANSFORM presil_check_sources PREPEND ${PRESIL_ENGINE_ROOT}/sim/engine/)
add_executable(presil_engine_check EXCLUDE_FROM_ALL ${presil_check_sources})
target_link_libraries(presil_engine_check PRIVATE presil_engine_kit ${CMAKE_DL_LIBS})

pkg_check_modules(PRESIL_SYSTEMC QUIET IMPORTED_TARGET systemc)
if(PRESIL_SYSTEMC_FOUND)
  add_library(presil_engine_systemc STATIC EXCLUDE_FROM_ALL ${PRESIL_ENGINE_ROOT}/models/common/timekeeper.cpp)
  add_library(presil::engine_systemc ALIAS presil_engine_systemc)
  target_compile_definitions(presil_engine_systemc PUBLIC SC_INCLUDE_DYNAMIC_PROCESSES)
  target_link_libraries(presil_engine_systemc PUBLIC presil_engine_kit PkgConfig::PRESIL_SYSTEMC)
endif()
