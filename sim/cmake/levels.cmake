# Of targets whose code runs once for a network, a command or a job: less time goes into compiling
# them. What computes values or time, or searches for plans, keeps the level of the build.
set(PRESIL_SELDOM $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
function(presil_runs_seldom)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${PRESIL_SELDOM})
  endforeach()
endfunction()

# Of what belongs to tests alone in a folder: a fifth less than -O1, and as fast for what they do.
function(presil_only_tests folder)
  get_directory_property(targets DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(STATIC_LIBRARY|OBJECT_LIBRARY|MODULE_LIBRARY|EXECUTABLE)$")
      target_compile_options(${target} BEFORE PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-Og>)
    endif()
  endforeach()
endfunction()
