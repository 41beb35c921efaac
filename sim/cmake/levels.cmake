# Of targets whose code runs once for a network, a command or a job: less time goes into compiling
# them. What computes values or time, or searches for plans, keeps the level of the build.
function(presil_runs_seldom)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  endforeach()
endfunction()
